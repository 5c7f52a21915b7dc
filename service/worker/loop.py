"""The worker's loop: keeps the read models up to date, and does the background jobs in idle time.

Several workers may run; the holder of the lease works, and another takes over a few seconds after that one has ended or
frozen. A frozen worker that continues later no longer holds the lease, so its first write changes nothing and fails.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from domain.game import AnyGame
from domain.store import SHARDS, Store, UnavailableError, shard_of
from projections import PROJECTIONS
from service.integrity.heads import Sealer, SealsRequired
from service.integrity.receipts import Signer
from service.matches.cache import MatchCache
from service.matches.handler import CommandHandler
from service.matches.repository import MatchRepository
from service.ports import AppendOnlyFile, Entropy, FineClock, Heartbeat
from service.ports.players import DeletedAccounts
from service.ports.readmodels import GENERATIONS, Batch, FencedError, ForeignDataError, Lease, ReadModels, Target
from service.readmodels.projector import Projector
from service.readmodels.ratings import settle
from service.worker import aof_rewrite, deadlines, seat_release
from service.worker.aof_rewrite import AofRewrite
from service.worker.audit_sweep import AuditSweep
from service.worker.deadlines import Deadlines
from service.worker.interrupt import Interrupt
from service.worker.log_sealing import LogSealing
from service.worker.readmodel_check import ReadModelCheck
from service.worker.schedule import Job, Monotonic, Schedule
from service.worker.seat_release import SeatRelease

LEASE_MS = 5000
"""The length of the lease, longer than the longest step. A standby takes over after this and ``STANDBY_SECONDS`` at most."""
STANDBY_SECONDS = 1.0
REST_SECONDS = 5.0
"""The pause after an error that is likely to recur."""
POLL_SECONDS = 1.0
"""The interval at which all shards are checked, because notifications may be lost."""
CACHED_COMMITS = 1000
"""Few, because the worker itself executes few commands."""
AUDIT_SECONDS = 0.1
"""The length of one slice of the audit, for which everything else waits."""
GATHER_SECONDS = 0.01
"""The time for which changes are gathered after the first notification, so that they become one write."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that a worker depends on; tests pass other parts than production does."""

    store: Store
    views: ReadModels
    games: Mapping[str, AnyGame]
    accounts: DeletedAccounts
    file: AppendOnlyFile
    clock: FineClock
    entropy: Entropy
    signer: Signer
    heartbeat: Heartbeat
    sealed_note: Path | None = None
    """The file in the data folder that notes since when every log has a seal."""
    monotonic: Monotonic = time.monotonic


class ChangedShards:
    """The shards to check: those of which a notification came, and from time to time all. Thread-safe."""

    def __init__(self) -> None:
        self._shards: set[int] = set(range(SHARDS))
        self._any = threading.Event()

    def heard(self, match_id: str | None) -> None:
        """Marks the shard of a match; ``None``: all shards, because a notification may have been lost."""
        if match_id is None:
            self.mark_all()
        else:
            self._shards |= {shard_of(match_id)}
        self._any.set()

    def mark_all(self) -> None:
        """Marks every shard, because notifications may be lost."""
        self._shards |= set(range(SHARDS))

    def take(self, patience: float) -> set[int]:
        """Returns the marked shards and unmarks them. Waits up to ``patience`` seconds for a notification."""
        if self._any.wait(patience):
            time.sleep(GATHER_SECONDS)
        self._any.clear()
        shards, self._shards = self._shards, set()
        return shards


