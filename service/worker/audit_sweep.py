"""The audit of everything, in the background: match after match, round and round, in the worker's idle time.

Every command is decided again, too; the worker's other work waits for one commit of it at most.

``{views}:audit:at`` match → when it was verified last (ms), ``{views}:audit:failed`` match → what is wrong.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgpack

from domain.game import AnyGame
from domain.store import SHARDS, Store
from replay.audit import Fault
from service.adapters.redis.readmodels import ROOT, Batch, Lease, RedisViews, packed, viewing
from service.integrity.audit import audit_stored

DAY_MS = 86_400_000
AGAIN_MS = DAY_MS // 2
"""A match that was verified within so long is left out, so that a small log is not verified all the time."""
FAILED_AGAIN_MS = 10 * 60_000
"""The same of one that did not hold, so that a mended one is soon told no more."""

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
    with viewing():
        verified: Any = views.client.zcount(AT, _now() - DAY_MS, "+inf")
        failed: Any = views.client.hgetall(FAILED)
    return Figures(verified, {match_id.decode(): _finding(fault) for match_id, fault in failed.items()})


def _finding(data: bytes) -> Any:
    try:
        version, kind, message = msgpack.unpackb(data)
    except (ValueError, TypeError, msgpack.UnpackException):
        return [1, "unreadable", "What the audit found cannot be read."]
    return [version, kind, message]


class Sweep:
    """Where the round is, is known to this process only; what was verified lately, to the next one too."""

    def __init__(self, store: Store, views: RedisViews, games: Mapping[str, AnyGame]) -> None:
        self._store = store
        self._views = views
        self._games = games
        self._work = self._rounds()
        self._rests_until = 0.0

    def go_on(self, lease: Lease, seconds: float) -> int:
        """Verifies for about so long at most, in the middle of a match if need be. How many matches came to their end."""
        end, count = time.monotonic() + seconds, 0
        while self._rests_until <= time.monotonic() < end:
            done = next(self._work)
            if done is not None:
                self._views.write(lease, _noted(*done))
                count += 1
        return count

    def _rounds(self) -> Iterator[tuple[str, Fault | None] | None]:
        """For ever: each match whose audit has come to its end with what is wrong; ``None`` wherever it may be left."""
        while True:
            for shard in range(SHARDS):
                since = 0
                while rows := self._store.changes(shard, since, PAGE):
                    yield None
                    for match_id in self._due_of([row.match_id for row in rows]):
                        yield from self._audited(match_id)
                    since = rows[-1].at
            self._rests_until = time.monotonic() + REST_SECONDS
            yield None

    def _audited(self, match_id: str) -> Iterator[tuple[str, Fault | None] | None]:
        found = None
        known = self._views.known_version(match_id)  # before the log is read, for it may grow meanwhile
        for fault in audit_stored(self._store, self._games, match_id, known):
            found = fault
            yield None
        yield match_id, found

    def _due_of(self, ids: Sequence[str]) -> list[str]:
        with viewing():
            when: Any = self._views.client.zmscore(AT, list(ids))
            failed: Any = self._views.client.hmget(FAILED, list(ids))
        now = _now()
        due = {False: now - AGAIN_MS, True: now - FAILED_AGAIN_MS}
        rows = zip(ids, when, failed, strict=True)
        return [match_id for match_id, at, fault in rows if at is None or at < due[fault is not None]]


def _noted(match_id: str, fault: Fault | None) -> Batch:
    batch = Batch()
    batch.rank(AT, match_id, _now())
    if fault is None:
        batch.drop(FAILED, match_id)
    else:
        _log.error("audit: match %s: version %s: %s", match_id, fault.version, fault.message)
        batch.put(FAILED, match_id, packed([fault.version, fault.kind, fault.message]))
    return batch


def _now() -> int:
    return time.time_ns() // 1_000_000
