"""Arbiters over HTTP: invitations in a list of their own, named in rows and views, and never a way to a better rating."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from domain.dispute import OPEN_AFTER_END
from domain.dispute_state import LAPSES_AFTER
from service.adapters.redis.players import RedisPlayers
from service.web.actions import MOST_INVITATIONS
from service.worker.deadlines import Deadlines
from service.worker.seat_release import AGAIN_MS, SLACK_MS, SeatRelease
from tests.support.heart import Heart
from tests.support.house import House
from tests.support.http import Body, Player, Table, move_and_resign, table
from tests.support.queries import Follow, listed, open_one


def asked(who: Player, query: str = "") -> list[str]:
    shown = who.get(f"/players/me/arbitrations{query}").shown()
    return [row["match_id"] for row in shown["matches"]]


def row_of(house: House, match_id: str) -> Body:
    (row,) = [row for row in house.web.get("/matches").shown()["matches"] if row["match_id"] == match_id]
    return dict(row)


def arbitrated(house: House) -> tuple[Table, Player]:
    """A rated match that has started, and its arbiter."""
    judge = house.web.enter("Ida")
    at = table(house.players(2), "blockers", undo="consent", arbiter=judge)
    return at, judge


# -- named in rows and views ------------------------------------------------------------------------------------------


def test_rows_and_views_name_the_arbiter_and_say_if_it_has_accepted(house: House, follow: Follow) -> None:
    ann, bob, judge = house.players(3)
    match_id = open_one(ann, arbiter=judge.id)
    path = f"/matches/{match_id}"

    def named() -> list[tuple[str | None, bool]]:
        follow()
        shown = (house.web.get(path).shown(), row_of(house, match_id))
        return [(body["arbiter"], body["arbiter_accepted"]) for body in shown]

    assert named() == [(judge.id, False)] * 2
    judge.post(f"{path}/arbiter").done()
    assert named() == [(judge.id, True)] * 2
    bob.post(f"{path}/seats", {"arbiter": judge.id}).done()
    assert named() == [(judge.id, True)] * 2
    done = judge.delete(f"{path}/arbiter").done()
    assert done["events"] == [{"type": "arbiter_resigned", "player": judge.id}]
    assert named() == [(None, False)] * 2
    steps = house.web.get(f"{path}/log").shown()["commits"]
    assert [step["sentence"] for step in steps if step["kind"] == "arbiter"] == [
        "“Cid” agrees to be the arbiter.",
        "“Cid” is the arbiter no longer.",
    ]
    assert house.web.get(f"{path}/audit").shown()["ok"]


def test_a_start_without_an_accepted_arbiter_leaves_none(house: House, follow: Follow) -> None:
    ann, bob, judge = house.players(3)
    match_id = open_one(ann, arbiter=judge.id)
    bob.post(f"/matches/{match_id}/seats", {"arbiter": judge.id}).done()
    judge.post(f"/matches/{match_id}/arbiter").refused(409, "not_open")
    follow()
    assert house.web.get(f"/matches/{match_id}").shown()["arbiter"] is None
    assert row_of(house, match_id)["arbiter"] is None


def test_joining_a_rated_match_takes_naming_its_arbiter(house: House) -> None:
    ann, bob, judge = house.players(3)
    path = f"/matches/{open_one(ann, arbiter=judge.id)}"
    before = house.dump()
    problem = bob.post(f"{path}/seats", {}).refused(409, "arbiter_not_named", field="arbiter")
    assert judge.id in problem["detail"]
    bob.post(f"{path}/seats", {"arbiter": ann.id}).refused(409, "arbiter_not_named", field="arbiter")
    bob.post(f"{path}/seats", {"arbiter": 7}).refused(422, "invalid", field="arbiter")
    bob.post(f"{path}/arbiter").refused(403, "not_asked")
    house.web.post(f"{path}/arbiter").refused(401, "unauthenticated")
    assert house.dump() == before
    bob.post(f"{path}/seats", {"arbiter": judge.id}, {"Idempotency-Key": "j"}).done()
    assert bob.post(f"{path}/seats", {"arbiter": judge.id}, {"Idempotency-Key": "j"}).status == 201
    bob.post(f"{path}/seats", {}, {"Idempotency-Key": "j"}).refused(422, "key_reused")


# -- invitations ------------------------------------------------------------------------------------------------------


def test_an_invitation_is_in_a_list_of_its_own_and_in_no_lobby_until_it_is_accepted(
    house: House, follow: Follow
) -> None:
    ann, judge, eve = house.players(3)
    private = open_one(ann, private=True, arbiter=judge.id)
    follow()
    assert (asked(judge), listed(judge)) == ([private], [])
    assert judge.get("/matches").shown()["counts"]["open"] == 0
    assert judge.get(f"/matches/{private}").shown()["arbiter"] == judge.id
    assert (asked(eve), asked(ann), listed(ann)) == ([], [], [private])
    eve.get(f"/matches/{private}").refused(404, "match_not_found")
    judge.post(f"/matches/{private}/arbiter").done()
    follow()
    assert (asked(judge), listed(judge)) == ([], [private])
    judge.delete(f"/matches/{private}/arbiter").done()
    follow()
    assert (asked(judge), listed(judge)) == ([], [])
    judge.get(f"/matches/{private}").refused(404, "match_not_found")


def test_who_declines_is_asked_no_longer(house: House, follow: Follow) -> None:
    ann, judge = house.players(2)
    first, second = open_one(ann, arbiter=judge.id), open_one(ann, private=True, arbiter=judge.id)
    follow()
    assert asked(judge) == [second, first]
    for match_id in (first, second):
        judge.delete(f"/matches/{match_id}/arbiter").done()
    follow()
    assert asked(judge) == []
    judge.delete(f"/matches/{first}/arbiter").refused(403, "not_asked")
    judge.get(f"/matches/{second}").refused(404, "match_not_found")


@pytest.mark.parametrize("ending", ["cancelled", "started"])
def test_an_invitation_ends_with_the_wait_for_players(house: House, follow: Follow, ending: str) -> None:
    ann, bob, judge = house.players(3)
    match_id = open_one(ann, arbiter=judge.id)
    if ending == "cancelled":
        ann.delete(f"/matches/{match_id}/seats/0").done()
    else:
        bob.post(f"/matches/{match_id}/seats", {"arbiter": judge.id}).done()
    follow()
    assert asked(judge) == []


def test_invitations_come_in_pages_and_only_to_their_own_player(house: House, follow: Follow) -> None:
    ann, bob, judge = house.players(3)
    made = [open_one(host, arbiter=judge.id) for host in (ann, bob, ann)]
    follow()
    body = judge.get("/players/me/arbitrations?limit=2").shown()
    assert [row["match_id"] for row in body["matches"]] == sorted(made, reverse=True)[:2]
    assert body["more"]
    rest = judge.get(f"/players/me/arbitrations?limit=2&cursor={body['next']}").shown()
    assert {row["match_id"] for row in (*body["matches"], *rest["matches"])} == set(made)
    assert (rest["more"], rest["next"]) == (False, None)
    house.web.get("/players/me/arbitrations").refused(401, "unauthenticated")
    judge.get("/players/me/arbitrations?limit=101").refused(400, "unreadable", field="limit")


def test_a_host_waits_for_so_many_arbiters_and_no_more(house: House, follow: Follow) -> None:
    ann, bob, *_others, judge = house.players(4)
    made = [
        ann.post(
            "/matches",
            {"game": "blockers", "seats": 2, "arbiter": judge.id, "private": bool(number % 2)},
            {"Idempotency-Key": f"number {number}"},
        ).done()["match_id"]
        for number in range(MOST_INVITATIONS)
    ]
    follow()
    before = house.dump()
    more = {"game": "blockers", "seats": 2, "arbiter": judge.id}
    ann.post("/matches", more).refused(409, "too_many_invitations")
    assert house.dump() == before
    again = ann.post("/matches", more | {"private": False}, {"Idempotency-Key": "number 0"}).done()
    assert again["match_id"] == made[0], "a repeated request gets its first answer"
    open_one(ann)
    open_one(bob, arbiter=judge.id)
    judge.delete(f"/matches/{made[0]}/arbiter").done()
    follow()
    open_one(ann, arbiter=judge.id)
    assert len(asked(judge, "?limit=100")) == MOST_INVITATIONS


# -- deleted accounts -------------------------------------------------------------------------------------------------


def test_a_deleted_account_is_no_arbiter_and_all_seats_rule(house: House, follow: Follow) -> None:
    judge = house.web.enter("Ida")
    players = house.players(2)
    opened = open_one(players[0], arbiter=judge.id)
    live = table(players, "blockers", arbiter=judge)
    ended, old = (table(players, "blockers", arbiter=judge) for _ in range(2))
    move_and_resign(old.match_id, *players)
    house.clock.time = time.time_ns() // 1_000_000
    move_and_resign(ended.match_id, *players)
    accounts, views = house.parts.players, house.parts.views
    assert isinstance(accounts, RedisPlayers)
    assert views is not None
    release = SeatRelease(house.service.handler, views, accounts)
    judge.delete("/players/me").shown()
    follow()
    now = time.time_ns() // 1_000_000 + SLACK_MS + 1
    assert release.step(now) == 3
    follow()
    assert release.step(now + AGAIN_MS) == 0
    for match_id in (opened, live.match_id, ended.match_id):
        assert house.web.get(f"/matches/{match_id}").shown()["arbiter"] is None
    assert house.web.get(f"{old.path}").shown()["arbiter"] == judge.id
    live.took(players[0].post(f"{live.path}/disputes", {"version": live.version, "reason": "Not so."}))
    for player in players:
        answer = player.post(f"{live.path}/disputes/1/ruling", {"ruling": "stands", "reason": "So."})
    assert answer.done()["status"] == "live"


# -- results ----------------------------------------------------------------------------------------------------------


def test_an_accomplice_who_looks_makes_the_match_count_for_nothing(house: House, follow: Follow) -> None:
    at, judge = arbitrated(house)
    at.play_on(2)
    follow()
    assert row_of(house, at.match_id)["rated"]
    at.took(at.host.post(f"{at.path}/disputes", {"version": at.version, "reason": "Show me."}))
    looked = at.took(judge.post(f"{at.path}/disputes/1/look"))
    assert [event["type"] for event in looked["events"]] == ["unrated", "hidden_looked_at"]
    follow()
    assert (row_of(house, at.match_id)["rated"], at.host.get(at.path).shown()["rated"]) == (False, False)
    rewind = {"ruling": "rewind", "reason": "Once more."}
    judge.post(f"{at.path}/disputes/1/ruling", rewind).refused(409, "ruling_impossible")
    at.took(judge.post(f"{at.path}/disputes/1/ruling", rewind | {"ruling": "stands"}))
    at.took(at.players[1].post(f"{at.path}/resign", {}))
    follow()
    assert at.last["status"] == "finished"
    assert house.web.get("/leaderboards/blockers").shown()["players"] == []
    (played,) = house.web.get(f"/players/{at.host.id}/matches").shown()["matches"]
    assert played["rated"] is False
    sentences = [step["sentence"] for step in house.web.get(f"{at.path}/log").shown()["commits"]]
    report = house.web.get(f"{at.path}/audit/{looked['version']}").shown()
    assert (report["rated"], report["decided_again"]["same"]) == (False, True)
    assert any("does not count for ratings any more" in sentence for sentence in sentences)
    assert house.web.get(f"{at.path}/audit").shown()["ok"]


def test_a_result_is_voided_within_72_hours_and_never_later(house: House, follow: Follow) -> None:
    at, judge = arbitrated(house)
    move_and_resign(at.match_id, *at.players)
    follow()
    board = house.web.get("/leaderboards/blockers").shown()["players"]
    assert len(board) == 2
    objection, void = {"version": at.version, "reason": "I lost."}, {"ruling": "void", "reason": "He lost."}
    house.clock.time += OPEN_AFTER_END - 1
    at.host.post(f"{at.path}/disputes", objection).done()
    house.clock.time += 1
    before = house.dump()
    judge.post(f"{at.path}/disputes/1/ruling", void).refused(409, "dispute_too_late")
    assert house.dump() == before
    house.clock.time += LAPSES_AFTER
    views = house.parts.views
    assert views is not None
    follow()
    assert Deadlines(house.service.handler, views, Heart(), time.monotonic).record_due() == 1
    at.host.post(f"{at.path}/disputes", objection).refused(409, "dispute_too_late")
    follow()
    assert house.web.get("/leaderboards/blockers").shown()["players"] == board
    assert house.web.get(at.path).shown()["outcome"] is not None
    assert house.web.get(f"{at.path}/audit").shown()["ok"]


def test_while_there_are_no_lists_there_is_no_list_of_invitations(house: House) -> None:
    bare = house.another()
    vars(bare)["parts"] = replace(house.parts, views=None)
    bare.web.enter("Ann").get("/players/me/arbitrations").refused(503, "not_ready")
