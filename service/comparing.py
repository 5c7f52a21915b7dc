"""Two generations of a read model, compared: row by row, list by list, count by count, as they are stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgpack

from service.adapters.redis_store import answering
from service.adapters.redis_views import RedisViews, Target

CHUNK = 500


@dataclass(frozen=True, slots=True)
class Difference:
    """A row or count that the new generation has otherwise than the one that is served. ``None``: not at all."""

    place: str
    field: str
    served: Any
    built: Any


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Bytes that no row is stored as."""

    data: bytes


def differences(views: RedisViews, served: Target, built: Target) -> Iterator[Difference]:
    """Where the two are not the same, leaving out matches that only one of them has up to date just now.

    What is summed up over matches (totals, ratings, leaderboards) is compared only if both have the same versions of all.
    """
    fields = _fields(views, served) | _fields(views, built)
    for field in sorted({"rows", "after"} & fields | {"rows"}):
        yield from _compared(views, field, served, built)
    for match_id, why in sorted(views.parked(built).items()):
        if match_id not in views.parked(served):
            yield Difference("parked", match_id, None, why["reason"])
    for field in sorted(field for field in fields if field.startswith("l:")):
        yield from _listed(views, field, served, built, lambda match_id: _same_version(views, match_id, served, built))
    if _content(views, served, "seen") != _content(views, built, "seen"):
        return
    for field in sorted(fields):
        if field.startswith(("t:", "r:")):
            yield from _counts(views, field, served, built)
        if field.startswith("board:"):
            yield from _listed(views, field, served, built, lambda _player: True)


def _content(views: RedisViews, target: Target, field: str) -> Any:
    with answering():
        return views.client.hgetall(target.key(field))


def _listed(
    views: RedisViews, field: str, served: Target, built: Target, settled: Callable[[str], bool]
) -> Iterator[Difference]:
    """Who stands in a list or on a board, and where."""
    with answering():
        rows: Any = [views.client.zrange(target.key(field), 0, -1, withscores=True) for target in (served, built)]
    old, new = map(dict, rows)
    for member in sorted(old.keys() | new.keys()):
        if old.get(member) != new.get(member) and settled(member.decode()):
            yield Difference(field, member.decode(), old.get(member), new.get(member))


def _fields(views: RedisViews, target: Target) -> set[str]:
    with answering():
        keys = [key.decode() for key in views.client.scan_iter(match=target.key("*"), count=1000)]
    return {key.removeprefix(target.key() + ":") for key in keys}


def _compared(views: RedisViews, field: str, served: Target, built: Target) -> Iterator[Difference]:
    """Both ways, a chunk at a time."""
    for one, other in ((built, served), (served, built)):
        rows = views.all_stored(one, field)
        while chunk := dict(islice(rows, CHUNK)):
            ids = list(chunk)
            others = dict(zip(ids, views.stored(other, ids, field), strict=True))
            for match_id in ids:
                if one is served and others[match_id] is not None:
                    continue  # compared the first time
                if chunk[match_id] != others[match_id] and _same_version(views, match_id, served, built):
                    pair = (others[match_id], chunk[match_id]) if one is built else (chunk[match_id], None)
                    yield Difference(field, match_id, *map(_row, pair))


def _same_version(views: RedisViews, match_id: str, served: Target, built: Target) -> bool:
    return views.seen(served, match_id) == views.seen(built, match_id)


def _counts(views: RedisViews, field: str, served: Target, built: Target) -> Iterator[Difference]:
    with answering():
        old: Any = views.client.hgetall(served.key(field))
        new: Any = views.client.hgetall(built.key(field))
    for name in sorted(old.keys() | new.keys()):
        if old.get(name, b"0") != new.get(name, b"0"):
            yield Difference(field, name.decode(), _shown(old.get(name)), _shown(new.get(name)))


def _row(data: bytes | None) -> Any:
    try:
        return None if data is None else msgpack.unpackb(data)
    except (ValueError, msgpack.UnpackException):
        return Unreadable(data or b"")


def _shown(value: bytes | None) -> Any:
    """A total, or a rating."""
    if value is None or value.lstrip(b"-").isdigit():
        return None if value is None else int(value)
    found = _row(value)
    return f"{found[0]:.2f} ± {found[1]:.2f}" if isinstance(found, list) and len(found) == 2 else found
