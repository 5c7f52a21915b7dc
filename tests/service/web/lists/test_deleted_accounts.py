"""Who leaves the house: no name anywhere, no seat at what has not begun."""

from __future__ import annotations

import time

import pytest

from domain.commands import Join
from service.adapters.redis.players import MAY_HOLD_SEATS, RedisPlayers
from service.adapters.system import SystemClock
from service.matches.cache import MatchCache
from service.matches.handler import CommandHandler, CommandRequest
from service.matches.repository import MatchRepository
from service.players.tokens import Caller
from service.web.app import build_service
from service.worker import seat_release
from service.worker.seat_release import AGAIN_MS, SLACK_MS, SeatRelease
from tests.support.backends import Backend
from tests.support.house import House, catalogue
from tests.support.http import Table
from tests.support.queries import Follow, open_one
from tests.support.seals import SEALS


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
        clock = SystemClock()
        matches = MatchRepository(house.parts.store, catalogue(), clock, MatchCache(100), SEALS)
        accounts = house.parts.players
        assert isinstance(accounts, RedisPlayers)
        self.release = SeatRelease(CommandHandler(matches, clock, house.parts.entropy), views, accounts)

    def statuses(self) -> list[str]:
        mine = (self.hosted, self.private, self.joined, self.running)
        return [str(self.cat.get(f"/matches/{match_id}").shown()["status"]) for match_id in mine]

    def vacate(self, later: int = 0) -> int:
        """Looks now, or so many milliseconds later."""
        return self.release.step(time.time_ns() // 1_000_000 + SLACK_MS + 1 + later)


def test_who_leaves_the_house_leaves_what_has_not_begun(house: House, follow: Follow) -> None:
    at = Leaver(house)
    assert at.ann.delete("/players/me").shown() == {"player_id": at.ann.id}
    at.ann.delete("/players/me").refused(401, "unauthenticated")
    follow()
    assert at.vacate() == 4
    assert at.statuses() == ["void", "void", "open", "void"]
    at.cat.post(f"/matches/{at.hosted}/seats", {}).refused(409, "not_open")
    seats = [seat["player_id"] for seat in house.web.get(f"/matches/{at.joined}").shown()["seats"]]
    assert seats == [at.bob.id, None, None]
    assert house.web.get(f"/matches/{at.hosted}/audit").shown()["ok"]
    assert b"Ann" not in house.web.get(f"/matches/{at.hosted}/log").data


def test_however_many_leave_all_are_seen_to(
    house: House, follow: Follow, fake: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_release, "AT_ONCE", 2)
    at = Leaver(house)
    hosts = house.players(4)
    for host in (*hosts, at.ann):
        open_one(host)
        host.delete("/players/me").shown()
    follow()
    assert [at.vacate() for _look in range(4)] == [2, 2, 5, 0]
    assert [at.vacate(AGAIN_MS) for _look in range(4)] == [0, 0, 0, 0]
    assert fake.client is not None
    assert not fake.client.exists(MAY_HOLD_SEATS)


def test_what_the_lists_do_not_know_yet_is_left_later(house: House, follow: Follow, fake: Backend) -> None:
    """The lists know everything until somebody left, or the leaver waits; and all is looked through once more in the end."""
    at = Leaver(house)
    at.ann.delete("/players/me").shown()
    assert at.release.step(time.time_ns() // 1_000_000 - 5000) == 0
    follow()
    assert at.vacate() == 4
    late = open_one(at.bob, seats=3)
    forged = CommandRequest(Caller(at.ann.id, ""))
    build_service(house.parts, catalogue()).handler.execute(late, forged, Join(None, ""))
    follow()
    assert at.vacate() == 0
    assert at.vacate(AGAIN_MS) == 1
    assert at.vacate(AGAIN_MS) == 0
    assert fake.client is not None
    assert not fake.client.exists(MAY_HOLD_SEATS)
