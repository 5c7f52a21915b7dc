"""The process that keeps the read models up to date: ``python -m service.worker``.

Several may run; one works, by lease, and another takes over a few seconds after it has gone or frozen. A frozen one that
wakes up again finds its lease gone at its first write, which does nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

from domain.game import AnyGame
from domain.store import SHARDS, Store, UnavailableError, shard_of
from projections import PROJECTIONS
from service.matches.cache import MatchCache
from service.matches.handler import CommandHandler
from service.matches.repository import MatchRepository
from service.ports import AppendOnlyFile, DeletedAccounts, Entropy, FineClock
from service.ports.readmodels import GENERATIONS, Batch, FencedError, ForeignDataError, Lease, ReadModels, Target
from service.readmodels.projector import Projector
from service.readmodels.ratings import settle
from service.worker import aof_rewrite, dispute_expiry, seat_release
from service.worker.aof_rewrite import AofRewrite
from service.worker.audit_sweep import AuditSweep
from service.worker.dispute_expiry import DisputeExpiry
from service.worker.schedule import Job, Monotonic, Schedule
from service.worker.seat_release import SeatRelease

LEASE_MS = 5000
"""Long enough for the longest single step; a standby waits no longer than this and ``STANDBY_SECONDS``."""
STANDBY_SECONDS = 1.0
REST_SECONDS = 5.0
"""After a fault that will most likely come again."""
POLL_SECONDS = 1.0
"""How often everything is looked at, whatever was heard."""
CACHED_COMMITS = 1000
"""Few, for the worker itself does little to a match."""
AUDIT_SECONDS = 0.1
"""Of one piece of the audit, for which everything else waits."""
GATHER_SECONDS = 0.01
"""How long changes are gathered after the first one that was heard, to be one write."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything a worker stands on; tests hand in other parts than production does."""

    store: Store
    views: ReadModels
    games: Mapping[str, AnyGame]
    accounts: DeletedAccounts
    file: AppendOnlyFile
    clock: FineClock
    entropy: Entropy
    monotonic: Monotonic = time.monotonic


class ChangedShards:
    """The shards of which a notification came, or which are to be looked at anyway."""

    def __init__(self) -> None:
        self._shards: set[int] = set(range(SHARDS))
        self._any = threading.Event()

    def heard(self, match_id: str | None) -> None:
        """``None``: anything may have happened."""
        if match_id is None:
            self.mark_all()
        else:
            self._shards |= {shard_of(match_id)}
        self._any.set()

    def mark_all(self) -> None:
        """Has every shard looked at the next time, for notifications may be lost."""
        self._shards |= set(range(SHARDS))

    def take(self, patience: float) -> set[int]:
        """The shards to look at; waits for a notification so long at most."""
        if self._any.wait(patience):
            time.sleep(GATHER_SECONDS)
        self._any.clear()
        shards, self._shards = self._shards, set()
        return shards


