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
from typing import NoReturn

from domain.game import AnyGame
from domain.store import SHARDS, Store, Unavailable, shard_of
from projections import PROJECTIONS
from service.adapters.redis.readmodels import KINDS, ROOT, Batch, Fenced, Lease, Misfit, RedisViews, Target
from service.adapters.system import SystemClock, SystemEntropy
from service.matches.cache import MatchCache
from service.matches.handler import CommandHandler
from service.matches.repository import MatchRepository
from service.readmodels.projector import Projector
from service.readmodels.ratings import settle
from service.worker.aof_rewrite import Purge
from service.worker.audit_sweep import Sweep
from service.worker.dispute_expiry import Lapses
from service.worker.seat_release import Vacating

LEASE_MS = 5000
"""Long enough for the longest single step; a standby waits no longer than this and ``STANDBY_SECONDS``."""
STANDBY_SECONDS = 1.0
REST_SECONDS = 5.0
"""After a fault that will most likely come again."""
POLL_SECONDS = 1.0
"""How often everything is looked at, whatever was heard."""
CACHED_COMMITS = 1000
"""Few, for the worker itself does little to a match."""
GATHER_SECONDS = 0.01
"""How long changes are gathered after the first one that was heard, to be one write."""

_log = logging.getLogger(__name__)


class News:
    """The shards that something was heard from."""

    def __init__(self) -> None:
        self._shards: set[int] = set(range(SHARDS))
        self._any = threading.Event()
        self._looked = 0.0

    def heard(self, match_id: str | None) -> None:
        """``None``: anything may have happened."""
        self._shards |= {shard_of(match_id)} if match_id is not None else set(range(SHARDS))
        self._any.set()

    def take(self, patience: float) -> set[int]:
        """What is to be looked at; waits for it so long at most, and then it is everything."""
        if self._any.wait(patience):
            time.sleep(GATHER_SECONDS)
        self._any.clear()
        shards, self._shards = self._shards, set()
        if time.monotonic() - self._looked > POLL_SECONDS:
            self._looked, shards = time.monotonic(), set(range(SHARDS))
        return shards


class Worker:
    """Works while it holds the lease."""

    def __init__(self, store: Store, views: RedisViews, games: Mapping[str, AnyGame], lease: Lease) -> None:
        """``lease`` is this worker's; whoever has it is alone."""
        clock = SystemClock()
        matches = MatchRepository(store, games, clock, MatchCache(CACHED_COMMITS))
        handler = CommandHandler(matches, clock, SystemEntropy())
        self._views = views
        self._lease = lease
        self._projector = Projector(store, views, games, lease, feeds=True)
        self._sweep = Sweep(store, views, games)
        self._lapses = Lapses(handler, views)
        self._purge = Purge(views.client)
        self._vacating = Vacating(handler, views)
        self._known_until = 0
        """Everything that was done until then (ms) is in the lists."""
        self._begin()

    def _begin(self) -> None:
        """A first generation for each read model that has none of its present revision."""
        serving = self._views.generations("serving")
        batch = Batch()
        for name in PROJECTIONS.keys() - serving.keys():
            batch.also(*self._views.naming("serving", self._views.next_generation(name)))
        self._views.write(self._lease, batch)
        self._clear()

    def step(self, shards: set[int]) -> None:
        """Brings everything up to date. What is served, and what it could be rolled back to, are kept alike."""
        began = time.time_ns() // 1_000_000
        serving, previous = self._views.generations("serving"), self._views.generations("previous")
        if serving.keys() != PROJECTIONS.keys():
            self._begin()
            serving = self._views.generations("serving")
        known = self._projector.targets
        targets = tuple(dict.fromkeys((*serving.values(), *previous.values())))
        self._projector.take_on(targets)
        everything = targets != known or len(shards) == SHARDS
        self._projector.catch_up(range(SHARDS) if everything else shards)
        self._projector.again(self._views.asked_again())
        for target in targets:
            if target.name == "ratings":
                settle(self._views, target, self._lease)
        self._announce(serving)
        if everything:
            self._known_until = began

    def _announce(self, serving: Mapping[str, Target]) -> None:
        """What is complete is read from now on, and what it replaces is deleted. Holds the lease on, too."""
        batch, new = Batch(), [target for name, target in serving.items() if self._views.serving(name) != target]
        for target in new:
            batch.also(*self._views.naming("ready", target))
        self._views.write(self._lease, batch)
        if new:
            self._clear()

    def _clear(self) -> None:
        """Deletes what other revisions have left of the read models that are complete."""
        for name in [name for name in PROJECTIONS if self._views.serving(name) is not None]:
            batch, outdated = Batch(), self._views.outdated(name)
            for target in set().union(*outdated.values()):
                _log.warning("%s is deleted: the read model is of another revision now", target)
                batch.also(*self._views.discarding(target))
            for field in outdated:
                for kind in KINDS:
                    batch.drop(f"{ROOT}:{kind}", field)
            self._views.write(self._lease, batch)
        self._views.empty_trash()

    def idle(self, seconds: float) -> None:
        """Records what has lapsed, tidies up behind who has left, then verifies matches for so long at most."""
        self._lapses.record()
        self._vacating.go_on(self._known_until)
        self._purge.go_on()
        self._sweep.go_on(self._lease, seconds)


def work(store: Store, views: RedisViews, games: Mapping[str, AnyGame], news: News, lease: Lease) -> NoReturn:
    """Until the lease is gone (``Fenced``) or the server (``Unavailable``)."""
    worker, patience = Worker(store, views, games, lease), 0.0
    while True:
        worker.step(news.take(patience))
        worker.idle(POLL_SECONDS / 10)
        patience = POLL_SECONDS / 2


def stand_by(store: Store, views: RedisViews, games: Mapping[str, AnyGame], news: News) -> NoReturn:
    """Works whenever it can get the lease, for ever."""
    waits = False
    while True:
        try:
            lease = views.claim("projector", LEASE_MS)
            if lease is not None:
                _log.info("this process keeps the read models now")
                waits = False
                _work_and_release(store, views, games, news, lease)
            elif not waits:
                waits = True
                _log.info("another process keeps the read models; this one stands by")
        except Fenced:
            _log.warning("the lease on the read models ran out while this process did not get on; it stands by")
        except Unavailable as fault:
            _log.warning("the read models rest, for the database does not answer: %s", fault or type(fault).__name__)
        except Misfit as fault:
            _log.error("the read models rest: %s", fault)
            time.sleep(REST_SECONDS)
        except Exception:
            # The web processes go on, and what is stale says so; ending with everything would be worse.
            _log.exception("the read models rest, for something that nobody thought of")
            time.sleep(REST_SECONDS)
        time.sleep(STANDBY_SECONDS)


def _work_and_release(
    store: Store, views: RedisViews, games: Mapping[str, AnyGame], news: News, lease: Lease
) -> NoReturn:
    try:
        work(store, views, games, news, lease)
    except KeyboardInterrupt:
        # A server that has gone first needs no release, and must not keep this process from ending.
        with suppress(Fenced, Unavailable):
            views.release(lease)
        raise
