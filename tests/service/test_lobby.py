"""What is read across matches, over HTTP: the lobby, histories, leaderboards, statistics."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from threading import Timer
from typing import Any, cast

import pytest

from domain.events import Join
from domain.store import SHARDS
from service import lists, vacating
from service.adapters.players import LEAVING
from service.adapters.redis_store import stream_key
from service.adapters.redis_views import RedisViews
from service.adapters.system import SystemClock
from service.app import build_service
from service.auth import Caller
from service.cache import MatchCache
from service.commands import Matches, Request
from service.vacating import AGAIN_MS, SLACK_MS, Vacating
from service.worker import Worker
from tests.contracts.backends import Backend
from tests.service.house import House, catalogue
from tests.support.http import Body, Player, Table, Web

Follow = Callable[[], None]


@pytest.fixture
def house(fake: Backend) -> House:
    made = House(fake)
    assert fake.client is not None
    vars(made)["parts"] = replace(made.parts, views=RedisViews(fake.client))
    return made


@pytest.fixture
def follow(house: House) -> Follow:
    """Brings the lists up to date."""
    views = house.parts.views
    assert views is not None
    lease = views.claim("projector", 600_000)
    assert lease is not None
    worker = Worker(house.parts.store, views, catalogue(), lease)

    def step() -> None:
        worker.step(set(range(SHARDS)))

    step()
    return step


def listed(who: Player | Web, query: str = "") -> list[str]:
    return [row["match_id"] for row in who.get(f"/matches{query}").shown()["matches"]]


def open_one(host: Player, **more: Any) -> str:
    made = host.post("/matches", {"game": "blockers", "seats": 2, **more}).done()
    return str(made["match_id"])


def test_the_lobby_shows_every_match_as_it_is_newest_first(house: House, follow: Follow) -> None:
    ann, bob = house.players(2)
    first, second = open_one(ann), open_one(ann)
    follow()
    assert listed(house.web) == [second, first]
    bob.post(f"/matches/{first}/seats", {}).done()
    follow()
    cards = house.web.get("/matches").shown()["matches"]
    assert [card["match_id"] for card in cards] == [first, second]
    live = house.web.get(f"/matches/{first}").shown()
    assert {name: cards[0][name] for name in cards[0] if name in live} == {
        name: live[name] for name in cards[0] if name in live
    }


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?status=open", {"opened"}),
        ("?status=live", {"running"}),
        ("?status=finished", {"over"}),
        ("?status=void", {"cancelled"}),
        ("?status=frozen", set()),
        ("?game=blockers", {"opened", "over", "cancelled"}),
        ("?game=territories", {"running"}),
        ("?game=territories&status=open", set()),
        ("?player=Bob", {"running", "over"}),
        ("?player=Bob&status=live", {"running"}),
        ("?player=Bob&game=blockers", {"over"}),
        ("?player=nobody", set()),
    ],
)
def test_it_is_filtered_by_status_game_and_player(house: House, follow: Follow, query: str, found: set[str]) -> None:
    ann, bob = house.players(2)
    made = {
        "opened": open_one(ann),
        "running": open_one(ann, game="territories"),
        "over": open_one(ann),
        "cancelled": open_one(ann),
    }
    for name in ("running", "over"):
        bob.post(f"/matches/{made[name]}/seats", {}).done()
    ann.post(f"/matches/{made['over']}/resign", {}).done()
    ann.delete(f"/matches/{made['cancelled']}/seats/0").done()
    follow()
    assert set(listed(house.web, query.replace("Bob", bob.id))) == {made[name] for name in found}


def test_pages_follow_each_other_without_gap_or_repetition(house: House, follow: Follow) -> None:
    ann, bob = house.players(2)
    made = [open_one(ann, private=number % 3 == 0) for number in range(11)]
    follow()
    for who, expected in ((ann, made), (bob, [m for number, m in enumerate(made) if number % 3])):
        found, query = list[str](), "?limit=3"
        while True:
            page = who.get(f"/matches{query}").shown()
            assert page["more"] == (page["next"] is not None)
            found += [row["match_id"] for row in page["matches"]]
            if not page["more"]:
                break
            query = f"?limit=3&cursor={page['next']}"
        assert found == expected[::-1]


def test_a_page_of_a_long_list_looks_at_so_many_and_says_where_it_goes_on(
    house: House, follow: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "LOOKED_AT", 2)
    ann, bob = house.players(2)
    made = open_one(ann)
    bob.post(f"/matches/{made}/seats", {}).done()
    for _ in range(4):
        open_one(ann)
    follow()
    page, found = house.web.get(f"/matches?player={ann.id}&status=live").shown(), list[Body]()
    while page["more"]:
        found += page["matches"]
        page = house.web.get(f"/matches?player={ann.id}&status=live&cursor={page['next']}").shown()
    assert [row["match_id"] for row in found + page["matches"]] == [made]


@pytest.mark.parametrize("query", ["cursor=x", "cursor=1", "cursor=1.", "min_version=x", "min_version=0a:1", "limit=0"])
def test_what_is_no_cursor_or_version_cannot_be_read(house: House, follow: Follow, query: str) -> None:
    assert house.web.get(f"/matches?{query}").status == 400


def test_counts_are_of_what_the_viewer_may_see_of_the_game_and_player_asked_for(house: House, follow: Follow) -> None:
    ann, bob = house.players(2)
    started = open_one(ann)
    open_one(ann, game="territories")
    open_one(ann, private=True)
    open_one(bob, private=True, game="territories")
    bob.post(f"/matches/{started}/seats", {}).done()
    follow()
    for who, query, opened, live in (
        (house.web, "", 1, 1),
        (house.web, "?game=blockers", 0, 1),
        (house.web, f"?player={ann.id}", 1, 1),
        (house.web, f"?player={bob.id}", 0, 1),
        (house.web, f"?player={bob.id}&game=territories", 0, 0),
        (house.web, "?player=nobody", 0, 0),
        (ann, "", 2, 1),
        (ann, "?status=live", 2, 1),
        (ann, "?game=blockers", 1, 1),
        (ann, f"?player={ann.id}", 2, 1),
        (ann, f"?player={ann.id}&game=blockers", 1, 1),
        (ann, f"?player={bob.id}", 0, 1),
        (bob, "", 2, 1),
        (bob, f"?player={bob.id}", 1, 1),
        (bob, f"?player={ann.id}", 1, 1),
    ):
        none = dict.fromkeys(("frozen", "finished", "void"), 0)
        assert who.get(f"/matches{query}").shown()["counts"] == {"open": opened, "live": live} | none, query


def test_counts_are_as_many_as_are_listed_whatever_becomes_of_a_match(house: House, follow: Follow) -> None:
    ann, bob, cat = house.players(3)
    private = ann.post("/matches", {"game": "blockers", "seats": 3, "private": True, "arbiter": cat.id}).done()
    path, invite = f"/matches/{private['match_id']}", {"Foldtable-Invite": private["invite"]}
    public = open_one(ann)
    steps: list[Callable[[], Any]] = [
        lambda: bob.post(f"{path}/seats", {}, invite).done(),
        lambda: bob.delete(f"{path}/seats/1").done(),
        lambda: bob.post(f"/matches/{public}/seats", {}).done(),
        lambda: bob.post(f"/matches/{public}/resign", {}).done(),
        lambda: ann.delete(f"{path}/seats/0").done(),
    ]
    for step in steps:
        step()
        follow()
        for who in (ann, bob, cat, house.web):
            for query in ("?", f"?player={ann.id}&", f"?player={bob.id}&", "?game=blockers&"):
                counts = who.get(f"/matches{query}").shown()["counts"]
                for status, count in counts.items():
                    assert count == len(listed(who, f"{query}status={status}"))


def test_a_private_match_is_in_no_list_of_whoever_does_not_belong_to_it(house: House, follow: Follow) -> None:
    ann, bob, eve = house.players(3)
    opened = ann.post("/matches", {"game": "blockers", "seats": 2, "private": True}).done()
    bob.post(f"/matches/{opened['match_id']}/seats", {}, {"Foldtable-Invite": opened["invite"]}).done()
    follow()
    for who in (house.web, eve):
        for query in ("", "?status=live", f"?player={ann.id}", "?game=blockers"):
            assert listed(who, query) == []
        assert who.get(f"/players/{ann.id}/matches").shown()["matches"] == []
    for who in (ann, bob):
        assert listed(who, f"?player={ann.id}") == [opened["match_id"]]
        assert [row["match_id"] for row in who.get(f"/players/{bob.id}/matches").shown()["matches"]] == [
            opened["match_id"]
        ]


def test_a_list_waits_for_what_an_action_has_answered(house: House, follow: Follow) -> None:
    ann = house.players(1)[0]
    made = open_one(ann)
    worker = Timer(0.1, follow)
    worker.start()
    body = ann.get(f"/matches?min_version={made}:1").shown()
    worker.join()
    assert body["fresh"]
    assert [row["match_id"] for row in body["matches"]] == [made]


def test_a_list_that_waited_long_enough_answers_what_it_has_and_says_so(
    house: House, follow: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "WAIT_SECONDS", 0.05)
    ann, eve = house.players(2)
    known, unknown, private = open_one(ann), "00" + "a" * 14, open_one(ann, private=True)
    follow()
    for who, waited_for, fresh in (
        (eve, f"{known}:1", True),
        (eve, f"{known}:2", False),
        (eve, f"{unknown}:1", False),
        (eve, f"{private}:1", False),
        (ann, f"{private}:1", True),
    ):
        body = who.get(f"/matches?min_version={waited_for}").shown()
        assert (body["fresh"], known in [row["match_id"] for row in body["matches"]]) == (fresh, True)


@pytest.mark.parametrize(
    "path", ["/players/ANN/matches", "/players/ANN", "/leaderboards/blockers", "/games/blockers/statistics"]
)
def test_everything_across_matches_waits_for_what_an_action_has_answered(
    house: House, follow: Follow, ending: Table, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    ann, bob = ending.players
    follow()
    path = path.replace("ANN", ann.id)
    known = f"{ending.match_id}:{ending.took(bob.post(f'{ending.path}/resign', {}))['version']}"
    before = house.web.get(path).shown()
    worker = Timer(0.1, follow)
    worker.start()
    after = house.web.get(f"{path}?min_version={known}").shown()
    worker.join()
    assert before["fresh"]
    assert after["fresh"]
    assert before != after
    assert after == house.web.get(path).shown()
    monkeypatch.setattr(lists, "WAIT_SECONDS", 0.02)
    match_id, _colon, version = known.partition(":")
    assert not house.web.get(f"{path}?min_version={match_id}:{int(version) + 1}").shown()["fresh"]
    assert house.web.get(f"{path}?min_version={match_id}").status == 400


def test_what_is_in_no_rating_is_known_to_them_all_the_same(house: House, follow: Follow) -> None:
    ann = house.players(1)[0]
    made = open_one(ann)
    follow()
    assert house.web.get(f"/leaderboards/blockers?min_version={made}:1").shown()["fresh"]


def test_without_a_worker_the_log_says_what_it_knows(house: House) -> None:
    ann, eve = house.players(2)
    made = open_one(ann, private=True)
    for who, version, fresh in ((ann, 1, True), (ann, 2, False), (eve, 1, False)):
        assert who.get(f"/matches?min_version={made}:{version}").shown()["fresh"] == fresh


def test_without_a_worker_the_lobby_is_read_from_the_log(house: House) -> None:
    ann = house.players(1)[0]
    made = open_one(ann)
    body = house.web.get("/matches").shown()
    assert [row["match_id"] for row in body["matches"]] == [made]
    assert body["counts"] is None


def test_without_a_worker_what_only_it_makes_is_not_ready(house: House) -> None:
    ann = house.players(1)[0]
    for path in (f"/players/{ann.id}", f"/players/{ann.id}/matches", "/leaderboards/blockers"):
        ann.get(path).refused(503, "not_ready")


# -- players ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def ending(house: House, follow: Follow) -> Table:
    """A rated match that is about to end."""
    table = house.table("blockers", 2, undo="consent")
    table.play_on(4)
    follow()
    return table


def test_a_history_tells_result_opponents_and_what_was_asked(house: House, follow: Follow, ending: Table) -> None:
    loser, winner = ending.players
    ending.took(loser.post(f"{ending.path}/resign", {}))
    follow()
    (row,) = winner.get(f"/players/{winner.id}/matches").shown()["matches"]
    assert (row["status"], row["reason"], row["rated"], row["turns"]) == ("finished", "resigned", True, 4)
    assert [(seat["name"], seat["result"]) for seat in row["seats"]] == [("Ann", "lost"), ("Bob", "won")]
    assert all(seat["undo"] == {"asked": 0, "granted": 0, "declined": 0, "free": 0} for seat in row["seats"])


def test_a_rated_match_moves_its_players_on_the_leaderboard(house: House, follow: Follow, ending: Table) -> None:
    loser, winner = ending.players
    assert house.web.get("/leaderboards/blockers").shown()["players"] == []
    ending.took(loser.post(f"{ending.path}/resign", {}))
    follow()
    rows = house.web.get("/leaderboards/blockers").shown()["players"]
    assert [(row["place"], row["name"], row["matches"]) for row in rows] == [(1, "Bob", 1), (2, "Ann", 1)]
    (rating,) = house.web.get(f"/players/{winner.id}").shown()["ratings"]
    assert rating == {name: value for name, value in rows[0].items() if name not in ("name", "player_id")}
    body = house.web.get("/leaderboards/blockers?limit=1").shown()
    assert body["more"]
    assert house.web.get("/leaderboards/blockers?after=1").shown()["players"] == rows[1:]


def test_a_match_whose_host_may_return_anywhere_is_not_rated(house: House, follow: Follow) -> None:
    table = house.table("blockers", 2, undo="host")
    table.took(table.host.post(f"{table.path}/resign", {}))
    follow()
    assert house.web.get("/leaderboards/blockers").shown()["players"] == []


def test_a_voided_result_is_taken_out_of_ratings_and_statistics_again(house: House, follow: Follow) -> None:
    ann, bob, judge = house.players(3)
    opened = ann.post("/matches", {"game": "blockers", "seats": 2, "arbiter": judge.id}).done()
    path = f"/matches/{opened['match_id']}"
    started = bob.post(f"{path}/seats", {}).done()
    ann.post(f"{path}/resign", {}).done()
    follow()
    assert len(house.web.get("/leaderboards/blockers").shown()["players"]) == 2
    ann.post(f"{path}/disputes", {"version": started["version"], "reason": "The deal was odd."}).done()
    judge.post(f"{path}/disputes/1/ruling", {"ruling": "void", "reason": "It was."}).done()
    follow()
    assert house.web.get("/leaderboards/blockers").shown()["players"] == []
    assert house.web.get(f"/players/{bob.id}").shown()["ratings"] == []
    assert house.web.get("/games/blockers/statistics").shown()["matches"] == 0
    (row,) = bob.get(f"/players/{bob.id}/matches").shown()["matches"]
    assert (row["status"], {seat["result"] for seat in row["seats"]}) == ("void", {None})


def test_an_arbiter_has_a_private_match_in_the_lobby(house: House, follow: Follow) -> None:
    ann, judge = house.players(2)
    made = open_one(ann, private=True, arbiter=judge.id)
    follow()
    assert listed(judge) == listed(ann) == [made]
    assert listed(house.web) == []


def test_statistics_count_finished_matches_by_how_they_went(house: House, follow: Follow, ending: Table) -> None:
    assert house.web.get("/games/blockers/statistics").shown()["matches"] == 0
    ending.took(ending.host.post(f"{ending.path}/resign", {}))
    follow()
    body = house.web.get("/games/blockers/statistics").shown()
    assert (body["matches"], body["mean_turns"], body["reasons"]) == (1, 4, {"resigned": 1})
    assert body["by_seats"] == [
        {
            "seats": 2,
            "matches": 1,
            "by_seat": [{"seat": 0, "wins": 0, "rate": 0.0}, {"seat": 1, "wins": 1, "rate": 1.0}],
        }
    ]


def test_who_is_forgotten_has_no_name_anywhere_and_no_hash_changes(house: House, follow: Follow, ending: Table) -> None:
    ann, bob = ending.players
    ending.took(ann.post(f"{ending.path}/resign", {}))
    follow()
    assert ann.delete("/players/me").shown() == {"player_id": ann.id}
    ann.get(ending.path).refused(401, "unauthenticated")
    assert house.web.get(f"/players/{ann.id}").shown()["name"] is None
    for path in (
        "/matches",
        f"/players/{ann.id}",
        f"/players/{ann.id}/matches",
        f"/players/{bob.id}/matches",
        "/leaderboards/blockers",
        ending.path,
    ):
        answer = house.web.get(path)
        assert answer.status == 200
        assert b"Ann" not in answer.data
        assert ann.id.encode() in answer.data
    assert b"Ann" not in house.web.get(f"{ending.path}/log").data
    assert house.web.get(f"{ending.path}/audit").shown()["ok"]


class Leaver:
    """Ann, who leaves the house while she sits at matches in all ways there are."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.ann, self.bob, self.cat = house.players(3)
        ann, bob = self.ann, self.bob
        self.hosted, self.running = open_one(ann), open_one(bob)
        self.joined = open_one(bob, seats=3)
        self.private = open_one(ann, private=True, arbiter=self.cat.id)
        for match_id in (self.joined, self.running):
            ann.post(f"/matches/{match_id}/seats", {}).done()
        views = house.parts.views
        assert views is not None
        matches = Matches(house.parts.store, catalogue(), SystemClock(), house.parts.entropy, MatchCache(100))
        self.vacating = Vacating(matches, views)

    def statuses(self) -> list[str]:
        mine = (self.hosted, self.private, self.joined, self.running)
        return [str(self.cat.get(f"/matches/{match_id}").shown()["status"]) for match_id in mine]

    def vacate(self, later: int = 0) -> int:
        """Looks now, or so many milliseconds later."""
        vars(self.vacating)["_looked"] = 0.0
        return self.vacating.go_on(time.time_ns() // 1_000_000 + SLACK_MS + 1 + later)


def test_who_leaves_the_house_leaves_what_has_not_begun(house: House, follow: Follow) -> None:
    at = Leaver(house)
    assert at.ann.delete("/players/me").shown() == {"player_id": at.ann.id}
    at.ann.delete("/players/me").refused(401, "unauthenticated")
    follow()
    assert at.vacate() == 3
    assert at.statuses() == ["void", "void", "open", "live"]
    at.cat.post(f"/matches/{at.hosted}/seats", {}).refused(409, "not_open")
    seats = [seat["player_id"] for seat in house.web.get(f"/matches/{at.joined}").shown()["seats"]]
    assert seats == [at.bob.id, None, None]
    assert house.web.get(f"/matches/{at.hosted}/audit").shown()["ok"]
    assert b"Ann" not in house.web.get(f"/matches/{at.hosted}/log").data


def test_however_many_leave_all_are_seen_to(house: House, follow: Follow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vacating, "AT_ONCE", 2)
    at = Leaver(house)
    hosts = house.players(4)
    for host in (*hosts, at.ann):
        open_one(host)
        host.delete("/players/me").shown()
    follow()
    assert [at.vacate() for _look in range(4)] == [2, 2, 4, 0]
    assert [at.vacate(AGAIN_MS) for _look in range(4)] == [0, 0, 0, 0]
    views = house.parts.views
    assert views is not None
    assert not views.client.exists(LEAVING)


def test_what_the_lists_do_not_know_yet_is_left_later(house: House, follow: Follow) -> None:
    """The lists know everything until somebody left, or the leaver waits; and all is looked through once more in the end."""
    at = Leaver(house)
    at.ann.delete("/players/me").shown()
    assert at.vacating.go_on(time.time_ns() // 1_000_000 - 5000) == 0
    follow()
    assert at.vacate() == 3
    late = open_one(at.bob, seats=3)
    forged = Request(Caller(at.ann.id, ""))
    build_service(house.parts, catalogue()).matches.execute(late, forged, lambda _match: Join(None, ""))
    follow()
    assert at.vacate() == 0
    assert at.vacate(AGAIN_MS) == 1
    assert at.vacate(AGAIN_MS) == 0
    views = house.parts.views
    assert views is not None
    assert not views.client.exists(LEAVING)


def test_lists_that_hold_something_else_are_no_fault_of_a_match(
    house: House, follow: Follow, ending: Table, fake: Backend
) -> None:
    follow()
    assert fake.client is not None
    for name in ("lobby", "history", "ratings", "statistics"):
        for key in cast(list[bytes], fake.client.keys(f"{{views}}:{name}:1:*")):
            fake.client.delete(key)
            fake.client.set(key, "x")
    fake.client.set("{views}:ratings:1:board:blockers", "x")
    fake.client.set("{views}:statistics:1:t:blockers", "x")
    ann = ending.host.id
    for path in (
        "/matches",
        f"/players/{ann}/matches",
        f"/players/{ann}",
        "/leaderboards/blockers",
        "/games/blockers/statistics",
    ):
        house.web.get(path).refused(500, "lists_damaged")
    assert house.web.get(ending.path).status == 200


def test_an_audit_tells_that_a_log_has_lost_its_end(house: House, follow: Follow, ending: Table, fake: Backend) -> None:
    ending.play_on(4)
    follow()
    assert house.web.get(f"{ending.path}/audit").shown()["ok"]
    assert fake.client is not None
    fake.client.xdel(stream_key(ending.match_id), f"{ending.version}-0")
    told = house.web.get(f"{ending.path}/audit").shown()
    assert (told["ok"], told["fault"], told["first_bad_version"]) == (False, "truncated", ending.version)


def test_a_player_that_there_is_not_is_not_found(house: House, follow: Follow) -> None:
    for path in ("/players/nobody", "/players/nobody/matches", "/players/%2e%2e"):
        house.web.get(path).refused(404, "player_not_found")
    house.web.get("/leaderboards/chess").refused(404, "game_not_found")
    house.web.get("/games/chess/statistics").refused(404, "game_not_found")
