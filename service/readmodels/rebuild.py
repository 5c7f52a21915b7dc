"""A read model made anew beside the one that is served: build, compare, promote, roll back.

The worker goes on with what is served, and with what was served before, so that going back loses nothing. A build has a
lease of its own; one that is killed leaves what is served as it was, and the next build begins a new generation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from domain.errors import FoldtableError
from domain.game import AnyGame
from domain.store import SHARDS, Store, UnavailableError, is_sharded, shard_of
from projections import PROJECTIONS
from service.ports.readmodels import GENERATIONS, Batch, FencedError, Lease, ReadModels, Target
from service.readmodels.diff import is_cut, other_versions
from service.readmodels.projector import Folded, Projector
from service.readmodels.ratings import settle

LEASE_MS = 15_000
PATIENCE_SECONDS = 16.0
"""Longer than the lease: who was killed holds up the next one so long, who works holds it up for good."""
LOOK_SECONDS = 0.25
NAMED = 5
"""Matches that are named in one sentence."""


class RebuildError(FoldtableError):
    """Why it cannot be done, for whoever asked."""


def rebuild(
    store: Store, views: ReadModels, games: Mapping[str, AnyGame], name: str, told: Callable[[Folded], None]
) -> Target:
    """A new generation with everything in it that the log holds by the end. Raises ``RebuildError`` and ``FencedError``."""
    with rebuilt(store, views, games, name, told) as (target, _hold):
        return target


@contextmanager
def rebuilt(
    store: Store, views: ReadModels, games: Mapping[str, AnyGame], name: str, told: Callable[[Folded], None]
) -> Iterator[tuple[Target, Callable[[], None]]]:
    """As ``rebuild``, and no other build takes its place as long as one looks at it and calls what is given with it."""
    with _at_work(views, name) as lease:
        _discard_leftovers(views, lease, name)
        target = views.next_generation(name)
        batch = Batch()
        batch.name_generation("building", target)
        views.write(lease, batch)
        try:
            _fill(store, views, games, lease, target, told)
        except BaseException:
            # Who is told to stop takes the half of it along; who is killed leaves that to the next build.
            with suppress(FencedError, UnavailableError):
                _discard_leftovers(views, lease, name)
            raise
        batch = Batch()
        batch.name_generation("built", target)
        batch.unname_generation("building", name)
        views.write(lease, batch)
        yield target, lambda: views.write(lease, Batch())


def promote(
    store: Store, views: ReadModels, games: Mapping[str, AnyGame], name: str, *, anyway: bool = False
) -> Target:
    """Serves what was built, from now on. What was served stays at hand; what had been at hand is deleted.

    Raises ``RebuildError`` if it lacks matches or versions that are served, for their log cannot be read any more, unless they
    are to go ``anyway``.
    """
    with _at_work(views, name) as lease:
        target = views.generations("built").get(name)
        if target is None:
            raise RebuildError(f"no build of {name} waits to be served: foldtable projections rebuild {name} makes one")
        _fill(store, views, games, lease, target, lambda _done: None)
        before, oldest = views.generations("serving").get(name), views.generations("previous").get(name)
        if before is not None and not anyway and (lost := _lost(store, views, lease, before, target)):
            raise RebuildError(_lacks(target, before, sorted(lost)))
        batch = _switched(target, before)
        batch.unname_generation("built", name)
        if oldest is not None:
            batch.discard(oldest)
        views.write(lease, batch)
        views.empty_trash()
    return target


def _lost(store: Store, views: ReadModels, lease: Lease, before: Target, target: Target) -> set[str]:
    """The matches of which the one that is served knows more than the log does."""
    lost = set(views.parked(target).keys() - views.parked(before).keys())
    for match_id in other_versions(views, before, target, lambda: views.write(lease, Batch())):
        version = views.seen(before, match_id)
        if version > views.seen(target, match_id) and is_cut(store, match_id, version):
            lost.add(match_id)
    return lost


def _lacks(target: Target, before: Target, lost: Sequence[str]) -> str:
    named = ", ".join(lost[:NAMED]) + (" and more" if len(lost) > NAMED else "")
    return (
        f"{target} lacks what {before} has: {named}. foldtable projections parked and foldtable audit say why;"
        f" promote {target.name} --anyway serves it all the same"
    )


def rollback(views: ReadModels, name: str) -> Target:
    """Serves again what was served before. The two can be exchanged as often as one likes."""
    with _at_work(views, name) as lease:
        target, before = views.generations("previous").get(name), views.generations("serving").get(name)
        if target is None:
            raise RebuildError(f"there is no earlier generation of {name}")
        views.write(lease, _switched(target, before))
    return target


def _switched(target: Target, before: Target | None) -> Batch:
    """The writes after which ``target`` is read, and ``before`` is the earlier one."""
    batch = Batch()
    for kind in ("serving", "ready"):
        batch.name_generation(kind, target)
    if before is not None:
        batch.name_generation("previous", before)
    batch.announce(GENERATIONS)
    return batch


def retry(store: Store, views: ReadModels, match_id: str | None) -> int:
    """Asks the worker to project a match again, or all parked ones. Returns how many. Raises ``RebuildError`` if unknown."""
    asked: dict[str, int] = {}
    if match_id is not None:
        asked = {match_id: _changed_at(store, match_id)}
    else:
        for target in (*views.generations("serving").values(), *views.generations("previous").values()):
            asked |= {parked: why["at"] for parked, why in views.parked(target).items()}
    if asked:
        views.ask_again(asked)
    return len(asked)


def _changed_at(store: Store, match_id: str) -> int:
    changes = store.changes(shard_of(match_id)) if is_sharded(match_id) else ()
    for changed in changes:
        if changed.match_id == match_id:
            return changed.at
    raise RebuildError(f"there is no match {match_id}")


# -- building ---------------------------------------------------------------------------------------------------------


@contextmanager
def _at_work(views: ReadModels, name: str) -> Iterator[Lease]:
    """Alone on this read model, but for the worker. Waits for who was killed at it. Raises ``RebuildError``."""
    if name not in PROJECTIONS:
        raise RebuildError(f"the read models are {', '.join(PROJECTIONS)}")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (lease := views.claim(f"build:{name}", LEASE_MS)) is None:
        if time.monotonic() > deadline:
            raise RebuildError(f"{name} is being built by another process")
        time.sleep(LOOK_SECONDS)
    try:
        yield lease
    finally:
        with suppress(FencedError, UnavailableError):
            views.release(lease)


def is_at_work(views: ReadModels, name: str) -> bool:
    """Whether somebody builds it, or has been killed a moment ago."""
    return views.is_claimed(f"build:{name}")


def _discard_leftovers(views: ReadModels, lease: Lease, name: str) -> None:
    """Of builds that were killed or never promoted."""
    for kind in ("building", "built"):
        target = views.generations(kind).get(name)
        if target is not None:
            batch = Batch()
            batch.unname_generation(kind, name)
            batch.discard(target)
            views.write(lease, batch)
    views.empty_trash()


def _fill(
    store: Store,
    views: ReadModels,
    games: Mapping[str, AnyGame],
    lease: Lease,
    target: Target,
    told: Callable[[Folded], None],
) -> None:
    projector = Projector(store, views, games, lease)
    projector.take_on([target])
    projector.catch_up(range(SHARDS), told)
    settle(views, target, lease)


def size(store: Store) -> int:
    """How many matches there are; reads the whole change index."""
    return sum(len(store.changes(shard)) for shard in range(SHARDS))
