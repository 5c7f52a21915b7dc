"""Clocks, ready checks and bots as a client sees them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from domain.commands import Join
from service.matches.handler import CommandRequest
from service.players.tokens import Caller
from tests.support.house import House
from tests.support.http import Body, Player

DAY = 86400


def opened(host: Player, **more: Any) -> Body:
    return host.get(
        f"/matches/{host.post('/matches', {'game': 'territories', 'seats': 2, **more}).done()['match_id']}"
    ).shown()


def milliseconds(time: str) -> int:
    return round(datetime.fromisoformat(time).timestamp() * 1000)


# -- clocks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "clock", "why"),
    [
        ({}, {"turn": 3 * DAY, "bank": None, "increment": 0, "answer": DAY}, None),
        ({"clock": {"turn": 60}}, {"turn": 60, "bank": None, "increment": 0, "answer": 60}, None),
        ({"clock": {"bank": 60, "increment": 5}}, {"turn": None, "bank": 60, "increment": 5, "answer": 60}, None),
        ({"clock": {"turn": 9}}, {"turn": 9, "bank": None, "increment": 0, "answer": 9}, "clock"),
        ({"clock": None}, None, "no_clock"),
        ({"private": True}, None, "private"),
        ({"undo": "host"}, {"turn": 3 * DAY, "bank": None, "increment": 0, "answer": DAY}, "host_may_undo"),
        ({"options": {"max_rounds": 9}}, {"turn": 3 * DAY, "bank": None, "increment": 0, "answer": DAY}, "options"),
    ],
)
def test_a_match_shows_its_clock_and_why_it_is_unrated(
    small: House, more: Body, clock: Body | None, why: str | None
) -> None:
    shown = opened(small.web.enter("Ann"), **more)
    assert (shown["clock"], shown["unrated_because"], shown["rated"]) == (clock, why, why is None)
    assert shown["clocks"] == []


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        ({}, "clock"),
        ({"turn": 60, "bank": 60}, "clock"),
        ({"turn": 0}, "clock.turn"),
        ({"turn": 60 * DAY + 1}, "clock.turn"),
        ({"turn": "60"}, "clock.turn"),
        ({"turn": True}, "clock.turn"),
        ({"turn": 60.5}, "clock.turn"),
        ({"bank": 60, "increment": -1}, "clock.increment"),
        ({"turn": 60, "increment": 1}, "clock.increment"),
        ({"turn": 60, "answer": 0}, "clock.answer"),
        ({"turn": 60, "more": 1}, "clock.more"),
        ([], "clock"),
        (60, "clock"),
    ],
)
def test_a_clock_out_of_range_is_refused(small: House, clock: Any, field: str) -> None:
    ann = small.web.enter("Ann")
    before = small.dump()
    answer = ann.post("/matches", {"game": "territories", "seats": 2, "clock": clock})
    answer.refused(422, "invalid", field=field)
    assert small.dump() == before


def test_deadlines_are_times_and_what_is_left_is_as_of_the_newest_version(small: House) -> None:
    table = small.table("territories", 2, clock={"bank": 600, "increment": 10})
    mover = table.to_move[0]
    small.clock.time += 7_000
    table.move()
    for who in table.readers(small.web):
        one, other = sorted(who.get(table.path).shown()["clocks"], key=lambda clock: clock["seat"] != mover)
        assert one == {"seat": mover, "left_ms": 603_000, "runs": None, "deadline": None}
        assert (other["left_ms"], other["runs"]) == (600_000, "turn")
        assert milliseconds(other["deadline"]) == small.clock.time + 600_000


def test_once_the_time_is_over_nobody_acts_and_nothing_is_shown_before_it_is_recorded(small: House) -> None:
    table = small.table("territories", 2, clock={"turn": 60})
    table.play_on(2)
    move = {"move": table.listed(table.to_move[0])[0]}
    small.clock.time += 60_000
    before = small.dump()
    table.mover.post(f"{table.path}/moves", move).refused(409, "time_up")
    for player in table.players:
        player.post(f"{table.path}/resign", {}).refused(409, "time_up")
        player.post(f"{table.path}/disputes", {"version": table.version, "reason": "No."}).refused(409, "time_up")
    assert small.dump() == before
    shown = small.web.get(table.path).shown()
    assert (shown["status"], shown["outcome"]) == ("live", None)
    assert milliseconds(shown["clocks"][table.to_move[0]]["deadline"]) == small.clock.time


# -- ready checks -----------------------------------------------------------------------------------------------------


def test_a_match_starts_once_all_are_ready(small: House) -> None:
    ann, bob = small.players(2)
    match = opened(ann, start="ready", clock={"turn": 600})
    path = f"/matches/{match['match_id']}"
    ann.post(f"{path}/ready", {}).refused(403, "not_asked")
    bob.post(f"{path}/seats", {}).done()
    shown = bob.get(path).shown()
    assert (shown["status"], shown["ready_check"]["ready"]) == ("open", [])
    assert milliseconds(shown["ready_check"]["due"]) == small.clock.time + 60_000
    ann.delete(f"{path}/seats/1").refused(409, "ready_check")
    bob.post(f"{path}/ready", {}).done()
    bob.post(f"{path}/ready", {}).refused(409, "already_answered")
    done = ann.post(f"{path}/ready", {}).done()
    assert (done["status"], [event["type"] for event in done["events"]]) == ("live", ["seat_ready", "started"])
    assert bob.get(path).shown()["ready_check"] is None
    kinds = [step["kind"] for step in bob.get(f"{path}/replay").shown()["steps"]]
    assert kinds[-3:] == ["join", "ready", "start"]


# -- bots -------------------------------------------------------------------------------------------------------------


def test_bots_are_seated_with_the_match_and_marked(small: House) -> None:
    ann = small.web.enter("Ann")
    body = {"game": "blockers", "seats": 3, "bots": {"1": "greedy", "2": "random"}}
    first = ann.post("/matches", body, {"Idempotency-Key": "once"}).done()
    again = ann.post("/matches", body, {"Idempotency-Key": "once"}).done()
    assert (first["match_id"], first["version"], first["status"]) == (again["match_id"], again["version"], "live")
    shown = ann.get(f"/matches/{first['match_id']}").shown()
    assert [(seat["player_id"], seat["bot"]) for seat in shown["seats"]][1:] == [
        ("bot:greedy:1", "greedy"),
        ("bot:random:2", "random"),
    ]
    assert shown["seats"][1]["name"] == "Greedy bot"
    assert shown["unrated_because"] == "bots"
    sentences = " ".join(step["sentence"] for step in ann.get(f"/matches/{first['match_id']}/replay").shown()["steps"])
    assert "“Ann” gives seat 1 to a greedy bot." in sentences


@pytest.mark.parametrize(
    "bots",
    [
        *(
            {"0": "greedy"},
            {"2": "greedy"},
            {"x": "greedy"},
            {"1": "clever"},
            {"-1": "greedy"},
            ["greedy"],
            {"1": None},
        ),
        *({"01": "greedy"}, {"1": "greedy", "01": "random"}, {"²": "greedy"}, {"9" * 5000: "greedy"}),
    ],
)
def test_a_bot_that_there_is_not_opens_no_match(small: House, bots: Any) -> None:
    ann = small.web.enter("Ann")
    before = small.dump()
    answer = ann.post("/matches", {"game": "blockers", "seats": 2, "bots": bots})
    assert (answer.status, answer.body["code"]) == (422, "invalid")
    assert small.dump() == before


def test_a_player_who_joins_before_a_bot_is_seated_keeps_the_seat(
    small: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = small.players(2)
    handler = small.service.handler
    opens = handler.open

    def opened_and_joined(*given: Any) -> Any:
        done = opens(*given)
        handler.execute(done.match.id, CommandRequest(Caller(bob.id, "")), Join(1))
        return done

    monkeypatch.setattr(handler, "open", opened_and_joined)
    made = ann.post("/matches", {"game": "blockers", "seats": 3, "bots": {"1": "greedy", "2": "random"}}).done()
    seats = ann.get(f"/matches/{made['match_id']}").shown()["seats"]
    assert [seat["player_id"] for seat in seats] == [ann.id, bob.id, "bot:random:2"]


def test_a_seat_for_a_bot_may_be_taken_by_a_person_first(small: House) -> None:
    ann, bob = small.players(2)
    path = f"/matches/{opened(ann, seats=3)['match_id']}"
    bob.post(f"{path}/seats", {"seat": 1}).done()
    ann.post(f"{path}/bots", {"seat": 1, "level": "greedy"}).refused(409, "seat_taken")
    bob.post(f"{path}/bots", {"seat": 2, "level": "greedy"}).refused(403, "forbidden")
    ann.post(f"{path}/bots", {"seat": 2, "level": "clever"}).refused(422, "invalid", field="level")
    ann.post(f"{path}/bots", {"seat": 5, "level": "greedy"}).refused(422, "invalid", field="seat")
    assert ann.post(f"{path}/bots", {"seat": 2, "level": "greedy"}).done()["status"] == "live"
    ann.post(f"{path}/bots", {"seat": 2, "level": "greedy"}).refused(409, "not_open")


def test_nobody_acts_as_a_bot(small: House) -> None:
    """The id of a bot is no account: it has no token, and no name leads to it."""
    ann = small.web.enter("Ann")
    body = {"game": "blockers", "seats": 2, "bots": {"1": "greedy"}}
    match = ann.post("/matches", body).done()["match_id"]
    forged = {"Authorization": "Bearer bot:greedy:1.secret"}
    small.web.ask("GET", f"/matches/{match}", headers=forged).refused(401, "unauthenticated")
    small.web.get("/players/bot:greedy:1").refused(404, "player_not_found")


def test_a_bot_is_no_arbiter(small: House) -> None:
    ann = small.web.enter("Ann")
    for bot in ("bot:greedy:1", "bot:random:0", "bot:"):
        body = {"game": "blockers", "seats": 3, "arbiter": bot}
        ann.post("/matches", body).refused(422, "invalid", field="arbiter")
