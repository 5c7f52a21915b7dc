"""Counters and timings in plain Python, and the files to which processes write their totals.

Each process writes its totals once a second to a text file of its own, by write and rename, and a scrape adds the files up
(``web/metrics``). Counting itself touches memory only: a memory-mapped file would end the process by SIGBUS on a full disk.
A total that cannot be written is lost until the next second, and nothing else is.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from domain.store import Appended, Changed, Conflict, Entry, Seal, Sealing, Store, Stored, Unsealed

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the buckets of every histogram."""
WRITE_SECONDS = 1.0
ENDED = ".ended"
"""Stands before the suffix of an ended process's file: its counters still count, its gauges do not."""

Labels = tuple[str, ...]


class Counter:
    """A number that only grows. Needs no lock: nothing here switches greenlets."""

    kind = "counter"

    def __init__(self, name: str, about: str, labels: Labels = ()) -> None:
        self.name, self.about, self.labels = name, about, labels
        self._totals: dict[Labels, int] = {} if labels else {(): 0}

    def add(self, *labels: str) -> None:
        """Adds one to the series of these label values."""
        self._totals[labels] = self._totals.get(labels, 0) + 1

    def series(self) -> dict[Labels, list[float]]:
        return {labels: [total] for labels, total in self._totals.items()}


class Gauge:
    """A number that goes up and down."""

    kind = "gauge"

    def __init__(self, name: str, about: str) -> None:
        self.name, self.about = name, about
        self.labels: Labels = ()
        self._value = 0

    @contextmanager
    def track(self) -> Iterator[None]:
        """Counts one more as long as the block runs."""
        self._value += 1
        try:
            yield
        finally:
            self._value -= 1

    def series(self) -> dict[Labels, list[float]]:
        return {(): [self._value]}


class Histogram:
    """Durations in seconds, counted in the buckets of ``SECONDS``."""

    kind = "histogram"

    def __init__(self, name: str, about: str, labels: Labels = ()) -> None:
        self.name, self.about, self.labels = name, about, labels
        self._totals: dict[Labels, list[float]] = {} if labels else {(): _no_buckets()}

    def observe(self, seconds: float, *labels: str) -> None:
        """Counts one duration in the series of these label values."""
        totals = self._totals.get(labels)
        if totals is None:
            totals = self._totals[labels] = _no_buckets()
        totals[bisect_left(SECONDS, seconds)] += 1
        totals[-1] += seconds

    def series(self) -> dict[Labels, list[float]]:
        """Returns the count of each bucket (the last holds everything longer), then the sum in seconds."""
        return {labels: list(totals) for labels, totals in self._totals.items()}


def _no_buckets() -> list[float]:
    return [0] * (len(SECONDS) + 2)


ACTIONS = Counter("foldtable_actions", "Accepted actions, moves among them", ("action",))
REFUSALS = Counter("foldtable_refusals", "Problems that were answered", ("code",))
ACCOUNT_FAULTS = Counter(
    "foldtable_account_faults", "Requests with a token or code whose record was changed in the database"
)
REQUESTS = Histogram("foldtable_request_seconds", "From request to answer", ("endpoint",))
APPENDS = Histogram("foldtable_append_seconds", "Appending a commit to the log")
CONFLICTS = Counter("foldtable_conflicts", "Appends that came too late and were decided again")
CACHE = Counter("foldtable_cache", "Matches looked for in memory", ("found",))
RECEIPTS = Counter("foldtable_receipts_checked", "Receipts that were checked against the log", ("result",))
STREAMS = Gauge("foldtable_streams_open", "Live streams")

Metric = Counter | Gauge | Histogram
"""A named set of series, one for each combination of label values. ``series`` gives numbers that can be added up."""

METRICS: tuple[Metric, ...] = (
    ACTIONS,
    REFUSALS,
    REQUESTS,
    APPENDS,
    CONFLICTS,
    CACHE,
    RECEIPTS,
    STREAMS,
    ACCOUNT_FAULTS,
)

Totals = dict[str, dict[Labels, list[float]]]
"""Metric name → label values → numbers."""


def totals() -> Totals:
    """Returns the totals of this process."""
    return {metric.name: metric.series() for metric in METRICS}


def count_lookup(found: bool) -> None:
    """Counts a look-up in the cache of matches."""
    CACHE.add("yes" if found else "no")


