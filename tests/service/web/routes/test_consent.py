"""Returns that others have to agree to: asked, accepted, declined, withdrawn, lapsed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.house import House
from tests.support.http import Body, Player
from tests.support.returns import MOVES, answer, ask, consenting, last_row, live, returned, seen

# -- asked, and answered ----------------------------------------------------------------------------------------------


def test_what_is_not_free_is_asked_of_all_other_seats_and_changes_nothing_yet(house: House) -> None:
    table = consenting(house)
    before = seen(table)
    answered = table.players[1].post(f"{table.path}/undo", {"to": 4, "reason": "a slip"})
    body = table.asked(answered)
    asked = {"seat": 1, "direction": "undo", "to": 4, "asks": [0, 2], "reason": "a slip"}
    assert body["events"] == [{"type": "undo_asked", **asked}]
    assert (body["version"], body["status"], body["outcome"]) == (8, "live", None)
    assert answered.headers["Location"] == f"/api/v1{table.path}/replay/8"
    assert seen(table) == before
    for reader in table.readers(house.web):
        assert reader.get(table.path).shown()["request"] == {"version": 8, **asked, "accepted": []}
    row = last_row(table)
    assert (row["kind"], row["seat"], row["branch"]) == ("undo_asked", 1, 0)
    assert row["sentence"] == "“Bob” asks to go back to version 4: “a slip”"


def test_when_the_last_seat_accepts_it_is_done_in_the_commit_that_accepts(house: House) -> None:
    table = consenting(house)
    first = table.version - MOVES + 1
    kept = table.host.get(f"{table.path}/replay/{first}").shown()
    ask(table, 1, first)
    one = answer(table, 2, accept=True)
    assert one["events"] == [{"type": "undo_answered", "seat": 2, "accepted": True, "blocks": False}]
    request = live(table)["request"]
    assert (request["version"], request["asks"], request["accepted"]) == (8, [0], [2])
    other = house.another()
    two = table.took(table.host.at(other.web).post(f"{table.path}/undo/answer", {"accept": True, "request": 8}))
    assert two["events"] == [
        {"type": "undo_answered", "seat": 0, "accepted": True, "blocks": False},
        {"type": "rewound", "to": first},
    ]
    assert (two["version"], two["state"], two["to_move"]) == (10, kept["state"], kept["to_move"])
    assert live(table)["request"] is None
    row = last_row(table)
    assert (row["kind"], row["branch"], row["turn"]) == ("undo", 1, 1)
    assert row["sentence"] == f"“Ann” agrees. The match goes back to version {first}."
    assert [step["version"] for step in table.host.get(f"{table.path}/replay").shown()["steps"]] == [1, 2, 3, 4, 10]
    assert house.web.get(f"{table.path}/audit").shown()["ok"]


def test_one_refusal_closes_the_request(small: House) -> None:
    table = consenting(small)
    before = seen(table)
    ask(table)
    answer(table, 1, accept=True)
    body = answer(table, 2, accept=False)
    assert body["events"] == [{"type": "undo_answered", "seat": 2, "accepted": False, "blocks": False}]
    assert live(table)["request"] is None
    assert seen(table) == before
    assert (last_row(table)["kind"], last_row(table)["sentence"]) == ("undo_answered", "“Cid” declines.")
    stale = {"accept": True, "request": 8}
    table.players[1].post(f"{table.path}/undo/answer", stale).refused(409, "request_lapsed", field="request")


def test_who_asks_can_withdraw_and_nobody_else(small: House) -> None:
    table = consenting(small)
    path = f"{table.path}/undo"
    table.host.delete(path).refused(409, "no_request")
    ask(table)
    for other in table.players[1:]:
        other.delete(path).refused(409, "no_request")
    assert live(table)["request"]["seat"] == 0
    body = table.took(table.host.delete(path))
    assert body["events"] == [{"type": "undo_withdrawn", "seat": 0}]
    assert live(table)["request"] is None
    assert last_row(table)["sentence"] == "“Ann” withdraws the request."
    table.host.delete(path).refused(409, "no_request")
    ask(table, 1)


def test_redo_is_asked_for_by_the_same_rules(small: House) -> None:
    table = consenting(small)
    tip = seen(table)
    returned(table, 4)
    body = ask(table, 2, 7, "redo", reason="it was better")
    asked = {"seat": 2, "direction": "redo", "to": 7, "asks": [0, 1], "reason": "it was better"}
    assert body["events"] == [{"type": "undo_asked", **asked}]
    assert last_row(table)["sentence"] == "“Cid” asks to return to version 7: “it was better”"
    answer(table, 0, accept=True)
    done = answer(table, 1, accept=True)
    assert done["events"][-1] == {"type": "restored", "to": 7}
    assert last_row(table)["kind"] == "redo"
    assert seen(table) == tip
    ask(table, 1, 5)
    answer(table, 2, accept=False)
    assert seen(table) == tip


def test_a_request_without_a_target_is_for_the_newest_move_of_ones_own(small: House) -> None:
    table = consenting(small)
    seat = next(seat for seat in range(3) if last_row(table)["seat"] == (seat + 1) % 3)
    body = table.asked(table.players[seat].post(f"{table.path}/undo"))
    assert body["events"][0]["to"] == 5
    for other in {0, 1, 2} - {seat}:
        answer(table, other, accept=True)
    body = table.asked(table.players[seat].post(f"{table.path}/redo"))
    assert (body["events"][0]["direction"], body["events"][0]["to"]) == ("redo", 7)


# -- who may answer, and when -----------------------------------------------------------------------------------------


def test_answers_that_nobody_waits_for_are_refused_as_what_they_are(small: House) -> None:
    table = consenting(small)
    path = f"{table.path}/undo/answer"
    before = small.dump()
    for seat in range(3):
        table.players[seat].post(path, {"accept": True}).refused(422, "invalid", field="request")
        table.players[seat].post(path, {"accept": True, "request": None}).refused(422, "invalid", field="request")
        table.players[seat].post(path, {"accept": False, "request": 7}).refused(409, "request_lapsed", field="request")
    assert small.dump() == before
    ask(table)
    answer(table, 1, accept=True)
    before = small.dump()
    for accept in (True, False):
        table.host.post(path, {"accept": accept, "request": 8}).refused(403, "not_asked")
        table.players[1].post(path, {"accept": accept, "request": 8}).refused(409, "already_answered")
        table.players[2].post(path, {"accept": accept}).refused(422, "invalid", field="request")
    for version in (-1, 0, 1, 7, 9, 99):
        table.players[2].post(path, {"accept": True, "request": version}).refused(
            409, "request_lapsed", field="request"
        )
    table.players[2].post(path, {"accept": True, "block": True, "request": 8}).refused(422, "invalid", field="block")
    assert small.dump() == before


def test_an_answer_to_an_earlier_request_is_none_to_the_open_one(small: House) -> None:
    table = consenting(small)
    first = ask(table, to=6)["version"]
    table.took(table.host.delete(f"{table.path}/undo"))
    second = ask(table, to=4)["version"]
    before = small.dump()
    stale = {"accept": True, "request": first}
    table.players[1].post(f"{table.path}/undo/answer", stale).refused(409, "request_lapsed", field="request")
    assert small.dump() == before
    answer(table, 1, accept=True, request=second)
    assert live(table)["request"]["accepted"] == [1]


def test_spectators_neither_ask_nor_answer_nor_withdraw(small: House) -> None:
    table = consenting(small)
    ask(table)
    zoe = small.web.enter("Zoe")
    before = small.dump()
    for way, body in (("undo", {"to": 4}), ("redo", {"to": 4}), ("undo/answer", {"accept": True, "request": 8})):
        zoe.post(f"{table.path}/{way}", body).refused(403, "not_seated")
        small.web.post(f"{table.path}/{way}", body).refused(401, "unauthenticated")
    zoe.delete(f"{table.path}/undo").refused(403, "not_seated")
    small.web.delete(f"{table.path}/undo").refused(401, "unauthenticated")
    zoe.get(f"{table.path}/undo?to=4").refused(403, "not_seated")
    assert small.dump() == before


def test_while_a_request_is_open_there_is_no_other(small: House) -> None:
    table = consenting(small)
    ask(table)
    before = small.dump()
    for player in table.players:
        detail = player.post(f"{table.path}/undo", {"to": 5}).refused(409, "request_open")["detail"]
        assert player.get(f"{table.path}/undo?to=5").shown()["reason"] == detail == "Seat 0 asks for something already."
    assert small.dump() == before
    table.took(table.host.delete(f"{table.path}/undo"))
    ask(table, 1, 5)


# -- lapsing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("act", ["move", "free return"])
def test_a_request_lapses_when_anybody_acts(small: House, act: str) -> None:
    table = consenting(small)
    last = int(last_row(table)["seat"])
    asker = (last + 1) % 3
    version = ask(table, asker, 4)["version"]
    if act == "move":
        table.move()
    else:
        table.undo(6, table.players[last])
    assert live(table)["request"] is None
    before = small.dump()
    for seat in {0, 1, 2} - {asker}:
        path = f"{table.path}/undo/answer"
        table.players[seat].post(path, {"accept": True, "request": version}).refused(
            409, "request_lapsed", field="request"
        )
    table.players[asker].delete(f"{table.path}/undo").refused(409, "no_request")
    assert small.dump() == before


@pytest.mark.parametrize("end", ["resign", "move"])
def test_a_request_lapses_with_the_match_and_nothing_is_asked_afterwards(small: House, end: str) -> None:
    table = consenting(small, "highest_card", 2, options={"hand": 1, "peek": False})
    version = ask(table, 0, 3)["version"]
    if end == "resign":
        table.give_up(1)
    else:
        table.play_to_end()
    assert table.last["status"] == "finished"
    assert live(table)["request"] is None
    before = small.dump()
    for player in table.players:
        for body in ({"accept": True, "request": version}, {"accept": False, "request": version}):
            player.post(f"{table.path}/undo/answer", body).refused(409, "final")
        player.delete(f"{table.path}/undo").refused(409, "final")
        player.post(f"{table.path}/undo", {"to": 3}).refused(409, "final")
        player.post(f"{table.path}/redo", {"to": 4}).refused(409, "final")
    assert small.dump() == before


# -- headers ----------------------------------------------------------------------------------------------------------


def test_asking_and_answering_heed_if_match(small: House) -> None:
    table = consenting(small)
    steps: list[tuple[Player, str, str, Body | None]] = [
        (table.host, "POST", "undo", {"to": 4}),
        (table.host, "DELETE", "undo", None),
        (table.host, "POST", "undo", {"to": 4}),
        (table.players[1], "POST", "undo/answer", {"accept": True, "request": 10}),
        (table.players[2], "POST", "undo/answer", {"accept": True, "request": 10}),
        (table.players[2], "POST", "redo", {"to": 7}),
    ]
    for player, method, way, body in steps:
        version, path = table.version, f"{table.path}/{way}"

        def send(known: int, player: Player = player, method: str = method, path: str = path, body: Any = body) -> Any:
            headers = {"If-Match": f'"{known}"'}
            return player.delete(path, headers) if method == "DELETE" else player.post(path, body, headers)

        send(version - 1).refused(412, "stale_version")
        send(version + 1).refused(412, "stale_version")
        done = send(version)
        table.asked(done) if done.status == 202 else table.took(done)
        assert table.version == version + 1


def test_a_request_is_stale_to_who_has_not_seen_it(small: House) -> None:
    """Acting lapses it, so who acts with If-Match must have known of it."""
    table = consenting(small, "highest_card", 0)
    known = {"If-Match": f'"{table.version}"'}
    table.took(table.players[2].post(f"{table.path}/moves", {"move": table.listed(2)[0]}, known))
    ask(table, 0, 3)
    move = {"move": table.listed(1)[0]}
    table.players[1].post(f"{table.path}/moves", move, known).refused(412, "stale_version")
    table.took(table.players[1].post(f"{table.path}/moves", move, {"If-Match": f'"{table.version}"'}))


def test_a_repeated_request_or_answer_is_done_once_and_answered_the_same(house: House) -> None:
    table = consenting(house)
    sent: list[tuple[Player, str, Body | None]] = [
        (table.host, "undo", {"to": 4, "reason": "a slip"}),
        (table.players[1], "undo/answer", {"accept": True, "request": 8}),
        (table.players[2], "undo/answer", {"accept": True, "request": 8}),
        (table.players[1], "redo", {"to": 7}),
        (table.host, "undo/answer", {"accept": False, "request": 11}),
    ]
    first = []
    for number, (player, way, body) in enumerate(sent):
        answered = player.post(f"{table.path}/{way}", body, {"Idempotency-Key": f"key {number}"})
        table.asked(answered) if answered.status == 202 else table.took(answered)
        first.append(answered)
    assert [answered.status for answered in first] == [202, 201, 201, 202, 201]
    before = house.dump()
    for other in (house, house.another()):
        for number, (player, way, body) in enumerate(sent):
            path, key = f"{table.path}/{way}", {"Idempotency-Key": f"key {number}"}
            again = player.at(other.web).post(path, body, key)
            assert (again.status, again.headers, again.data) == (
                first[number].status,
                first[number].headers,
                first[number].data,
            )
            player.at(other.web).post(
                path, {"to": 5} if "answer" not in way else {"accept": True, "request": 1}, key
            ).refused(422, "key_reused")
    assert house.dump() == before


# -- what is shown ----------------------------------------------------------------------------------------------------


def test_the_live_state_says_to_each_seat_what_taking_back_its_newest_move_would_mean(small: House) -> None:
    table = consenting(small)
    last = int(last_row(table)["seat"])
    by_age = [(last - age) % 3 for age in range(3)]
    for age, seat in enumerate(by_age):
        undo = live(table, seat)["undo"]
        others = [other for other in range(3) if other != seat]
        expected = ("free", 6, []) if age == 0 else ("consent", 6 - age, others)
        assert (undo["verdict"], undo["to"], undo["asks"]) == expected
        preview = table.players[seat].get(f"{table.path}/undo").shown()
        assert {key: preview[key] for key in undo} == undo
    assert small.web.get(table.path).shown()["undo"] is None
    ask(table, by_age[1], 5)
    assert live(table, last)["undo"]["verdict"] == "free"
    for seat in by_age[1:]:
        undo = live(table, seat)["undo"]
        assert (undo["verdict"], undo["asks"]) == ("refused", [])
        assert undo["reason"] == f"Seat {by_age[1]} asks for something already."


def test_consent_is_what_a_match_is_opened_with_and_it_is_rated(small: House) -> None:
    opened = small.web.enter("Ann").post("/matches", {"game": "territories", "seats": 2}).done()
    shown = small.web.get(f"/matches/{opened['match_id']}").shown()
    assert (shown["undo_policy"], shown["rated"], shown["request"], shown["undo"]) == ("consent", True, None, None)


def test_what_is_drawn_after_an_agreed_undo_is_drawn_anew(small: House) -> None:
    table = consenting(small, "blockers", 0)
    seat = table.to_move[0]
    move = {"move": table.listed(seat)[0]}
    drawn = set()
    for _ in range(10):
        table.took(table.players[seat].post(f"{table.path}/moves", move))
        drawn.add(table.last["events"][0]["drawn"])
        returned(table, 3, seat)
    assert len(drawn) > 3
