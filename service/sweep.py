"""The audit of everything, in the background: match after match, round and round, in the worker's idle time.

``{views}:audit:at`` match → when it was verified last (ms), ``{views}:audit:failed`` match → what is wrong.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgpack

from domain import wire
from domain.game import AnyGame
from domain.store import SHARDS, Entry, Store
from replay.audit import Fault, verify
from service.adapters.redis_store import answering
from service.adapters.redis_views import ROOT, Batch, Lease, RedisViews, packed

DAY_MS = 86_400_000
AGAIN_MS = DAY_MS // 2
"""A match that was verified within so long is left out, so that a small log is not verified all the time."""

REST_SECONDS = 60.0
PAGE = 100

AT, FAILED = f"{ROOT}:audit:at", f"{ROOT}:audit:failed"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Figures:
    verified: int
    """Matches of the last day."""
    failed: Mapping[str, Any]
    """Match → version, kind and message of the first fault."""


def figures(views: RedisViews) -> Figures:
    with answering():
        verified: Any = views.client.zcount(AT, _now() - DAY_MS, "+inf")
        failed: Any = views.client.hgetall(FAILED)
    return Figures(verified, {match_id.decode(): msgpack.unpackb(fault) for match_id, fault in failed.items()})


class Sweep:
    """Where the round is, is known to this process only; what was verified lately, to the next one too."""

    def __init__(self, store: Store, views: RedisViews, games: Mapping[str, AnyGame]) -> None:
        self._store = store
        self._views = views
        self._games = games
        self._shard, self._since = 0, 0
        self._due: deque[str] = deque()
        self._rests_until = 0.0

    def go_on(self, lease: Lease, seconds: float) -> int:
        """Verifies for about so long at most. How many matches."""
        end, count = time.monotonic() + seconds, 0
        while time.monotonic() < end and self._look():
            if self._due:
                batch = Batch()
                self._verify(self._due.popleft(), batch)
                self._views.write(lease, batch)
                count += 1
        return count

    def _look(self) -> bool:
        """Looks for matches that are due; whether to go on. A round that is over is followed by a rest."""
        if self._due or time.monotonic() < self._rests_until:
            return bool(self._due)
        rows = self._store.changes(self._shard, self._since, PAGE)
        self._due.extend(self._due_of([row.match_id for row in rows]))
        if len(rows) == PAGE:
            self._since = rows[-1].at
            return True
        self._shard, self._since = (self._shard + 1) % SHARDS, 0
        if self._shard == 0:
            self._rests_until = time.monotonic() + REST_SECONDS
        return True

    def _due_of(self, ids: Sequence[str]) -> list[str]:
        if not ids:
            return []
        with answering():
            when: Any = self._views.client.zmscore(AT, list(ids))
        oldest = _now() - AGAIN_MS
        return [match_id for match_id, at in zip(ids, when, strict=True) if at is None or at < oldest]

    def _verify(self, match_id: str, batch: Batch) -> None:
        fault = self._fault(match_id)
        batch.rank(AT, match_id, _now())
        if fault is None:
            batch.drop(FAILED, match_id)
            return
        _log.error("audit: match %s: version %s: %s", match_id, fault.version, fault.message)
        batch.put(FAILED, match_id, packed([fault.version, fault.kind, fault.message]))

    def _fault(self, match_id: str) -> Fault | None:
        entries = self._store.read(match_id)
        game = self._games.get(wire.game_of(entries[0])) if entries and _names_a_game(entries[0]) else None
        faults = verify(match_id, game, entries, self._store.seed(match_id) or b"")
        return next((fault for fault in faults if fault is not None), None)


def _names_a_game(first: Entry) -> bool:
    try:
        wire.game_of(first)
    except wire.Unreadable:
        return False
    return True


def _now() -> int:
    return time.time_ns() // 1_000_000
