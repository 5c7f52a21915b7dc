"""Seats: the host removes players, an account sits at a bounded number of matches, and open matches expire."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from domain.drafts import Due, draft
from domain.table import OPEN_MS
from service.matches.handler import CommandRequest
from service.problems import ProblemError
from service.worker.deadlines import HOUSE, Deadlines
from tests.support.heart import Heart
from tests.support.house import House
from tests.support.http import Player, move_and_resign
from tests.support.queries import Follow


def open_one(host: Player, seats: int = 2, key: str | None = None, **more: object) -> str:
    headers = {} if key is None else {"Idempotency-Key": key}
    body = {"game": "blockers", "seats": seats} | more
    match_id: str = host.post("/matches", body, headers).done()["match_id"]
    return match_id


# -- removal ----------------------------------------------------------------------------------------------------------


def test_the_host_removes_a_player_who_cannot_come_back(house: House) -> None:
    ann, bob, cid = house.players(3)
    path = f"/matches/{open_one(ann, 3)}"
    bob.post(f"{path}/seats", {"seat": 2}).done()
    done = ann.delete(f"{path}/seats/2").done()
    assert done["events"] == [{"type": "removed", "seat": 2, "player": bob.id}]
    assert [row["player_id"] for row in house.web.get(path).shown()["seats"]] == [ann.id, None, None]
    before = house.dump()
    bob.post(f"{path}/seats", {}).refused(409, "removed")
    assert house.dump() == before
    cid.post(f"{path}/seats", {}).done()
    log = house.web.get(f"{path}/replay").shown()["steps"]
    assert [(step["kind"], step["sentence"]) for step in log][2] == ("remove", "“Ann” removes “Bob” from seat 2.")


def test_a_removed_player_of_a_private_match_knows_of_it_no_longer(house: House, follow: Follow) -> None:
    ann, bob, _cid = house.players(3)
    made = ann.post("/matches", {"game": "blockers", "seats": 3, "private": True}).done()
    path = f"/matches/{made['match_id']}"
    bob.post(f"{path}/seats", {}, {"Foldtable-Invite": made["invite"]}).done()
    bob.get(path).shown()
    ann.delete(f"{path}/seats/1").done()
    follow()
    bob.get(path).refused(404, "match_not_found")
    assert bob.get("/matches").shown()["matches"] == []
    bob.post(f"{path}/seats", {}, {"Foldtable-Invite": made["invite"]}).refused(409, "removed")


def test_only_the_host_removes_and_only_before_the_start(house: House) -> None:
    ann, bob, cid = house.players(3)
    path = f"/matches/{open_one(ann, 3)}"
    bob.post(f"{path}/seats", {}).done()
    before = house.dump()
    cid.delete(f"{path}/seats/1").refused(403, "not_your_seat")
    bob.delete(f"{path}/seats/0").refused(403, "not_your_seat")
    ann.delete(f"{path}/seats/2").refused(409, "seat_empty")
    ann.delete(f"{path}/seats/9").refused(409, "seat_empty")
    assert house.dump() == before
    cid.post(f"{path}/seats", {}).done()
    ann.delete(f"{path}/seats/1").refused(409, "not_open")


# -- the number of seats of an account --------------------------------------------------------------------------------


@pytest.fixture
def narrow(house: House) -> House:
    vars(house)["parts"] = replace(house.parts, max_matches=3)
    return house


def test_an_account_sits_at_so_many_matches_and_no_more(narrow: House, follow: Follow) -> None:
    ann, bob = narrow.players(2)
    offered = open_one(bob)
    made = [open_one(ann, key="the first"), open_one(ann, private=True), open_one(ann)]
    follow()
    before = narrow.dump()
    ann.post("/matches", {"game": "blockers", "seats": 2}).refused(409, "too_many_matches")
    ann.post(f"/matches/{offered}/seats", {}).refused(409, "too_many_matches")
    assert narrow.dump() == before
    assert open_one(ann, key="the first") == made[0], "a repeated request gets its first answer"
    ann.delete(f"/matches/{made[2]}/seats/0").done()
    follow()
    ann.post(f"/matches/{offered}/seats", {}).done()
    follow()
    ann.post(f"/matches/{open_one(bob)}/seats", {}).refused(409, "too_many_matches")


def test_ended_matches_do_not_count(narrow: House, follow: Follow) -> None:
    ann, bob = narrow.players(2)
    for _ in range(3):
        match_id = open_one(ann)
        bob.post(f"/matches/{match_id}/seats", {}).done()
        move_and_resign(match_id, ann, bob)
    follow()
    assert open_one(ann)
    assert open_one(bob)


# -- expiry -----------------------------------------------------------------------------------------------------------


def test_an_open_match_expires_after_a_week(house: House, follow: Follow) -> None:
    ann, bob = house.players(2)
    match_id = open_one(ann)
    follow()
    views = house.parts.views
    assert views is not None
    deadlines = Deadlines(house.service.handler, views, Heart(), time.monotonic)
    house.clock.time += OPEN_MS - 1
    assert deadlines.record_due() == 0
    assert bob.get(f"/matches/{match_id}").shown()["status"] == "open"
    house.clock.time += 1
    assert deadlines.record_due() == 1
    shown = bob.get(f"/matches/{match_id}").shown()
    assert (shown["status"], shown["void_reason"]) == ("void", "expired")
    bob.post(f"/matches/{match_id}/seats", {}).refused(409, "not_open")
    follow()
    (row,) = house.web.get("/matches").shown()["matches"]
    assert (row["status"], row["void_reason"]) == ("void", "expired")
    assert deadlines.record_due() == 0
    assert house.web.get(f"/matches/{match_id}/audit").shown()["ok"]


def test_a_match_that_has_started_never_expires(house: House, follow: Follow) -> None:
    table = house.table("blockers", 2)
    follow()
    house.clock.time += 10 * OPEN_MS
    with pytest.raises(ProblemError):
        house.service.handler.execute(table.match_id, CommandRequest(HOUSE), draft(Due))


# -- aborts -----------------------------------------------------------------------------------------------------------


def test_thirty_accounts_that_resign_without_a_move_give_nobody_a_place(house: House, follow: Follow) -> None:
    ann = house.web.enter("Champion")
    for number in range(30):
        puppet = house.web.enter(f"Puppet {number}")
        match_id = open_one(ann)
        puppet.post(f"/matches/{match_id}/seats", {}).done()
        done = puppet.post(f"/matches/{match_id}/resign", {}).done()
        assert (done["status"], done["events"]) == ("void", [{"type": "aborted", "seat": 1}])
    follow()
    assert house.web.get("/leaderboards/blockers").shown()["players"] == []
    shown = house.web.get(f"/matches/{match_id}").shown()
    assert (shown["void_reason"], shown["outcome"]) == ("aborted", None)


def test_a_move_that_was_undone_counts_as_made(house: House) -> None:
    table = house.table("territories", 2, undo="consent")
    mover = table.mover
    table.move()
    other = next(player for player in table.players if player is not mover)
    mover.post(f"{table.path}/undo", {})
    if other.get(table.path).shown()["request"] is not None:
        other.post(f"{table.path}/undo/answer", {"accept": True, "request": other.get(table.path).shown()["version"]})
    assert house.service.matches.fresh(table.match_id).match.branches == 1
    assert mover.post(f"{table.path}/resign", {}).done()["status"] == "finished"


def test_who_has_not_moved_aborts_although_the_other_has(house: House) -> None:
    table = house.table("territories", 2)
    mover = table.mover
    table.move()
    (other,) = (player for player in table.players if player is not mover)
    assert other.post(f"{table.path}/resign", {}).done()["status"] == "void"


def test_a_match_of_three_is_won_by_the_others_as_before(house: House) -> None:
    table = house.table("blockers", 3)
    done = table.host.post(f"{table.path}/resign", {}).done()
    assert done["status"] == "finished"
