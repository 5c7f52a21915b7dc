"""Compares the read models with the log, in the worker's idle time, and repairs what differs.

Somebody else who writes into the store can change a row, a list or a rating without any log showing it. So from time to time
each read model is built a second time, beside the serving generation and from the log alone; then the worker keeps both up to
date while they are compared. If they differ, that is logged, an alarm is raised, and the new generation is served.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress

from domain.game import AnyGame
from domain.store import Store, UnavailableError
from projections import PROJECTIONS
from service.ports.readmodels import Batch, FencedError, Lease, ReadModels, Target
from service.readmodels.diff import Difference, compared
from service.readmodels.projector import Projector
from service.readmodels.ratings import settling
from service.readmodels.rebuild import LEASE_MS, discard_build, lost_matches, switched
from service.worker.schedule import Monotonic

FIRST_SECONDS = 60.0
"""The time after the start of the worker before it compares for the first time."""
LEAST_REST, MOST_REST = 600.0, 43_200.0
SHARE = 300
"""The pause between two rounds is so many times as long as the work of a round, within the bounds above."""
SYNC_SECONDS = 0.05
"""The pause until the worker has brought both generations up to date."""
NAMED = 3
"""The most differences that are named in the log and in the alarm."""

_log = logging.getLogger(__name__)


class ReadModelCheck:
    """One check after another of all read models. Its position is known to this process only."""

    def __init__(self, store: Store, views: ReadModels, games: Mapping[str, AnyGame], monotonic: Monotonic) -> None:
        self._store = store
        self._views = views
        self._games = games
        self._monotonic = monotonic
        self._round: Iterator[float | None] | None = None
        self._rest = FIRST_SECONDS
        self._worked = 0.0
        self.target: Target | None = None
        """The second generation, once the worker is to keep it up to date with the serving one."""
        self._in_step = False

    def note_step(self, targets: tuple[Target, ...]) -> None:
        """Notes that the worker has brought exactly these generations up to date, in the same writes."""
        self._in_step = self.target is not None and self.target in targets

    def step(self, seconds: float) -> float:
        """Works for about ``seconds``; returns the seconds until the next step is due. Raises ``UnavailableError``."""
        if self._round is None:
            self._round, self._worked, rest = self._over_all(), 0.0, self._rest
            if rest:
                self._rest = 0.0
                return rest
        began = self._monotonic()
        try:
            return self._continue(self._round, began + seconds)
        finally:
            self._worked += self._monotonic() - began

    def _continue(self, steps: Iterator[float | None], end: float) -> float:
        for wait in steps:
            if wait is not None:
                return wait
            if self._monotonic() >= end:
                return 0.0
        self._round = None
        return min(MOST_REST, max(LEAST_REST, SHARE * self._worked))

    def _over_all(self) -> Iterator[float | None]:
        """Checks every read model; yields wherever the work may be interrupted: ``None``, or seconds to wait."""
        for name in PROJECTIONS:
            try:
                yield from self._check_if_free(name)
            except FencedError:
                # Stopped for too long, so that an operator's build may have begun. The next round tries again.
                _log.info("the comparison of %s with the log was given up", name)
            finally:
                self.target = None
        yield from self._emptied()

    def _check_if_free(self, name: str) -> Iterator[float | None]:
        """Checks one read model, unless it is not complete yet, or an operator builds it or has built it to promote it."""
        served = self._views.generations("serving").get(name)
        if served is None or self._views.serving(name) != served or name in self._views.generations("built"):
            return
        lease = self._views.claim(f"build:{name}", LEASE_MS)
        if lease is None:
            return
        try:
            yield from self._check(name, served, lease)
        finally:
            with suppress(FencedError, UnavailableError):
                discard_build(self._views, lease, name, "building")
                self._views.release(lease)

    def _check(self, name: str, served: Target, lease: Lease) -> Iterator[float | None]:
        discard_build(self._views, lease, name, "building")
        built = self._views.next_generation(name)
        batch = Batch()
        batch.name_generation("building", built)
        self._views.write(lease, batch)
        yield from self._build(built, lease)
        self.target, self._in_step = built, False
        while not self._in_step:
            yield SYNC_SECONDS
            self._views.write(lease, Batch())
        if self._cannot_be_built(served, built, lease):
            _log.warning("%s was not compared with the log, because the audit has found logs that do not hold", served)
            return
        found = list[Difference]()
        for difference in compared(self._store, self._views, served, built, patience=0):
            if difference is None:
                self._views.write(lease, Batch())
                yield None
            else:
                found.append(difference)
        if found and self._views.generations("serving").get(name) == served:
            self._repair(served, built, found, lease)

    def _build(self, built: Target, lease: Lease) -> Iterator[None]:
        projector = Projector(self._store, self._views, self._games, lease, kept_commits=0)
        projector.set_targets([built])
        for _folded in projector.catching_up():
            yield None
        for _count in settling(self._views, built, lease):
            yield None

    def _cannot_be_built(self, served: Target, built: Target, lease: Lease) -> bool:
        """Returns whether the log has lost or damaged what is served: a matter of the audit, and no reason to drop rows."""
        return bool(lost_matches(self._store, self._views, lease, served, built))

    def _repair(self, served: Target, built: Target, found: list[Difference], lease: Lease) -> None:
        named = ", ".join(f"{each.place} {each.field}" for each in found[:NAMED])
        text = f"{len(found)} differences from the log: {named}{' and more' if len(found) > NAMED else ''}"
        _log.error("alarm: read model %s had %s. It was built again", served.name, text)
        self._views.raise_alarm(f"read model {served.name}", text)
        batch = switched(built, None)
        batch.unname_generation("building", served.name)
        batch.discard(served)
        self._views.write(lease, batch)

    def _emptied(self) -> Iterator[None]:
        yield from self._views.emptying_trash()
