"""Helpers that project matches: the games, what a projector makes of a log, and a crash in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import redis

from domain.games import all_games
from domain.store import SHARDS, Entry
from projections import REVISIONS
from service.adapters.redis.readmodels import RedisReadModels
from service.adapters.redis.store import RedisStore
from service.ports.readmodels import Batch, Lease
from tests.support import toy
from tests.support.playing import Playing, Setup, played, played_with_returns
from tests.support.views import let_expire, read_models, worker

GAMES = all_games() | {toy.GAME.id: toy.GAME}


EVERYTHING = set(range(SHARDS))


LEASE_MS = 60_000


@cache
def playings() -> tuple[Playing, ...]:
    """Rated, unrated, with undo and redo, of two games, some unfinished."""
    blockers = GAMES["blockers"]
    return (
        *(played(Setup(toy.GAME, 2 + seed % 2, toy.Options(), seed, undo="consent")) for seed in range(4)),
        *(played_with_returns(Setup(toy.GAME, 3, toy.Options(), seed)) for seed in (4, 68)),
        played(Setup(blockers, 3, blockers.options(), 5, undo="consent"), limit=20),
        played(Setup(blockers, 2, blockers.options(), 6, undo="consent")),
    )


class Crash(BaseException):
    """The process is gone."""


class Crashing:
    """Counts what happens and ends it all at some point."""

    def __init__(self, after: int) -> None:
        self.left = after

    def passes(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Crash


class CrashingStore(RedisStore):
    def __init__(self, client: redis.Redis, crashing: Crashing) -> None:
        super().__init__(client)
        self._crashing = crashing

    def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        self._crashing.passes()
        return super().read(match_id, after, limit)

    def read_each(self, after: Mapping[str, int], limit: int) -> Mapping[str, Sequence[Entry]]:
        self._crashing.passes()
        return super().read_each(after, limit)


class CrashingViews(RedisReadModels):
    def __init__(self, client: redis.Redis, crashing: Crashing) -> None:
        super().__init__(client, REVISIONS)
        self._crashing = crashing

    def write(self, lease: Lease, batch: Batch) -> None:
        """Before the write, or after it."""
        self._crashing.passes()
        super().write(lease, batch)
        self._crashing.passes()


def work(client: redis.Redis, crash_after: int | None = None) -> None:
    """One life of a worker: until it is done, or gone. Its lease is gone with it."""
    crashing = Crashing(10**9 if crash_after is None else crash_after)
    store, views = CrashingStore(client, crashing), CrashingViews(client, crashing)
    lease = read_models(client).claim("projector", LEASE_MS)
    assert lease is not None
    try:
        worker(client, store, views, GAMES, lease).step(EVERYTHING)
    except Crash:
        pass
    finally:
        let_expire(client, lease)