class Worker:
    """Works while it holds the lease."""

    def __init__(self, parts: Parts, lease: Lease, changed: ChangedShards | None = None) -> None:
        """``lease`` is this worker's; whoever has it is alone."""
        matches = MatchRepository(parts.store, parts.games, parts.clock, MatchCache(CACHED_COMMITS))
        handler = CommandHandler(matches, parts.clock, parts.entropy)
        self._views = parts.views
        self._clock = parts.clock
        self._lease = lease
        self._projector = Projector(parts.store, parts.views, parts.games, lease, parts.clock)
        self._sweep = AuditSweep(parts.store, parts.views, parts.games, parts.clock, parts.monotonic)
        self._expiry = DisputeExpiry(handler, parts.views)
        self._release = SeatRelease(handler, parts.views, parts.accounts)
        self._rewrite = AofRewrite(parts.file, parts.accounts)
        self._changed = changed or ChangedShards()
        self._schedule = Schedule(self._jobs(), parts.monotonic)
        self._known_until = 0
        """Everything that was done until then (ms) is in the lists."""
        self._begin()

    def _jobs(self) -> list[Job]:
        """Everything that is done in idle time; the audit comes last, for it takes the rest of that time."""

        def expire() -> None:
            self._expiry.record()

        def release() -> None:
            self._release.go_on(self._known_until)

        def audit() -> float | None:
            self._sweep.go_on(self._lease, AUDIT_SECONDS)
            return self._sweep.rest

        return [
            Job(self._changed.mark_all, POLL_SECONDS),
            Job(expire, dispute_expiry.LOOK_SECONDS),
            Job(release, seat_release.LOOK_SECONDS),
            Job(self._rewrite.go_on, aof_rewrite.LOOK_SECONDS),
            Job(audit, 0),
        ]

    def _begin(self) -> None:
        """A first generation for each read model that has none of its present revision."""
        serving = self._views.generations("serving")
        batch = Batch()
        for name in PROJECTIONS.keys() - serving.keys():
            batch.name_generation("serving", self._views.next_generation(name))
        self._views.write(self._lease, batch)
        self._clear()

    def step(self, shards: set[int]) -> None:
        """Brings everything up to date. What is served, and what it could be rolled back to, are kept alike."""
        began = self._clock.now()
        serving, previous = self._views.generations("serving"), self._views.generations("previous")
        if serving.keys() != PROJECTIONS.keys():
            self._begin()
            serving = self._views.generations("serving")
        known = self._projector.targets
        targets = tuple(dict.fromkeys((*serving.values(), *previous.values())))
        self._projector.take_on(targets)
        everything = targets != known or len(shards) == SHARDS
        self._projector.catch_up(range(SHARDS) if everything else shards)
        self._projector.again(self._views.retries())
        for target in targets:
            settle(self._views, target, self._lease)
        self._announce(serving)
        if everything:
            self._known_until = began

    def _announce(self, serving: Mapping[str, Target]) -> None:
        """What is complete is read from now on, and what it replaces is deleted. Holds the lease on, too."""
        batch, new = Batch(), [target for name, target in serving.items() if self._views.serving(name) != target]
        for target in new:
            batch.name_generation("ready", target)
        if new:
            batch.announce(GENERATIONS)
        self._views.write(self._lease, batch)
        if new:
            self._clear()

    def _clear(self) -> None:
        """Deletes what other revisions have left of the read models that are complete."""
        for name in [name for name in PROJECTIONS if self._views.serving(name) is not None]:
            batch, outdated = Batch(), self._views.outdated(name)
            for target in set().union(*outdated.values()):
                _log.warning("%s is deleted: the read model is of another revision now", target)
                batch.discard(target)
            for revision in outdated:
                batch.forget_revision(revision)
            self._views.write(self._lease, batch)
        self._views.empty_trash()

    def idle(self) -> None:
        """Does what is due besides: disputes, seats, the append-only file, the audit."""
        self._schedule.run_due()


def work(parts: Parts, changed: ChangedShards, lease: Lease) -> NoReturn:
    """Until the lease is gone (``FencedError``) or the server (``UnavailableError``)."""
    worker, patience = Worker(parts, lease, changed), 0.0
    while True:
        worker.step(changed.take(patience))
        worker.idle()
        patience = POLL_SECONDS / 2


def stand_by(parts: Parts, changed: ChangedShards) -> NoReturn:
    """Works whenever it can get the lease, for ever."""
    waits = False
    while True:
        try:
            lease = parts.views.claim("projector", LEASE_MS)
            if lease is not None:
                _log.info("this process keeps the read models now")
                waits = False
                _work_and_release(parts, changed, lease)
            elif not waits:
                waits = True
                _log.info("another process keeps the read models; this one stands by")
        except FencedError:
            _log.warning("the lease on the read models ran out while this process did not get on; it stands by")
        except UnavailableError as fault:
            _log.warning("the read models rest, for the database does not answer: %s", fault or type(fault).__name__)
        except ForeignDataError as fault:
            _log.error("the read models rest: %s", fault)
            time.sleep(REST_SECONDS)
        except Exception:
            # The web processes go on, and what is stale says so; ending with everything would be worse.
            _log.exception("the read models rest, for something that nobody thought of")
            time.sleep(REST_SECONDS)
        time.sleep(STANDBY_SECONDS)


def _work_and_release(parts: Parts, changed: ChangedShards, lease: Lease) -> NoReturn:
    try:
        work(parts, changed, lease)
    except KeyboardInterrupt:
        # A server that has gone first needs no release, and must not keep this process from ending.
        with suppress(FencedError, UnavailableError):
            parts.views.release(lease)
        raise
