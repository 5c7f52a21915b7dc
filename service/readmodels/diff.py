"""Compares two generations of a read model, as stored: row by row, list by list, total by total."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgpack

from domain.store import Store
from service.ports.readmodels import ReadModels, Target

CHUNK = 500
PATIENCE_SECONDS = 3.0
"""The longest time that the worker may take to follow the moves made during the build."""
LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Difference:
    """A row, place or total that differs between the served generation and the built one. ``None``: it is missing there."""

    place: str
    field: str
    served: Any
    built: Any


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stored bytes that are not a row."""

    data: bytes


Hold = Callable[[], None]
"""Extends the lease on the build. Called often, so that no other process builds in the meantime."""


def differences(
    store: Store, views: ReadModels, served: Target, built: Target, hold: Hold = lambda: None
) -> Iterator[Difference]:
    """Yields the differences, except of running matches that only one generation has up to date at this moment.

    Totals, ratings and leaderboards, which sum up many matches, are compared only if both have the same versions of all.
    Reads every row of both, in chunks.
    """
    for found in compared(store, views, served, built):
        if found is None:
            hold()
        else:
            yield found


def compared(
    store: Store, views: ReadModels, served: Target, built: Target, patience: float = PATIENCE_SECONDS
) -> Iterator[Difference | None]:
    """Yields the differences as ``differences`` does, and ``None`` wherever the work may be interrupted.

    ``patience``: the seconds to wait for a worker that follows moves made during the build; 0 for the worker itself, which
    writes both generations together.
    """
    moved = list[str]()
    for match_id in _other_versions(views, served, built):
        if match_id is None:
            yield None
        else:
            moved.append(match_id)
    yield from _stuck(store, views, served, built, moved, patience)
    fields = set[str]()
    for target in (served, built):
        for page in views.part_pages(target):
            fields |= page
            yield None
    for field in sorted({"rows", "after"} & fields | {"rows"}):
        yield from _compared(views, field, served, built)
    for match_id, why in sorted(views.parked(built).items()):
        if match_id not in views.parked(served):
            yield Difference("parked", match_id, None, why["reason"])
    for field in sorted(field for field in fields if field.startswith("l:")):
        yield None
        yield from _listed(views, field, served, built, lambda match_id: _same_version(views, match_id, served, built))
    if moved:
        return
    for field in sorted(fields):
        yield None
        if field.startswith(("t:", "r:")):
            yield from _counts(views, field, served, built)
        if field.startswith("board:"):
            yield from _listed(views, field, served, built, lambda _player: True)


def other_versions(views: ReadModels, served: Target, built: Target, hold: Hold) -> Iterator[str]:
    """Yields the matches that the two generations have at different versions."""
    for match_id in _other_versions(views, served, built):
        if match_id is None:
            hold()
        else:
            yield match_id


def _other_versions(views: ReadModels, served: Target, built: Target) -> Iterator[str | None]:
    for one, other in ((served, built), (built, served)):
        stored = views.all_stored(one, "seen")
        while chunk := dict(islice(stored, CHUNK)):
            yield None
            others = views.stored(other, list(chunk), "seen")
            for (match_id, version), counterpart in zip(chunk.items(), others, strict=True):
                if version != counterpart and (one is served or counterpart is None):
                    yield match_id


def is_cut(store: Store, match_id: str, version: int) -> bool:
    """Returns whether the log has lost a version that was read before."""
    return version > 0 and not store.read(match_id, version - 1, 1)


def _stuck(
    store: Store, views: ReadModels, served: Target, built: Target, moved: Sequence[str], patience: float
) -> Iterator[Difference]:
    """Yields the matches whose versions differ for another reason than moves made in the meantime."""
    deadline = time.monotonic() + patience
    for match_id in moved:
        while True:
            old, new = views.seen(served, match_id), views.seen(built, match_id)
            if old == new or (old > new and not is_cut(store, match_id, old)):
                break
            if old > new or time.monotonic() > deadline:
                yield Difference("seen", match_id, old, new)
                break
            time.sleep(LOOK_SECONDS)  # The worker is still catching up the served generation.


def _listed(
    views: ReadModels, field: str, served: Target, built: Target, settled: Callable[[str], bool]
) -> Iterator[Difference]:
    """Compares a list or a leaderboard: its members and their scores."""
    old, new = views.ranking(served, field), views.ranking(built, field)
    for member in sorted(old.keys() | new.keys()):
        if old.get(member) != new.get(member) and settled(member):
            yield Difference(field, member, old.get(member), new.get(member))


def _compared(views: ReadModels, field: str, served: Target, built: Target) -> Iterator[Difference | None]:
    """Compares a table in both directions, a chunk at a time."""
    for one, other in ((built, served), (served, built)):
        rows = views.all_stored(one, field)
        while chunk := dict(islice(rows, CHUNK)):
            yield None
            ids = list(chunk)
            others = dict(zip(ids, views.stored(other, ids, field), strict=True))
            for match_id in ids:
                if one is served and others[match_id] is not None:
                    continue  # compared in the first pass
                if chunk[match_id] != others[match_id] and _same_version(views, match_id, served, built):
                    pair = (others[match_id], chunk[match_id]) if one is built else (chunk[match_id], None)
                    yield Difference(field, match_id, *map(_row, pair))


def _same_version(views: ReadModels, match_id: str, served: Target, built: Target) -> bool:
    return views.seen(served, match_id) == views.seen(built, match_id)


def _counts(views: ReadModels, field: str, served: Target, built: Target) -> Iterator[Difference]:
    old, new = views.table(served, field), views.table(built, field)
    for name in sorted(old.keys() | new.keys()):
        if old.get(name, b"0") != new.get(name, b"0"):
            yield Difference(field, name, _shown(old.get(name)), _shown(new.get(name)))


def _row(data: bytes | None) -> Any:
    try:
        return None if data is None else msgpack.unpackb(data)
    except (ValueError, msgpack.UnpackException):
        return Unreadable(data or b"")


def _shown(value: bytes | None) -> Any:
    """Formats a total or a rating."""
    if value is None or value.lstrip(b"-").isdigit():
        return None if value is None else int(value)
    found = _row(value)
    return f"{found[0]:.2f} ± {found[1]:.2f}" if isinstance(found, list) and len(found) == 2 else found
