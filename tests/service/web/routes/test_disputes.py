"""Disputes over HTTP: a match is frozen, looked at, ruled on, and played on."""

from __future__ import annotations

from typing import Any

import pytest

from domain import commands
from domain.dispute_state import LAPSES_AFTER
from replay.record import read
from service.integrity.records import verify_signed_record
from service.matches.handler import CommandRequest
from service.problems import ProblemError
from service.worker.deadlines import HOUSE
from tests.support.house import SIGNER, Clock, House, catalogue
from tests.support.http import Body, Player, Table, table


def dispute(at: Table, seat: int, version: int, reason: str = "That was not possible.") -> Body:
    return at.took(at.players[seat].post(f"{at.path}/disputes", {"version": version, "reason": reason}))


def rule(who: Player, at: Table, ruling: str, number: int = 1, reason: str = "So it is.") -> Any:
    return who.post(f"{at.path}/disputes/{number}/ruling", {"ruling": ruling, "reason": reason})


def arbitrated(house: House, game: str = "blockers", seats: int = 2) -> tuple[Table, Player]:
    """A match with four moves, and its arbiter."""
    arbiter = house.web.enter("Ida")
    made = table(house.players(seats), game, arbiter=arbiter, clock=None)
    made.play_on(4)
    return made, arbiter


def sound(house: House, at: Table) -> None:
    """The whole log holds, every dispute and ruling decided again."""
    told = house.another().web.get(f"{at.path}/audit").shown()
    assert (told["ok"], told["decided_again"]) == (True, True), told


def test_a_dispute_freezes_the_match_for_everything_but_its_settlement(house: House) -> None:
    at, _arbiter = arbitrated(house)
    move = at.listed(at.to_move[0])[0]
    dispute(at, 0, 5)
    assert at.last["status"] == "frozen"
    assert at.last["events"] == [{"type": "disputed", "seat": 0, "version": 5, "reason": "That was not possible."}]
    at.mover.post(f"{at.path}/moves", {"move": move}).refused(409, "not_live")
    for path, body in (("undo", {"to": 4}), ("redo", {"to": 4})):
        at.host.post(f"{at.path}/{path}", body).refused(409, "not_live")
    at.players[1].post(f"{at.path}/disputes", {"version": 4, "reason": "That too."}).refused(409, "dispute_open")
    live = at.host.get(at.path).shown()
    assert (live["status"], live["dispute"]) == ("frozen", 1)
    assert at.mover.get(f"{at.path}/moves").shown()["moves"] == []
    assert at.give_up()["status"] == "finished", "resigning is possible"


def test_a_move_is_ruled_back_and_the_match_played_on(house: House) -> None:
    at, arbiter = arbitrated(house)
    before = at.host.get(f"{at.path}/replay/4").shown()["state"]
    dispute(at, 1, 5)
    at.took(rule(arbiter, at, "rewind", reason="Seat 0 could not do that."))
    assert at.last["status"] == "live"
    assert [event["type"] for event in at.last["events"]] == ["rewound", "ruled"]
    assert at.host.get(at.path).shown()["state"] == before
    assert at.host.get(f"{at.path}/replay").shown()["steps"][-1]["kind"] == "ruling"
    at.play_on(3)
    told = at.host.get(f"{at.path}/disputes").shown()["disputes"]
    assert [(row["ruling"], row["open"], row["ruling_reason"]) for row in told] == [
        ("rewind", False, "Seat 0 could not do that.")
    ]
    sound(house, at)
    at.give_up()
    record = house.web.get(f"{at.path}/record").data
    assert verify_signed_record(read(record), catalogue(), keys=SIGNER.published).fault is None


def test_a_move_that_stands_changes_nothing(small: House) -> None:
    at, arbiter = arbitrated(small)
    before = at.host.get(at.path).shown()
    dispute(at, 1, 6)
    at.took(rule(arbiter, at, "stands"))
    after = at.host.get(at.path).shown()
    assert (after["state"], after["to_move"], after["status"]) == (before["state"], before["to_move"], "live")
    at.play_on(2)
    sound(small, at)


def test_a_match_that_is_void_is_open_to_all_and_goes_nowhere(small: House) -> None:
    at, arbiter = arbitrated(small)
    dispute(at, 1, 6)
    at.took(rule(arbiter, at, "void"))
    assert (at.last["status"], at.last["outcome"], at.last["to_move"]) == ("void", None, [])
    assert small.web.get(f"{at.path}/audit").shown()["seed"]
    at.host.post(f"{at.path}/disputes", {"version": 5, "reason": "No."}).refused(409, "final")
    sound(small, at)


