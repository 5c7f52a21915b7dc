"""Rebuilds a read model beside the serving generation: build, compare, promote, roll back.

The worker keeps the serving and the previous generation up to date, so that a rollback loses nothing. A build holds a lease
of its own, so that two builds never write one generation; a killed build leaves the serving generation unchanged, and the
next build starts a new one.
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
"""The wait for the lease: longer than a killed build still holds it. A running build extends it, so the next one gives up."""
LOOK_SECONDS = 0.25
NAMED = 5
"""The most matches named in one sentence."""


class RebuildError(FoldtableError):
    """The action is not possible; the message tells the operator why."""


def rebuild(
    store: Store, views: ReadModels, games: Mapping[str, AnyGame], name: str, report: Callable[[Folded], None]
) -> Target:
    """Builds a new generation from the whole log, including commits made during the build; returns it.

    ``report`` gets the progress. Raises ``RebuildError`` and ``FencedError``.
    """
    with rebuild_and_hold(store, views, games, name, report) as (target, _hold):
        return target


@contextmanager
def rebuild_and_hold(
    store: Store, views: ReadModels, games: Mapping[str, AnyGame], name: str, report: Callable[[Folded], None]
) -> Iterator[tuple[Target, Callable[[], None]]]:
    """Builds as ``rebuild`` does, and keeps the lease inside the ``with`` block, so that no other build discards the generation.

    The second value extends the lease: call it often.
    """
    with _building(views, name) as lease:
        _discard_leftovers(views, lease, name)
        target = views.next_generation(name)
        batch = Batch()
        batch.name_generation("building", target)
        views.write(lease, batch)
        try:
            _fill(store, views, games, lease, target, report)
        except BaseException:
            # A stopped build deletes its unfinished generation; a killed one leaves that to the next build.
            with suppress(FencedError, UnavailableError):
                _discard_leftovers(views, lease, name)
            raise
        batch = Batch()
        batch.name_generation("built", target)
        batch.unname_generation("building", name)
        views.write(lease, batch)
        yield target, lambda: views.write(lease, Batch())


def promote(store: Store, views: ReadModels, games: Mapping[str, AnyGame], name: str, *, force: bool = False) -> Target:
    """Serves the built generation. The one served before becomes the previous one, and the previous one is deleted.

    Raises ``RebuildError`` if the built generation lacks matches or versions that are served now, because their log can no
    longer be read; ``force`` promotes it all the same.
    """
    with _building(views, name) as lease:
        target = views.generations("built").get(name)
        if target is None:
            raise RebuildError(
                f"there is no build of {name} to promote; foldtable projections rebuild {name} makes one"
            )
        _fill(store, views, games, lease, target, lambda _done: None)
        before, oldest = views.generations("serving").get(name), views.generations("previous").get(name)
        if before is not None and not force and (lost := lost_matches(store, views, lease, before, target)):
            raise RebuildError(_lacks(target, before, sorted(lost)))
        batch = switched(target, before)
        batch.unname_generation("built", name)
        if oldest is not None:
            batch.discard(oldest)
        views.write(lease, batch)
        views.empty_trash()
    return target


def lost_matches(store: Store, views: ReadModels, lease: Lease, before: Target, target: Target) -> set[str]:
    """Returns the matches of which the serving generation includes more than the log still contains."""
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
        f" promote {target.name} --anyway serves it nevertheless"
    )


def rollback(views: ReadModels, name: str) -> Target:
    """Exchanges the serving and the previous generation; can be repeated. Raises ``RebuildError`` if there is no previous one."""
    with _building(views, name) as lease:
        target, before = views.generations("previous").get(name), views.generations("serving").get(name)
        if target is None:
            raise RebuildError(f"there is no earlier generation of {name}")
        views.write(lease, switched(target, before))
    return target


def switched(target: Target, before: Target | None) -> Batch:
    """Returns the writes that make ``target`` the serving generation and ``before`` the previous one."""
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
        views.request_retry(asked)
    return len(asked)


def _changed_at(store: Store, match_id: str) -> int:
    changes = store.changes(shard_of(match_id)) if is_sharded(match_id) else ()
    for changed in changes:
        if changed.match_id == match_id:
            return changed.at
    raise RebuildError(f"there is no match {match_id}")


# -- building ---------------------------------------------------------------------------------------------------------


@contextmanager
def _building(views: ReadModels, name: str) -> Iterator[Lease]:
    """Holds the lease on builds of this read model. Waits for that of a killed build to end. Raises ``RebuildError``."""
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


def is_building(views: ReadModels, name: str) -> bool:
    """Returns whether a build of this read model is running, or was killed within ``LEASE_MS``."""
    return views.is_claimed(f"build:{name}")


def _discard_leftovers(views: ReadModels, lease: Lease, name: str) -> None:
    """Discards the generations of builds that were killed or never promoted."""
    for kind in ("building", "built"):
        discard_build(views, lease, name, kind)
    views.empty_trash()


def discard_build(views: ReadModels, lease: Lease, name: str, kind: str) -> None:
    """Discards the generation in this role, if there is one. Its keys stay until the trash is emptied."""
    target = views.generations(kind).get(name)
    if target is not None:
        batch = Batch()
        batch.unname_generation(kind, name)
        batch.discard(target)
        views.write(lease, batch)


def _fill(
    store: Store,
    views: ReadModels,
    games: Mapping[str, AnyGame],
    lease: Lease,
    target: Target,
    report: Callable[[Folded], None],
) -> None:
    projector = Projector(store, views, games, lease)
    projector.set_targets([target])
    projector.catch_up(range(SHARDS), report)
    settle(views, target, lease)


def size(store: Store) -> int:
    """Returns the number of matches. Reads the whole change index."""
    return sum(len(store.changes(shard)) for shard in range(SHARDS))
