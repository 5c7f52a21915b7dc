"""The lobby over HTTP: filters, pages, counts, and what is private."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.readmodels import queries
from tests.support.house import House
from tests.support.http import Body, move_and_resign
from tests.support.queries import Follow, listed, open_one


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
    move_and_resign(made["over"], ann, bob)
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
    monkeypatch.setattr(queries, "LOOKED_AT", 2)
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


def test_an_arbiter_has_a_private_match_in_the_lobby(house: House, follow: Follow) -> None:
    ann, judge = house.players(2)
    made = open_one(ann, private=True, arbiter=judge.id)
    judge.post(f"/matches/{made}/arbiter").done()
    follow()
    assert listed(judge) == listed(ann) == [made]
    assert listed(house.web) == []


def test_a_match_from_a_position_says_so_wherever_it_is_shown(house: House, follow: Follow) -> None:
    ann, bob = house.players(2)
    usual = house.table("territories", 2)
    usual.play_on(6)
    state = usual.host.get(usual.path).shown()["state"]
    opened = open_one(ann, game="territories", position=state)
    bob.post(f"/matches/{opened}/seats", {}).done()
    follow()
    for path, told in ((f"/matches/{opened}", True), (usual.path, False)):
        assert house.web.get(path).shown()["from_position"] is told
    rows = {row["match_id"]: row["from_position"] for row in house.web.get("/matches").shown()["matches"]}
    assert rows == {opened: True, usual.match_id: False}
    (played,) = house.web.get(f"/players/{bob.id}/matches").shown()["matches"][:1]
    assert played["from_position"] is True
    first = house.web.get(f"/matches/{opened}/log").shown()["commits"][0]["sentence"]
    assert first.endswith("that starts from a position. Ann takes seat 0.")