class MeasuredStore:
    """A ``Store`` whose appends are timed and whose conflicts are counted."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def append(
        self,
        match_id: str,
        entry: Entry,
        previous: bytes,
        seed: bytes | None = None,
        sealing: Sealing | None = None,
    ) -> Appended | Conflict | Unsealed:
        started = time.perf_counter()
        result = self._store.append(match_id, entry, previous, seed, sealing)
        APPENDS.observe(time.perf_counter() - started)
        if isinstance(result, Conflict):
            CONFLICTS.add()
        return result

    def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        return self._store.read(match_id, after, limit)

    def read_each(self, after: Mapping[str, int], limit: int) -> Mapping[str, Sequence[Entry]]:
        return self._store.read_each(after, limit)

    def seed(self, match_id: str) -> bytes | None:
        return self._store.seed(match_id)

    def whole(self, match_id: str, after: int = 0) -> Stored:
        return self._store.whole(match_id, after)

    def seal(self, match_id: str, head: bytes, seal: Seal) -> bool:
        return self._store.seal(match_id, head, seal)

    def changes(self, shard: int, since: int = 0, limit: int | None = None) -> Sequence[Changed]:
        return self._store.changes(shard, since, limit)

    def newest(self, limit: int) -> Sequence[Changed]:
        return self._store.newest(limit)

    def protocol(self) -> int:
        return self._store.protocol()

    def raise_protocol(self, protocol: int) -> None:
        self._store.raise_protocol(protocol)

    def quarantine(self, match_id: str, reason: bytes) -> bool:
        return self._store.quarantine(match_id, reason)

    def release(self, match_id: str) -> bool:
        return self._store.release(match_id)

    def quarantined(self) -> Mapping[str, bytes]:
        return self._store.quarantined()

    def sealed_since(self) -> int | None:
        return self._store.sealed_since()

    def note_sealed(self, at: int) -> None:
        self._store.note_sealed(at)

    def sealers(self) -> frozenset[str]:
        return self._store.sealers()

    def set_sealers(self, key_ids: Collection[str]) -> None:
        self._store.set_sealers(key_ids)


# -- files ------------------------------------------------------------------------------------------------------------


def write_regularly(folder: Path) -> None:
    """Writes the totals of this process once a second, from a thread (a greenlet under gevent), until the process ends."""
    # The random part sets a process apart from an earlier one whose number the system has given out again.
    path = folder / f"{os.getpid()}-{secrets.token_hex(4)}.json"
    threading.Thread(target=_write_for_ever, args=(path,), daemon=True, name="telemetry").start()


def _write_for_ever(path: Path) -> None:
    while True:
        time.sleep(WRITE_SECONDS)
        write(path)


def write(path: Path) -> None:
    """Writes the totals of this process to a file. A full disk loses this sample and nothing else."""
    rows = [[name, labels, numbers] for name, series in totals().items() for labels, numbers in series.items()]
    new = path.with_suffix(".new")
    with suppress(OSError):
        # Renamed when complete, so that a scrape never reads half a file.
        new.write_text(json.dumps(rows), encoding="utf-8")
        new.replace(path)


def mark_ended(folder: Path, pid: int) -> None:
    """Marks the files of a process that has ended, so that its gauges no longer count."""
    for path in folder.glob(f"{pid}-*.json"):
        if not path.stem.endswith(ENDED):
            with suppress(OSError):
                path.replace(path.with_name(path.stem + ENDED + path.suffix))


def clear(folder: Path) -> None:
    """Deletes the files of processes of an earlier start, those of version 0.1 (``*.db``) among them."""
    for pattern in ("*.json", "*.new", "*.db"):
        for old in folder.glob(pattern):
            old.unlink(missing_ok=True)


def combined(folder: Path | None) -> Totals:
    """Returns the current totals of this process plus the last written ones of all others."""
    added = totals()
    if folder is None:
        return added
    gauges = {metric.name for metric in METRICS if metric.kind == "gauge"}
    own = f"{os.getpid()}-"
    for path in folder.glob("*.json"):
        ended = path.stem.endswith(ENDED)
        if path.name.startswith(own) and not ended:
            continue  # What this process has in memory is newer.
        for name, labels, numbers in _rows(path):
            if name in added and not (ended and name in gauges):
                _add(added[name], tuple(labels), numbers)
    return added


def _rows(path: Path) -> list[Any]:
    try:
        rows: list[Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []  # It has been renamed since, or was not written whole: the next scrape has it.
    return rows


def _add(series: dict[Labels, list[float]], labels: Labels, numbers: list[float]) -> None:
    before = series.get(labels)
    series[labels] = numbers if before is None else [one + other for one, other in zip(before, numbers, strict=True)]
