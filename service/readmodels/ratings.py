"""Folds across matches: ratings from results in their order, whenever a result is added, changed or removed.

Results are rows of a read model that has the function field ``across``; for one without it, nothing here does anything. A
mark for each game names the first result that the ratings do not include; everything from there on is folded again. That is
usually the newest result, and more after a late or voided one. Each page of results is one write that also moves the mark,
so this can be killed at any point.

Parts: ``after`` match → the ratings of its players after it, ``r:<game>`` player → current rating, ``board:<game>`` the
leaderboard, ``mark`` game → the first result that is not included, ``touched:<game>`` players who have lost a result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from projections import PROJECTIONS
from projections.projection import AcrossMatches, Row
from service.ports.readmodels import RATINGS, Batch, Lease, Position, ReadModels, Target, packed

PAGE = 200
"""The most results of one write."""

Change = tuple[str, Row | None, Row | None]
"""A match with its result before and after."""

Values = dict[str, Any]
"""Player → rating, of the players met so far."""


def across(target: Target) -> AcrossMatches | None:
    return PROJECTIONS[target.name].across


def mark_results(views: ReadModels, target: Target, changes: Iterable[Change], batch: Batch) -> None:
    """Marks, in the same write as the results, the first result from which the ratings must be folded again."""
    fold = across(target)
    if fold is None:
        return
    first: dict[str, Position] = {}
    for match_id, before, after in changes:
        if before == after:
            continue
        for row in (before, after):
            if row is not None:
                group, position = fold.group(row), (fold.at(row), match_id)
                first[group] = min(first.get(group, position), position)
        if before is not None:
            batch.drop(target.part("after"), match_id)
            batch.add_members(target.part("touched", fold.group(before)), fold.players(before))
    marks = views.marks(target) if first else {}
    for group, position in first.items():
        batch.put(target.part("mark"), group, packed(min(position, marks.get(group, position))))


def is_settled(views: ReadModels, target: Target, group: str, match_id: str) -> bool:
    """Returns whether the ratings include the current result of a match; for a removed one, whether no fold is pending."""
    fold = across(target)
    if fold is None:
        return True
    mark = views.marks(target).get(group)
    (row,) = views.rows(target, [match_id])
    return mark is None or (row is not None and (fold.at(row), match_id) < mark)


def settle(views: ReadModels, target: Target, lease: Lease) -> int:
    """Folds all results from the marks on; returns their number. Raises ``FencedError`` and ``UnavailableError``."""
    return sum(settling(views, target, lease))


def settling(views: ReadModels, target: Target, lease: Lease) -> Iterator[int]:
    """Does the same, and yields after each write the number of its results, so that the work may be interrupted."""
    fold = across(target)
    if fold is not None:
        for group, mark in views.marks(target).items():
            yield from _Fold(views, target, fold, group).run(mark, lease)


class _Fold:
    """One fold of the results of one group, from a mark on."""

    def __init__(self, views: ReadModels, target: Target, fold: AcrossMatches, group: str) -> None:
        self._views = views
        self._target = target
        self._fold = fold
        self._group = group
        self._known: Values = {}
        """The ratings at this point of the fold, of the players met so far."""

    def run(self, mark: Position, lease: Lease) -> Iterator[int]:
        """Folds; yields the number of results of each write."""
        for page in self._pages(mark):
            batch, rows = Batch(), self._views.rows(self._target, [match_id for _at, match_id in page])
            present = [(position, row) for position, row in zip(page, rows, strict=True) if row is not None]
            self._look_up(present)
            for (_at, match_id), result in present:
                after = self._fold.after(result, self._known)
                self._known |= after
                batch.put(self._target.part("after"), match_id, packed(after))
            for player in {player for _position, result in present for player in self._fold.players(result)}:
                self._place(player, self._known[player], batch)
            # "\0" makes the first place after the last result of this page.
            batch.put(self._target.part("mark"), self._group, packed((page[-1][0], page[-1][1] + "\0")))
            batch.announce(RATINGS)
            self._views.write(lease, batch)
            yield len(present)
        self._finish(lease)

    def _pages(self, mark: Position) -> Iterator[list[Position]]:
        """Yields the results from the mark on, in order, in pages."""
        place, start = self._fold.order(self._group), 0
        while True:
            rows = self._views.since(self._target, place, mark[0], start, PAGE)
            page = [row for row in rows if row >= mark]
            if page:
                yield page
            if len(rows) < PAGE:
                return
            start += PAGE

    def _look_up(self, results: Sequence[tuple[Position, Row]]) -> None:
        """Looks up the earlier ratings of players who appear in this fold for the first time."""
        first: dict[str, Position] = {}
        for position, result in results:
            for player in self._fold.players(result):
                if player not in self._known:
                    first.setdefault(player, position)
        self._known |= self._before(first)

    def _before(self, when: Mapping[str, Position | None]) -> Values:
        """Returns the ratings of players right before a position, or now (``None``), without players who have none."""
        lists = {player: self._fold.results(self._group, player) for player in when}
        last = {player: self._views.page(self._target, lists[player], when[player], 1) for player in when}
        matches = {player: page[0][1] for player, page in last.items() if page}
        rows = self._views.rows(self._target, list(matches.values()), "after")
        pairs = zip(matches, rows, strict=True)
        return {player: row[player] for player, row in pairs if row is not None and player in row}

    def _place(self, player: str, value: Any, batch: Batch) -> None:
        batch.put(self._target.part("r", self._group), player, packed(value))
        batch.rank(self._target.part("board", self._group), player, self._fold.score(value))

    def _finish(self, lease: Lease) -> None:
        """Removes the mark, and gives players who have lost a result the rating after their last one, or none."""
        touched = self._views.touched(self._target, self._group)
        now, batch = self._before(dict.fromkeys(touched)), Batch()
        for player in touched:
            if player in now:
                self._place(player, now[player], batch)
            else:
                batch.drop(self._target.part("r", self._group), player)
                batch.unrank(self._target.part("board", self._group), player)
        batch.drop(self._target.part("mark"), self._group)
        batch.clear(self._target.part("touched", self._group))
        batch.announce(RATINGS)
        self._views.write(lease, batch)
