"""Seals the logs that older releases wrote, once: audits each of them, and signs its newest head.

When all are done this is noted, in the store and in the data folder, and logged. From then on a log without a seal is a
fault, because only this release has written since. So it begins only once matches may be opened by a protocol that no older
release knows: before that, an older process may still write.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping

from domain.errors import NewerReleaseError
from domain.game import AnyGame
from domain.store import SHARDS, DamagedError, Store
from service.integrity.audit import Audited, audit_stored
from service.integrity.heads import Sealer, SealsRequired
from service.ports import Clock
from service.worker.schedule import Monotonic

SEALED_BY = 2
"""The first protocol that only releases know which seal what they append."""
WAIT_SECONDS = 60.0
"""The pause before it looks again whether it may begin."""
DONE_SECONDS = 86_400.0
PAGE = 100

_log = logging.getLogger(__name__)


class LogSealing:
    """The sealing of all old logs, which can be interrupted at any point: what is sealed stays so."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        seals: Sealer,
        required: SealsRequired,
        clock: Clock,
        monotonic: Monotonic,
    ) -> None:
        self._store = store
        self._games = games
        self._seals = seals
        self._required = required
        self._clock = clock
        self._monotonic = monotonic
        self._pass: Iterator[None] | None = None
        self._sealed = 0

    def step(self, seconds: float) -> float:
        """Works for about ``seconds``; returns the seconds until the next step is due. Raises ``UnavailableError``."""
        if self._required():
            return DONE_SECONDS
        if self._pass is None:
            if self._store.protocol() < SEALED_BY:
                return WAIT_SECONDS
            self._pass, self._sealed = self._over_all(), 0
        end = self._monotonic() + seconds
        for _ in self._pass:
            if self._monotonic() >= end:
                return 0.0
        self._pass = None
        self._finish()
        return DONE_SECONDS

    def _finish(self) -> None:
        self._required.set(self._clock.now())
        told = _log.warning if self._sealed else _log.info
        told(
            "sealed the logs of %d matches of older releases; from now on a log without a seal is a fault", self._sealed
        )

    def _over_all(self) -> Iterator[None]:
        """Seals every log that needs it; yields wherever the work may be interrupted."""
        for shard in range(SHARDS):
            since = 0
            while rows := self._store.changes(shard, since, PAGE):
                for row in rows:
                    yield from self._seal(row.match_id)
                since = rows[-1].at

    def _seal(self, match_id: str) -> Iterator[None]:
        try:
            stored = self._store.whole(match_id)
        except DamagedError:
            return  # The sweep reports it.
        yield
        if not stored.entries:
            return
        last = stored.entries[-1]
        if self._seals.is_sealed(match_id, last.version, last.hash, stored.seal):
            return
        found: Audited | None = None
        try:
            for step in audit_stored(self._store, self._games, self._seals, match_id):
                found = step
                yield
        except NewerReleaseError:
            return
        # A log with a fault stays unsealed. If it has grown in between, whoever appended to it has sealed it.
        if found is not None and found.fault is None:
            made = self._seals.seal(match_id, last.version, last.hash)
            self._sealed += self._store.seal(match_id, last.hash, made)