class Worker:
    """The active worker. Its methods raise ``FencedError`` once it no longer holds the lease."""

    def __init__(self, parts: Parts, lease: Lease, changed: ChangedShards | None = None) -> None:
        """``lease`` makes this worker the only active one."""
        required = SealsRequired(parts.store, parts.sealed_note)
        seals = Sealer(parts.signer, required)
        matches = MatchRepository(parts.store, parts.games, parts.clock, MatchCache(CACHED_COMMITS), seals)
        handler = CommandHandler(matches, parts.clock, parts.entropy)
        self._views = parts.views
        self._clock = parts.clock
        self._lease = lease
        self._projector = Projector(parts.store, parts.views, parts.games, lease, parts.clock)
        self._sweep = AuditSweep(parts.store, parts.views, parts.games, seals, parts.clock, parts.monotonic)
        self._sealing = LogSealing(parts.store, parts.games, seals, required, parts.clock, parts.monotonic)
        self._check = ReadModelCheck(parts.store, parts.views, parts.games, parts.monotonic)
        self._deadlines = Deadlines(handler, parts.views, parts.heartbeat, parts.monotonic)
        self._release = SeatRelease(handler, parts.views, parts.accounts)
        self._rewrite = AofRewrite(parts.file, parts.accounts)
        self._changed = changed or ChangedShards()
        self._schedule = Schedule(self._jobs(), parts.monotonic)
        self._known_until = 0
        """The time (ms) up to which all changes are in the read models."""
        self._begin()

    def _jobs(self) -> list[Job]:
        """Returns the jobs for idle time; the audit comes last because it uses up the rest of that time."""

        def record_due() -> None:
            self._deadlines.record_due()

        def release() -> None:
            self._release.step(self._known_until)

        def seal() -> float | None:
            return self._sealing.step(AUDIT_SECONDS)

        def check() -> float | None:
            return self._check.step(AUDIT_SECONDS)

        def audit() -> float | None:
            self._sweep.step(self._lease, AUDIT_SECONDS)
            return self._sweep.rest

        return [
            Job(self._changed.mark_all, POLL_SECONDS),
            Job(record_due, deadlines.LOOK_SECONDS),
            Job(release, seat_release.LOOK_SECONDS),
            Job(self._rewrite.step, aof_rewrite.LOOK_SECONDS),
            Job(seal, 0),
            Job(check, 0),
            Job(audit, 0),
        ]

    def _begin(self) -> None:
        """Names a first generation for each read model that has none of its current revision."""
        serving = self._views.generations("serving")
        batch = Batch()
        for name in PROJECTIONS.keys() - serving.keys():
            batch.name_generation("serving", self._views.next_generation(name))
        self._views.write(self._lease, batch)
        self._clear()

    def step(self, shards: set[int]) -> None:
        """Brings the read models up to date, the previous generations too, so that a rollback loses nothing."""
        started = self._clock.now()
        serving, previous = self._views.generations("serving"), self._views.generations("previous")
        if serving.keys() != PROJECTIONS.keys():
            self._begin()
            serving = self._views.generations("serving")
        known = self._projector.targets
        second = () if self._check.target is None else (self._check.target,)
        targets = tuple(dict.fromkeys((*serving.values(), *previous.values(), *second)))
        self._projector.set_targets(targets)
        # A new target has checkpoints of its own, which may be behind in shards without a notification.
        everything = targets != known or len(shards) == SHARDS
        self._projector.catch_up(range(SHARDS) if everything else shards)
        self._projector.retry(self._views.retries())
        for target in targets:
            settle(self._views, target, self._lease)
        self._check.note_step(targets)
        self._announce(serving)
        if everything:
            self._known_until = started

    def _announce(self, serving: Mapping[str, Target]) -> None:
        """Lets queries read complete generations, and deletes those they replace. Also extends the lease."""
        batch, new = Batch(), [target for name, target in serving.items() if self._views.serving(name) != target]
        for target in new:
            batch.name_generation("ready", target)
        if new:
            batch.announce(GENERATIONS)
        self._views.write(self._lease, batch)
        if new:
            self._clear()

    def _clear(self) -> None:
        """Deletes the generations of other revisions, for each read model whose current one is complete."""
        for name in [name for name in PROJECTIONS if self._views.serving(name) is not None]:
            batch, outdated = Batch(), self._views.outdated(name)
            for target in set().union(*outdated.values()):
                _log.warning("deleted generation %s: its read model has another revision now", target)
                batch.discard(target)
            for revision in outdated:
                batch.forget_revision(revision)
            self._views.write(self._lease, batch)
        self._views.empty_trash()

    def idle(self) -> None:
        """Runs the jobs that are due: disputes, seats, the append-only file, the audit."""
        self._schedule.run_due()


def work(parts: Parts, changed: ChangedShards, lease: Lease) -> NoReturn:
    """Works until the lease is lost (``FencedError``) or the database does not answer (``UnavailableError``)."""
    worker, patience = Worker(parts, lease, changed), 0.0
    while True:
        worker.step(changed.take(patience))
        worker.idle()
        patience = deadlines.LOOK_SECONDS


def stand_by(parts: Parts, changed: ChangedShards, interrupt: Interrupt) -> NoReturn:
    """Works whenever it can take the lease, for ever."""
    waiting = False
    while True:
        try:
            _work_if_free(parts, changed, interrupt)
            if not waiting:
                waiting = True
                _log.info("another projection worker is active; this one stands by")
        except FencedError:
            waiting = False
            _log.warning("projection worker lost its lease because it was too slow; it stands by")
        except UnavailableError as fault:
            _log.warning(
                "projection worker paused because the database does not answer: %s", fault or type(fault).__name__
            )
        except ForeignDataError as fault:
            _log.error("projection worker paused: %s", fault)
            time.sleep(REST_SECONDS)
        except Exception:
            # Kept alive: ``serve`` stops everything when one process ends, while stale read models only make queries late.
            _log.exception("projection worker paused after an unexpected error")
            time.sleep(REST_SECONDS)
        time.sleep(STANDBY_SECONDS)


def _work_if_free(parts: Parts, changed: ChangedShards, interrupt: Interrupt) -> None:
    """Works if the lease is free, and releases it when the process is to end. Returns if another worker holds it."""
    lease = None
    try:
        # An interrupt between the server's grant and this assignment would leave a lease that nobody releases.
        with interrupt.put_off():
            lease = parts.views.claim("projector", LEASE_MS)
        if lease is not None:
            _log.info("projection worker took the lease and is active")
            work(parts, changed, lease)
    except KeyboardInterrupt:
        if lease is not None:
            # A database that has stopped first needs no release, and must not keep this process from ending.
            with suppress(FencedError, UnavailableError):
                parts.views.release(lease)
        raise