def test_an_undo_can_be_ruled_back_too(small: House) -> None:
    arbiter = small.web.enter("Ida")
    at = table(small.players(2), "territories", undo="host", arbiter=arbiter)
    at.play_on(4)
    was = at.host.get(at.path).shown()["state"]
    at.undo(3)
    dispute(at, 1, at.version)
    at.took(rule(arbiter, at, "rewind"))
    assert at.host.get(at.path).shown()["state"] == was
    assert at.last["events"][0]["type"] == "restored"
    sound(small, at)


def test_an_arbiter_looks_only_by_an_act_that_everybody_sees(small: House) -> None:
    at, arbiter = arbitrated(small)
    path = f"{at.path}/disputes/1"
    dispute(at, 1, 5)
    hidden = {"hidden": True}
    outside = arbiter.get(path).shown()
    assert outside["after"] == small.web.get(path).shown()["after"]
    assert outside["after"]["racks"]["red"]["cards"] == hidden
    at.host.post(f"{path}/look").refused(403, "not_arbiter")
    small.web.enter("Eve").post(f"{path}/look").refused(403, "not_arbiter")
    looked = at.took(arbiter.post(f"{path}/look"))
    assert looked["events"] == [{"type": "hidden_looked_at", "dispute": 1, "version": 5}]
    assert looked["state"] == small.web.get(at.path).shown()["state"]
    arbiter.post(f"{path}/look").refused(409, "already_looked")
    seen = arbiter.get(path).shown()
    assert seen["looked"]
    assert all(
        isinstance(rack["cards"], list) for state in (seen["before"], seen["after"]) for rack in state["racks"].values()
    )
    assert seen["report"]["before"]["moves"]
    assert seen["report"]["chance"]["numbers"] is None
    for seat, player in enumerate(at.players):
        step = player.get(f"{at.path}/log?after={at.version - 1}").shown()["commits"][0]
        assert (step["kind"], step["seat"]) == ("look", None)
        assert "“Ida”, the arbiter, looks" in step["sentence"]
        own = player.get(path).shown()["after"]["racks"]
        assert [isinstance(own[colour]["cards"], list) for colour in ("red", "blue")] == [seat == 0, seat == 1]
    assert arbiter.get(at.path).shown()["state"]["racks"]["red"]["cards"] == hidden
    at.took(rule(arbiter, at, "stands"))
    assert arbiter.get(path).shown()["after"] == outside["after"]
    arbiter.post(f"{path}/look").refused(409, "dispute_closed")
    sound(small, at)


def test_where_there_is_an_arbiter_no_seat_rules_and_the_arbiter_never_sits(small: House) -> None:
    at, arbiter = arbitrated(small)
    dispute(at, 1, 5)
    for player in at.players:
        rule(player, at, "stands").refused(403, "not_arbiter")
    host, other = small.players(2)
    opened = host.post("/matches", {"game": "territories", "seats": 2, "arbiter": arbiter.id, "private": True}).done()
    path = f"/matches/{opened['match_id']}"
    arbiter.post(f"{path}/seats", {}).refused(409, "is_arbiter")
    assert arbiter.get(path).shown()["arbiter"] == arbiter.id
    other.get(path).refused(404, "match_not_found")
    small.web.get(path).refused(404, "match_not_found")
    for wrong in (host.id, "nobody", ""):
        host.post("/matches", {"game": "territories", "seats": 2, "arbiter": wrong}).refused(
            422, "invalid", field="arbiter"
        )


def test_without_an_arbiter_every_seat_must_be_for_the_same_ruling(small: House) -> None:
    at = small.table("territories", 3)
    at.play_on(3)
    dispute(at, 0, 5)
    small.web.enter("Eve").post(f"{at.path}/disputes/1/ruling", {"ruling": "void", "reason": "x"}).refused(
        403, "not_seated"
    )
    first = rule(at.players[0], at, "rewind", reason="A slip of the hand.")
    assert (first.status, first.body["status"]) == (202, "frozen")
    rule(at.players[0], at, "rewind").refused(409, "already_backed")
    assert rule(at.players[1], at, "rewind").status == 202
    told = at.host.get(f"{at.path}/disputes/1").shown()["proposal"]
    assert told == {"ruling": "rewind", "reason": "A slip of the hand.", "backed_by": [0, 1], "waits_for": [2]}
    assert rule(at.players[2], at, "void").status == 202
    told = at.host.get(f"{at.path}/disputes/1").shown()["proposal"]
    assert (told["ruling"], told["backed_by"]) == ("void", [2])
    for player in at.players[:2]:
        assert rule(player, at, "rewind").status == 202
    at.took(rule(at.players[2], at, "rewind"))
    assert [event["type"] for event in at.last["events"]] == ["ruling_backed", "rewound", "ruled"]
    assert at.last["status"] == "live"
    at.play_on(2)
    sound(small, at)


