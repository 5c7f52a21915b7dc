"""What is counted and timed, for Prometheus. Safe with several web processes: each writes its own file, a scrape adds them up.

Counting happens where requests are answered and around the parts that are handed in, so that nothing else knows of it.
What the worker does is not counted but looked up at a scrape: how far the read models are behind, what is parked, what the
audit has found.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from flask import Flask, Response, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY, Collector

from domain.store import Appended, Changed, Conflict, Entry, Store, Unavailable
from service.adapters.redis_views import Misfit, RedisViews
from service.cache import Loaded, MatchCache
from service.lag import lag
from service.sweep import figures

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
LOOKED_AT = 50
"""Matches whose commits are counted at a scrape; beyond that the lag in commits is a lower bound."""

ACTIONS = Counter("foldtable_actions", "Accepted actions, moves among them", ["action"])
REFUSALS = Counter("foldtable_refusals", "Problems that were answered", ["code"])
REQUESTS = Histogram("foldtable_request_seconds", "From request to answer", ["endpoint"], buckets=SECONDS)
APPENDS = Histogram("foldtable_append_seconds", "Appending a commit to the log", buckets=SECONDS)
CONFLICTS = Counter("foldtable_conflicts", "Appends that came too late and were decided anew")
CACHE = Counter("foldtable_cache", "Matches looked for in memory", ["found"])
STREAMS = Gauge("foldtable_streams_open", "Live streams", multiprocess_mode="livesum")

UP, UP_ABOUT = "foldtable_projections_up", "Whether the read models could be looked at"

_HIT, _MISS = CACHE.labels("yes"), CACHE.labels("no")
_BEGAN, _REPEATED = "foldtable.began", "foldtable.repeated"


class MeasuredStore:
    """A ``Store`` whose appends are timed and whose conflicts are counted."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def append(self, match_id: str, entry: Entry, previous: bytes, seed: bytes | None = None) -> Appended | Conflict:
        began = time.perf_counter()
        result = self._store.append(match_id, entry, previous, seed)
        APPENDS.observe(time.perf_counter() - began)
        if isinstance(result, Conflict):
            CONFLICTS.inc()
        return result

    def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        return self._store.read(match_id, after, limit)

    def read_each(self, after: Mapping[str, int], limit: int) -> Mapping[str, Sequence[Entry]]:
        return self._store.read_each(after, limit)

    def seed(self, match_id: str) -> bytes | None:
        return self._store.seed(match_id)

    def changes(self, shard: int, since: int = 0, limit: int | None = None) -> Sequence[Changed]:
        return self._store.changes(shard, since, limit)

    def newest(self, limit: int) -> Sequence[Changed]:
        return self._store.newest(limit)


class MeasuredCache(MatchCache):
    """Which counts how often it is of use."""

    def get(self, match_id: str) -> Loaded | None:
        loaded = super().get(match_id)
        (_MISS if loaded is None else _HIT).inc()
        return loaded


def measure(app: Flask) -> None:
    """Times the requests of an app, and counts what it accepts and refuses."""
    app.before_request(_begin)
    app.after_request(_end)


def not_counted() -> None:
    """The present request does nothing that has not been done before."""
    request.environ[_REPEATED] = True


def _begin() -> None:
    request.environ[_BEGAN] = time.perf_counter()


@cache
def _timer(endpoint: str) -> Histogram:
    """Looked up once: finding the series of a label takes as long as counting."""
    return REQUESTS.labels(endpoint)


def _end(response: Response) -> Response:
    endpoint = request.endpoint or "none"
    _timer(endpoint).observe(time.perf_counter() - request.environ.get(_BEGAN, time.perf_counter()))
    if response.status_code in (201, 202) and _REPEATED not in request.environ:
        ACTIONS.labels(endpoint.rpartition(".")[2]).inc()
    return response


def exposition(store: Store, views: RedisViews | None) -> bytes:
    """Everything, in Prometheus' text format."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry = REGISTRY
    found = generate_latest(registry)
    if views is None:
        return found
    looked_up = CollectorRegistry()
    looked_up.register(_Worker(store, views))
    try:
        return found + generate_latest(looked_up)
    except (Unavailable, Misfit):
        # What this process counted is told all the same, and that the rest could not be looked up.
        return found + generate_latest(_missing())


def _missing() -> CollectorRegistry:
    registry = CollectorRegistry()
    Gauge(UP, UP_ABOUT, registry=registry).set(0)
    return registry


class _Worker(Collector):
    def __init__(self, store: Store, views: RedisViews) -> None:
        self._store = store
        self._views = views

    def collect(self) -> Iterable[Metric]:
        names = {
            "matches": "Matches that a read model is behind with",
            "commits": "Commits that a read model is behind",
            "seconds": "Since the oldest change that a read model lacks",
            "parked": "Matches that a read model stumbled over",
        }
        families = {
            n: GaugeMetricFamily(f"foldtable_projection_{n}", about, labels=["projection"])
            for n, about in names.items()
        }
        for name, target in self._views.generations("serving").items():
            behind = lag(self._store, self._views, target, time.time_ns() // 1000, LOOKED_AT)
            values = (behind.matches, behind.commits, behind.seconds, len(self._views.parked(target)))
            for family, value in zip(families.values(), values, strict=True):
                family.add_metric([name], value)
        yield from families.values()
        yield GaugeMetricFamily(UP, UP_ABOUT, value=1)
        audited = figures(self._views)
        yield GaugeMetricFamily("foldtable_audit_verified", "Matches verified in the last day", value=audited.verified)
        yield GaugeMetricFamily(
            "foldtable_audit_failed", "Matches whose log is not what was written", value=len(audited.failed)
        )
