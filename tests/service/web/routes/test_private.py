"""Private matches: for whoever may not know of one there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.house import House
from tests.support.http import Headers, Player, Table, table
from tests.support.scene import sent

UNKNOWN = "00aaaaaaaaaaaaaa"

REQUESTS: list[tuple[str, str, Any]] = [
    ("GET", "", None),
    ("HEAD", "", None),
    ("GET", "/moves", None),
    ("GET", "/log", None),
    ("GET", "/log?after=0&limit=1", None),
    ("GET", "/replay", None),
    ("GET", "/replay?mode=played", None),
    ("GET", "/replay/1", None),
    ("GET", "/replay/999", None),
    ("GET", "/replay/1?as=0", None),
    ("GET", "/replay/1?as=7", None),
    ("GET", "/undo", None),
    ("GET", "/undo?to=1", None),
    ("GET", "/audit", None),
    ("POST", "/seats", {}),
    ("POST", "/seats", {"seat": 1}),
    ("POST", "/seats", {"seat": 99}),
    ("POST", "/moves", {"move": {"type": "pass"}}),
    ("POST", "/moves", {"move": {"type": "castle"}}),
    ("POST", "/resign", {}),
    ("POST", "/undo", {}),
    ("POST", "/undo", {"to": 1}),
    ("POST", "/redo", {}),
    ("POST", "/redo", {"to": 1}),
    ("DELETE", "/seats/0", None),
    ("DELETE", "/seats/9", None),
]

EXTRAS: list[Headers] = [
    {},
    {"If-Match": '"1"'},
    {"If-Match": '"99"'},
    {"If-None-Match": "*"},
    {"Idempotency-Key": "k"},
    {"Foldtable-Invite": "guess"},
    {"Foldtable-Invite": ""},
    {"Foldtable-Invite": "é"},
    {"Accept": "application/msgpack"},
]


@dataclass(frozen=True)
class Secluded:
    house: House
    running: Table
    opened: str
    ended: Table
    invites: dict[str, str]
    stranger: Player

    @property
    def match_ids(self) -> list[str]:
        return [self.running.match_id, self.opened, self.ended.match_id]


@pytest.fixture(scope="module")
def secluded(quiet: House) -> Secluded:
    running, ended = (quiet.table("blockers", private=True) for _ in range(2))
    running.play_on(2)
    ended.give_up()
    opened = running.host.post("/matches", {"game": "blockers", "seats": 2, "private": True}).done()
    invites = {opened["match_id"]: opened["invite"]}
    invites |= {made.match_id: made.answers[1]["invite"] for made in (running, ended)}
    return Secluded(quiet, running, opened["match_id"], ended, invites, quiet.web.enter("Zoe"))


@pytest.mark.parametrize("extra", EXTRAS, ids=str)
def test_for_a_stranger_it_is_as_a_match_that_there_is_not(secluded: Secluded, extra: Headers) -> None:
    before = secluded.house.dump()
    for who in (secluded.stranger, secluded.house.web):
        for method, part, body in REQUESTS:
            nothing = sent(who, method, f"/matches/{UNKNOWN}{part}", body, extra)
            if method != "HEAD":
                needs_token = method != "GET" or part.partition("?")[0] in ("/moves", "/undo")
                known = who is secluded.stranger or not needs_token
                nothing.refused(*((404, "match_not_found") if known else (401, "unauthenticated")))
            for match_id in secluded.match_ids:
                answer = sent(who, method, f"/matches/{match_id}{part}", body, extra)
                assert (answer.status, answer.headers, answer.data) == (nothing.status, nothing.headers, nothing.data)
    assert secluded.house.dump() == before


def test_the_invite_of_one_match_is_none_for_another(secluded: Secluded) -> None:
    for match_id in secluded.match_ids:
        for other, invite in secluded.invites.items():
            answer = secluded.stranger.get(f"/matches/{match_id}", {"Foldtable-Invite": invite})
            assert answer.status == (200 if match_id == other else 404)


def test_with_the_invite_one_looks_at_all_of_it(secluded: Secluded) -> None:
    invited = {"Foldtable-Invite": secluded.invites[secluded.running.match_id]}
    for who in (secluded.stranger, secluded.house.web):
        for part in ("", "/log", "/replay", "/replay/1", "/audit"):
            body = who.get(secluded.running.path + part, invited).shown()
            assert b"invite" not in str(body).encode()
    secluded.stranger.get(f"{secluded.running.path}/moves", invited).refused(403, "not_seated")


def test_it_is_listed_to_those_who_sit_there_only(secluded: Secluded) -> None:
    invited = {"Foldtable-Invite": secluded.invites[secluded.opened]}
    for who in (secluded.stranger, secluded.house.web):
        assert who.get("/matches", invited).shown()["matches"] == []
    listed = secluded.running.host.get("/matches").shown()["matches"]
    assert {row["match_id"] for row in listed} == {secluded.running.match_id, secluded.opened}
    assert all(row["private"] for row in listed)


def test_with_the_invite_one_takes_a_seat_and_needs_it_no_more(house: House) -> None:
    players = house.players(3)
    opened = players[0].post("/matches", {"game": "highest_card", "seats": 3, "private": True}).done()
    path = f"/matches/{opened['match_id']}"
    players[1].post(f"{path}/seats", {}).refused(404, "match_not_found")
    players[1].post(f"{path}/seats", {}, {"Foldtable-Invite": opened["invite"]}).done()
    players[1].get(path).shown()
    left = players[1].delete(f"{path}/seats/1").done()
    assert left["events"] == [{"type": "left", "seat": 1}]
    players[1].get(path).refused(404, "match_not_found")


def test_a_private_match_is_played_like_any_other(small: House) -> None:
    made = small.table("highest_card", private=True)
    made.play_to_end()
    small.web.get(made.path).refused(404, "match_not_found")
    assert made.host.get(f"{made.path}/audit").shown()["ok"]


def test_a_public_match_has_no_invite(small: House) -> None:
    made = small.table("highest_card")
    assert all("invite" not in answer for answer in made.answers.values())


def test_the_invite_does_not_give_away_the_seed(small: House) -> None:
    made = table(small.players(2), "highest_card", private=True)
    made.give_up()
    audit = made.host.get(f"{made.path}/audit").shown()
    assert made.answers[1]["invite"].encode().hex() not in audit["seed"]
    assert len(made.answers[1]["invite"]) == 16
