"""A read model made anew beside the one that is served: build, compare, promote, roll back.

The worker goes on with what is served, and with what was served before, so that going back loses nothing. A build has a
lease of its own; one that is killed leaves what is served as it was, and the next build begins a new generation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgpack

from domain.game import AnyGame
from domain.store import SHARDS, Store
from projections import PROJECTIONS
from service.adapters.redis_store import answering
from service.adapters.redis_views import ROOT, Batch, Lease, RedisViews, Target
from service.projector import Done, Projector
from service.rating import settle

LEASE_MS = 30_000
CHUNK = 500


class Impossible(Exception):
    """Why it cannot be done, for whoever asked."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A row or count that the new generation has otherwise than the one that is served. ``None``: not at all."""

    place: str
    field: str
    served: Any
    built: Any


def rebuild(
    store: Store, views: RedisViews, games: Mapping[str, AnyGame], name: str, told: Callable[[Done], None]
) -> Target:
    """A new generation with everything in it that the log holds by the end. Raises ``Impossible`` and ``Fenced``."""
    lease = _claim(views, name)
    _discard_leftovers(views, lease, name)
    target = views.next_generation(name)
    _note(views, lease, views.naming("building", target))
    _fill(store, views, games, lease, target, told)
    _note(
        views,
        lease,
        views.naming("built", target),
        views.unnaming("building", name),
        ("DEL", lease.key),
    )
    return target


def promote(store: Store, views: RedisViews, games: Mapping[str, AnyGame], name: str) -> Target:
    """Serves what was built, from now on. What was served stays at hand; what had been at hand is deleted."""
    target = views.generations("built").get(name)
    if target is None:
        raise Impossible(f"nothing is built: foldtable projections rebuild {name}")
    lease = _claim(views, name)
    _fill(store, views, games, lease, target, lambda _done: None)
    before, oldest = views.generations("serving").get(name), views.generations("previous").get(name)
    _note(views, lease, *_switched(views, target, before), views.unnaming("built", name), ("DEL", lease.key))
    if oldest is not None:
        views.discard(oldest)
    return target


def rollback(views: RedisViews, name: str) -> Target:
    """Serves again what was served before. The two can be exchanged as often as one likes."""
    target, before = views.generations("previous").get(name), views.generations("serving").get(name)
    if target is None:
        raise Impossible(f"there is no earlier generation of {name}")
    lease = _claim(views, name)
    _note(views, lease, *_switched(views, target, before), ("DEL", lease.key))
    return target


def _switched(views: RedisViews, target: Target, before: Target | None) -> list[tuple[Any, ...]]:
    commands = [views.naming(kind, target) for kind in ("serving", "ready")]
    return commands + ([] if before is None else [views.naming("previous", before)])


def retry(views: RedisViews, match_id: str | None) -> int:
    """Has the worker do parked matches once more, one or all of them. How many."""
    asked: dict[str, int] = {}
    for target in (*views.generations("serving").values(), *views.generations("previous").values()):
        asked |= {parked: why["at"] for parked, why in views.parked(target).items() if match_id in (None, parked)}
    if asked:
        with answering():
            views.client.hset(f"{ROOT}:retry", mapping=dict(asked.items()))
    return len(asked)


# -- building ---------------------------------------------------------------------------------------------------------


def _claim(views: RedisViews, name: str) -> Lease:
    if name not in PROJECTIONS:
        raise Impossible(f"the read models are {', '.join(PROJECTIONS)}")
    lease = views.claim(f"build:{name}", LEASE_MS)
    if lease is None:
        raise Impossible(f"{name} is being built by another just now (or was, half a minute ago)")
    return lease


def _discard_leftovers(views: RedisViews, lease: Lease, name: str) -> None:
    """Of builds that were killed or never promoted."""
    for kind in ("building", "built"):
        target = views.generations(kind).get(name)
        if target is not None:
            views.discard(target)
            _note(views, lease, views.unnaming(kind, name))


def _note(views: RedisViews, lease: Lease, *commands: tuple[Any, ...]) -> None:
    batch = Batch()
    for command in commands:
        batch.also(*command)
    views.write(lease, batch)


def _fill(
    store: Store,
    views: RedisViews,
    games: Mapping[str, AnyGame],
    lease: Lease,
    target: Target,
    told: Callable[[Done], None],
) -> None:
    projector = Projector(store, views, games, lease)
    projector.take_on([target])
    projector.catch_up(range(SHARDS), told)
    if target.name == "ratings":
        settle(views, target, lease)


def size(store: Store) -> int:
    """How many matches there are; reads the whole change index."""
    return sum(len(store.changes(shard)) for shard in range(SHARDS))


# -- comparing --------------------------------------------------------------------------------------------------------


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
        rows = views.all_rows(one, field)
        while chunk := dict(islice(rows, CHUNK)):
            ids = list(chunk)
            others = dict(zip(ids, views.rows(other, ids, field), strict=True))
            for match_id in ids:
                if one is served and others[match_id] is not None:
                    continue  # compared the first time
                if chunk[match_id] != others[match_id] and _same_version(views, match_id, served, built):
                    pair = (others[match_id], chunk[match_id]) if one is built else (chunk[match_id], None)
                    yield Difference(field, match_id, *pair)


def _same_version(views: RedisViews, match_id: str, served: Target, built: Target) -> bool:
    return views.seen(served, match_id) == views.seen(built, match_id)


def _counts(views: RedisViews, field: str, served: Target, built: Target) -> Iterator[Difference]:
    with answering():
        old: Any = views.client.hgetall(served.key(field))
        new: Any = views.client.hgetall(built.key(field))
    for name in sorted(old.keys() | new.keys()):
        if old.get(name, b"0") != new.get(name, b"0"):
            yield Difference(field, name.decode(), _shown(old.get(name)), _shown(new.get(name)))


def _shown(value: bytes | None) -> Any:
    if value is None or value.lstrip(b"-").isdigit():
        return None if value is None else int(value)
    mean, deviation = msgpack.unpackb(value)
    return f"{mean:.2f} ± {deviation:.2f}"