def test_a_dispute_lapses_after_a_day_at_the_next_read_and_the_next_act_records_it(house: House) -> None:
    at, arbiter = arbitrated(house)
    assert isinstance(house.clock, Clock)
    dispute(at, 0, 5)
    house.clock.time += LAPSES_AFTER - 1
    assert at.host.get(at.path).shown()["status"] == "frozen"
    house.clock.time += 1
    live = at.host.get(at.path).shown()
    assert (live["status"], live["dispute"], live["version"]) == ("live", None, at.version)
    (told,) = at.host.get(f"{at.path}/disputes").shown()["disputes"]
    assert (told["ruling"], told["lapsed"], told["open"]) == ("stands", True, False)
    rule(arbiter, at, "void").refused(409, "dispute_closed")
    moved = at.move()
    assert [event["type"] for event in moved["events"]] == ["dispute_lapsed", "tile_placed"]
    step = at.host.get(f"{at.path}/replay").shown()["steps"][-1]
    assert step["kind"] == "move"
    assert step["sentence"].startswith("Nobody has ruled on the dispute about version 5; it stands. ")
    at.play_on(2)
    sound(house, at)
    dispute(at, 1, 6)
    house.clock.time += LAPSES_AFTER
    dispute(at, 1, 7)
    assert [event["type"] for event in at.last["events"]] == ["dispute_lapsed", "disputed"]
    house.clock.time += LAPSES_AFTER
    at.give_up()
    assert (at.last["status"], at.last["events"][0]["type"]) == ("finished", "dispute_lapsed")
    sound(house, at)


def test_the_house_records_a_lapse_when_it_is_time_and_only_once(house: House) -> None:
    at, arbiter = arbitrated(house)
    assert isinstance(house.clock, Clock)
    handler = house.service.handler
    here = CommandRequest(HOUSE)

    def lapse(number: int = 1) -> str | None:
        try:
            handler.execute(at.match_id, here, commands.Lapse(number))
        except ProblemError as problem:
            return problem.code
        return None

    assert lapse() == "dispute_not_found"
    dispute(at, 0, 5)
    house.clock.time += LAPSES_AFTER - 1
    assert lapse() == "not_yet"
    house.clock.time += 1
    assert lapse() is None
    assert lapse() == "dispute_closed"
    told = at.host.get(f"{at.path}/log").shown()["commits"][-1]
    assert (told["kind"], told["seat"], told["player_id"]) == ("lapse", None, "house")
    assert told["sentence"] == "Nobody has ruled on the dispute about version 5; it stands."
    report = at.host.get(f"{at.path}/audit/{told['version']}").shown()
    assert report["command"] == {"type": "lapse", "dispute": 1}
    assert report["decided_again"]["same"] is True
    rule(arbiter, at, "void").refused(409, "dispute_closed")
    assert at.host.get(at.path).shown()["status"] == "live"
    at.play_on(2)
    sound(house, at)


def test_a_seat_disputes_twice_at_most(small: House) -> None:
    at, arbiter = arbitrated(small)
    for number in (1, 2):
        dispute(at, 1, 5)
        at.took(rule(arbiter, at, "stands", number))
    at.players[1].post(f"{at.path}/disputes", {"version": 5, "reason": "Again."}).refused(409, "too_many_disputes")
    dispute(at, 0, 5)
    small.web.enter("Eve").post(f"{at.path}/disputes", {"version": 5, "reason": "I too."}).refused(403, "not_seated")


def test_a_finished_match_stays_finished_and_stands_or_is_void(small: House) -> None:
    at, arbiter = arbitrated(small)
    at.give_up()
    over, outcome = at.version, at.last["outcome"]
    dispute(at, 1, 5)
    assert (at.last["status"], at.last["outcome"]) == ("finished", outcome)
    rule(arbiter, at, "rewind").refused(409, "ruling_impossible")
    at.took(rule(arbiter, at, "stands"))
    assert (at.last["status"], at.last["outcome"]) == ("finished", outcome)
    assert at.host.get(f"{at.path}/replay/{over}").shown()["outcome"] == outcome
    dispute(at, 0, 6)
    at.took(rule(arbiter, at, "void", 2))
    assert (at.last["status"], at.last["outcome"]) == ("void", None)
    sound(small, at)
    assert (
        verify_signed_record(read(small.web.get(f"{at.path}/record").data), catalogue(), keys=SIGNER.published).fault
        is None
    )


