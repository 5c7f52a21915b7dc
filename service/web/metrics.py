"""The scrape: the counts of all web processes in the text format of Prometheus; and the timing of requests.

The worker counts nothing. A scrape reads the results of its work: the lag of read models, parked matches, the audit's
findings.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from itertools import accumulate
from math import floor
from pathlib import Path

from flask import Flask, Response, request
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from domain.store import Store, UnavailableError
from service import telemetry
from service.ports.readmodels import ForeignDataError, ReadModels
from service.readmodels.audit_results import figures
from service.readmodels.lag import lag

LOOKED_AT = 50
"""Matches whose missing commits a scrape counts. With more of them, the lag in commits is a lower bound."""

SUM_STEP = 0.25
"""Seconds: sums of durations are shown in steps of this. An exact sum, read before and after a move, would show how long that
move took, and so what a hand holds. Over thousands of requests a step makes no difference."""

UP, UP_ABOUT = "foldtable_projections_up", "Whether the read models could be looked at"

_BEGAN, _REPEATED = "foldtable.began", "foldtable.repeated"


def measure(app: Flask) -> None:
    """Times the requests of an app and counts accepted actions."""
    app.before_request(_begin)
    app.after_request(_end)


def mark_repeated() -> None:
    """Leaves the current request out of the count of actions: its command was executed before."""
    request.environ[_REPEATED] = True


def _begin() -> None:
    request.environ[_BEGAN] = time.perf_counter()


def _end(response: Response) -> Response:
    endpoint = request.endpoint or "none"
    telemetry.REQUESTS.observe(time.perf_counter() - request.environ.get(_BEGAN, time.perf_counter()), endpoint)
    if response.status_code in (201, 202) and _REPEATED not in request.environ:
        telemetry.ACTIONS.add(endpoint.rpartition(".")[2])
    return response


def exposition(store: Store, views: ReadModels | None, now: int, folder: Path | None = None) -> bytes:
    """Returns all metrics in the text format of Prometheus. ``now`` is in ms; ``folder`` has the files of all processes."""
    found = _text(_Counted(folder))
    if views is None:
        return found
    try:
        return found + _text(_Worker(store, views, now))
    except (UnavailableError, ForeignDataError):
        # An operator needs the counts most when the database fails: they are served, with a gauge for what is missing.
        return found + _text(_Missing())


def _text(collector: Collector) -> bytes:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(collector)
    return generate_latest(registry)


class _Counted(Collector):
    """The totals of all web processes."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        totals = telemetry.combined(self._folder)
        for metric in telemetry.METRICS:
            yield _family(metric, totals[metric.name])


def _family(metric: telemetry.Metric, series: dict[telemetry.Labels, list[float]]) -> Metric:
    if isinstance(metric, telemetry.Histogram):
        made = HistogramMetricFamily(metric.name, metric.about, labels=metric.labels)
        for labels, (*counts, seconds) in series.items():
            made.add_metric(labels, _buckets(counts), floor(seconds / SUM_STEP) * SUM_STEP)
        return made
    kind = CounterMetricFamily if isinstance(metric, telemetry.Counter) else GaugeMetricFamily
    family = kind(metric.name, metric.about, labels=metric.labels)
    for labels, (value,) in series.items():
        family.add_metric(labels, value)
    return family


def _buckets(counts: list[float]) -> list[tuple[str, float]]:
    """Returns cumulative counts by upper bound, as Prometheus wants them."""
    bounds = [*map(str, telemetry.SECONDS), "+Inf"]
    return list(zip(bounds, accumulate(counts), strict=True))


class _Missing(Collector):
    def collect(self) -> Iterable[Metric]:
        yield GaugeMetricFamily(UP, UP_ABOUT, value=0)


class _Worker(Collector):
    def __init__(self, store: Store, views: ReadModels, now: int) -> None:
        self._store = store
        self._views = views
        self._now = now

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
            behind = lag(self._store, self._views, target, self._now * 1000, LOOKED_AT)
            values = (behind.matches, behind.commits, behind.seconds, len(self._views.parked(target)))
            for family, value in zip(families.values(), values, strict=True):
                family.add_metric([name], value)
        yield from families.values()
        yield GaugeMetricFamily(UP, UP_ABOUT, value=1)
        yield from self._alarms()

    def _alarms(self) -> Iterable[Metric]:
        audited = figures(self._views, self._now)
        yield GaugeMetricFamily("foldtable_audit_verified", "Matches verified in the last day", value=audited.verified)
        yield GaugeMetricFamily(
            "foldtable_audit_failed", "Matches whose log is not what was written", value=len(audited.failed)
        )
        yield GaugeMetricFamily(
            "foldtable_matches_quarantined", "Matches stopped because of damage", value=len(self._store.quarantined())
        )
        yield GaugeMetricFamily(
            "foldtable_alarms", "Alarms that no operator has cleared", value=len(self._views.alarms())
        )
