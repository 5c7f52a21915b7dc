"""Audits all matches in the background, round after round, in the worker's idle time.

Every command is also decided again. The worker's other work waits for one short slice of the audit at most. A match whose
log does not hold is put into quarantine; one that holds again is released.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from domain.errors import NewerReleaseError
from domain.game import AnyGame
from domain.store import SHARDS, Changed, DamagedError, Store, is_sharded
from replay.audit import Fault
from service.integrity.audit import Audited, audit_stored
from service.integrity.heads import SealVerifier
from service.integrity.quarantine import packed_fault, quarantine, release
from service.ports import Clock
from service.ports.readmodels import Batch, Lease, ReadModels
from service.readmodels.audit_results import DAY_MS
from service.worker.schedule import Monotonic

AGAIN_MS = DAY_MS // 2
"""The time after which a match that has not changed is verified again, so that not all are verified all the time."""
FAILED_AGAIN_MS = 10 * 60_000
"""The shorter time for a match whose audit failed, so that a repaired one is soon released."""
CLOCKS_MS = 2000
"""A match may have changed so long before its last audit without being part of it: the server's clock is another one."""

REST_SECONDS = 60.0
"""The pause between two rounds."""
LOST_SECONDS = 10 * 60.0
"""The time between two looks for matches that the read models know and the log does not."""
PAGE = 100

_log = logging.getLogger(__name__)

Completed = tuple[str, Audited | None, int]
"""A match whose audit is complete, the result, and when the audit began (ms). ``None``: there is nothing left of the match."""


class AuditSweep:
    """One sweep. Its position in the round is known to this process only; recent results are stored, so the next worker
    goes on with the matches that are due.
    """

    def __init__(
        self,
        store: Store,
        views: ReadModels,
        games: Mapping[str, AnyGame],
        seals: SealVerifier,
        clock: Clock,
        monotonic: Monotonic,
    ) -> None:
        self._store = store
        self._views = views
        self._games = games
        self._seals = seals
        self._clock = clock
        self._monotonic = monotonic
        self._round = self._round_of_all()
        self._lost_at = float("-inf")
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
                for match_id in self._due_of(rows):
                    yield from self._audited(match_id)
                since = rows[-1].at
        if self._monotonic() >= self._lost_at + LOST_SECONDS:
            self._lost_at = self._monotonic()
            yield from self._round_of_lost()

    def _round_of_lost(self) -> Iterator[Completed | None]:
        """Audits the matches of which the log has lost what the read models have included, and those that failed before."""
        target = self._views.serving("summary")
        known = iter(()) if target is None else self._views.all_stored(target, "seen")
        while page := dict(islice(known, PAGE)):
            yield None
            # Of each match the last version that was read before: one entry, whatever its length.
            last = {
                match_id: int(seen) - 1 for match_id, seen in page.items() if seen.isdigit() and is_sharded(match_id)
            }
            found = self._store.read_each(last, 1)
            for match_id in [match_id for match_id in last if not found.get(match_id)]:
                yield from self._audited(match_id)
        for match_id in self._due_of_failed():
            yield from self._audited(match_id)

    def _audited(self, match_id: str) -> Iterator[Completed | None]:
        began = self._clock.now()
        known = self._views.known_version(match_id)  # before the log is read, which may grow in between
        result: Audited | None = None
        try:
            for step in audit_stored(self._store, self._games, self._seals, match_id, known):
                result = step
                yield None
        except NewerReleaseError:
            return  # Not a finding: a newer worker audits it.
        yield match_id, None if known == 0 and self._is_gone(match_id) else result, began

    def _is_gone(self, match_id: str) -> bool:
        try:
            return not self._store.read(match_id, 0, 1)
        except DamagedError:
            return False

    def _due_of(self, rows: Sequence[Changed]) -> list[str]:
        now = self._clock.now()
        due = {False: now - AGAIN_MS, True: now - FAILED_AGAIN_MS}
        results = zip(rows, self._views.audited([row.match_id for row in rows]), strict=True)
        return [
            row.match_id
            for row, (at, failed) in results
            if at is None or at < max(due[failed], row.at // 1000 + CLOCKS_MS if row.at // 1000 <= now else 0)
        ]

    def _due_of_failed(self) -> list[str]:
        """Returns the matches to verify again that may no longer be in the log, and those that others put into quarantine."""
        failed, due = sorted(self._views.audit_faults()), self._clock.now() - FAILED_AGAIN_MS
        found = self._views.audited(failed) if failed else []
        old = [match_id for match_id, (at, _failed) in zip(failed, found, strict=True) if at is None or at < due]
        return [*filter(is_sharded, old), *sorted(self._store.quarantined().keys() - set(failed))]

    def _noted(self, match_id: str, found: Audited | None, began: int) -> Batch:
        batch = Batch()
        if found is None:
            # Neither log nor read models know it any more: there is nothing left to report.
            self._store.release(match_id)
            batch.audited(match_id, began, None)
        elif found.fault is None:
            release(self._store, match_id)
            batch.audited(match_id, began, None)
        else:
            self._report(match_id, found.fault)
            batch.audited(match_id, began, packed_fault(found.fault))
        return batch

    def _report(self, match_id: str, fault: Fault) -> None:
        _log.error("audit failed: match %s, version %s: %s: %s", match_id, fault.version, fault.kind, fault.message)
        quarantine(self._store, match_id, fault)