def test_rulings_that_are_impossible(small: House) -> None:
    arbiter = small.web.enter("Ida")
    at = table(small.players(2), "territories", undo="host", arbiter=arbiter, clock=None)
    dispute(at, 1, at.version)
    rule(arbiter, at, "rewind").refused(409, "ruling_impossible")
    at.took(rule(arbiter, at, "stands"))
    at.play_on(2)
    gone = at.version
    at.undo(gone - 1)
    dispute(at, 1, gone)
    rule(arbiter, at, "rewind", 2).refused(409, "ruling_impossible")
    at.took(rule(arbiter, at, "stands", 2))
    sound(small, at)


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        ({"version": 5}, 422, "invalid", "reason"),
        ({"version": 5, "reason": " "}, 422, "invalid", "reason"),
        ({"version": 5, "reason": "a\nb"}, 422, "invalid", "reason"),
        ({"version": 5, "reason": "x" * 501}, 422, "invalid", "reason"),
        ({"version": "5", "reason": "x"}, 422, "invalid", "version"),
        ({"version": 1, "reason": "x"}, 404, "version_not_found", "version"),
        ({"version": 99, "reason": "x"}, 404, "version_not_found", "version"),
    ],
)
def test_what_is_no_dispute(small: House, body: Body, status: int, code: str, field: str) -> None:
    at, _arbiter = arbitrated(small)
    at.host.post(f"{at.path}/disputes", body).refused(status, code, field=field)


def test_a_dispute_that_there_is_not(small: House) -> None:
    at, arbiter = arbitrated(small)
    for number in ("0", "1", "x", "9" * 9):
        at.host.get(f"{at.path}/disputes/{number}").refused(404, "dispute_not_found")
        arbiter.post(f"{at.path}/disputes/{number}/look").refused(404, "dispute_not_found")
    dispute(at, 0, 5)
    arbiter.post(f"{at.path}/disputes/1/ruling", {"ruling": "burn", "reason": "x"}).refused(
        422, "invalid", field="ruling"
    )
    opened = at.host.post("/matches", {"game": "blockers", "seats": 2}).done()
    at.host.post(f"/matches/{opened['match_id']}/disputes", {"version": 1, "reason": "x"}).refused(409, "not_live")


def test_a_dispute_asked_for_twice_with_one_key_is_one(house: House) -> None:
    at, arbiter = arbitrated(house)
    body, key = {"version": 5, "reason": "Look."}, {"Idempotency-Key": "d"}
    first = at.host.post(f"{at.path}/disputes", body, key)
    at.took(first)
    assert at.host.post(f"{at.path}/disputes", body, key).data == first.data
    ruling = rule(arbiter, at, "stands")
    assert at.host.post(f"{at.path}/disputes", body, key).data == first.data
    assert ruling.status == 201


@pytest.mark.parametrize("policy", ["consent", "free_only", "host"])
def test_what_a_ruling_has_taken_back_no_seat_brings_back(small: House, policy: str) -> None:
    at = small.table("territories", 2, undo=policy)
    at.play_on(1)
    gone = at.version
    dispute(at, 1, gone)
    for player in at.players:
        rule(player, at, "rewind")
    for player in at.players:
        for body in ({}, {"to": gone}, {"to": gone + 1}):
            answer = player.post(f"{at.path}/redo", body)
            assert answer.status in (404, 409), answer.body
    at.host.post(f"{at.path}/redo", {"to": gone}).refused(409, "ruled_out", field="to")
    effective = at.host.get(f"{at.path}/replay").shown()["steps"]
    assert [step["kind"] for step in effective] == ["join", "start", "dispute", "ruling", "ruling"]
    assert all(step["in_force"] for step in effective)


def test_what_a_ruling_lets_stand_is_not_taken_back_without_asking(small: House) -> None:
    arbiter = small.web.enter("Ida")
    at = table(small.players(2), "territories", undo="consent", arbiter=arbiter)
    at.play_on(3)
    mine = next(seat for seat in range(2) if at.answers[at.version]["events"][0]["seat"] == seat)
    before = at.version - 1
    assert at.players[mine].get(f"{at.path}/undo?to={before}").shown()["verdict"] == "free"
    dispute(at, 1 - mine, at.version)
    at.took(rule(arbiter, at, "stands"))
    assert at.players[mine].get(f"{at.path}/undo?to={before}").shown()["verdict"] == "consent"
