"""Audits all matches in the background, round after round, in the worker's idle time.

Every command is also decided again. The worker's other work waits for one short slice of the audit at most.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence

from domain.errors import NewerReleaseError
from domain.game import AnyGame
from domain.store import SHARDS, Store
from replay.audit import Fault
from service.integrity.audit import audit_stored
from service.ports import Clock
from service.ports.readmodels import Batch, Lease, ReadModels, packed
from service.readmodels.audit_results import DAY_MS
from service.worker.schedule import Monotonic

AGAIN_MS = DAY_MS // 2
"""The time after which a match is verified again, so that a small log is not verified all the time."""
FAILED_AGAIN_MS = 10 * 60_000
"""The shorter time for a match whose audit failed, so that a repaired one is soon no longer reported."""

REST_SECONDS = 60.0
"""The pause between two rounds."""
PAGE = 100

_log = logging.getLogger(__name__)

Completed = tuple[str, Fault | None]
"""A match whose audit is complete, and its fault."""


class AuditSweep:
    """One sweep. Its position in the round is known to this process only; recent results are stored, so the next worker
    goes on with the matches that are due.
    """

    def __init__(
        self, store: Store, views: ReadModels, games: Mapping[str, AnyGame], clock: Clock, monotonic: Monotonic
    ) -> None:
        self._store = store
        self._views = views
        self._games = games
        self._clock = clock
        self._monotonic = monotonic
        self._round = self._round_of_all()
        self.rest: float | None = None
        """Seconds until the next step is due; ``None`` in the middle of a round."""

    def step(self, lease: Lease, seconds: float) -> int:
        """Verifies for about ``seconds``, stopping in the middle of a match if need be. Returns the number of completed matches.

        Raises ``FencedError`` and ``UnavailableError``.
        """
        end, count, self.rest = self._monotonic() + seconds, 0, None
        while self._monotonic() < end:
            try:
                done = next(self._round)
            except StopIteration:
                self._round, self.rest = self._round_of_all(), REST_SECONDS
                break
            if done is not None:
                self._views.write(lease, self._noted(*done))
                count += 1
        return count

    def _round_of_all(self) -> Iterator[Completed | None]:
        """Yields each match that was due, and ``None`` wherever the work may be interrupted."""
        for shard in range(SHARDS):
            since = 0
            while rows := self._store.changes(shard, since, PAGE):
                yield None
                for match_id in self._due_of([row.match_id for row in rows]):
                    yield from self._audited(match_id)
                since = rows[-1].at

    def _audited(self, match_id: str) -> Iterator[Completed | None]:
        found = None
        known = self._views.known_version(match_id)  # before the log is read, which may grow in between
        try:
            for fault in audit_stored(self._store, self._games, match_id, known):
                found = fault
                yield None
        except NewerReleaseError:
            return  # Not a finding: a newer worker audits it.
        yield match_id, found

    def _due_of(self, ids: Sequence[str]) -> list[str]:
        now = self._clock.now()
        due = {False: now - AGAIN_MS, True: now - FAILED_AGAIN_MS}
        rows = zip(ids, self._views.audited(ids), strict=True)
        return [match_id for match_id, (at, failed) in rows if at is None or at < due[failed]]

    def _noted(self, match_id: str, fault: Fault | None) -> Batch:
        batch = Batch()
        if fault is None:
            batch.audited(match_id, self._clock.now(), None)
        else:
            _log.error("audit failed: match %s, version %s: %s", match_id, fault.version, fault.message)
            batch.audited(match_id, self._clock.now(), packed([fault.version, fault.kind, fault.message]))
        return batch
