"""What a read model is: a frozen record of functions of a match's story.

A row is plain data of the whole match so far, not of a commit. So undo needs no care (what was undone is not in the story's
end), writing a row twice changes nothing, and a row that is taken out takes with it what it had added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from projections.match_facts import Story

Row = dict[str, Any]
"""Plain data: what msgpack keeps as it is."""

Places = Mapping[str, int | None]
"""The lists that a row stands in, and its place there; ``None``: by the time of its last change."""

Totals = Mapping[str, Mapping[str, int]]
"""What a row adds to counts: by subject (a game), the names of the counts."""


def no_places(row: Row) -> Places:
    return {}


def no_totals(row: Row) -> Totals:
    return {}


@dataclass(frozen=True, kw_only=True)
class AcrossMatches:
    """A second fold, of rows in their order: what a player's value is after a match depends on all matches before it.

    Rows of different groups (games) do not meet. A row stands in the lists that ``order`` and ``results`` name, at ``at``.
    """

    group: Callable[[Row], str]
    at: Callable[[Row], int]
    """Where the row comes in the order of its group; rows of one moment follow each other by match id."""
    players: Callable[[Row], Sequence[str]]
    order: Callable[[str], str]
    """Group → the list of its rows."""
    results: Callable[[str, str], str]
    """Group and player → the list of the player's rows."""
    after: Callable[[Row, Mapping[str, Any]], Mapping[str, Any]]
    """The values of a row's players after it, from their values before; a player without any is new."""
    score: Callable[[Any], float]
    """What a leaderboard orders a value by, the highest first."""
    new: Any
    """The value of a player without any row."""


@dataclass(frozen=True, kw_only=True)
class Projection:
    name: str
    row: Callable[[Story], Row | None]
    """``None``: this match has no part in it (yet, or any more)."""
    places: Callable[[Row], Places] = no_places
    totals: Callable[[Row], Totals] = no_totals
    across: AcrossMatches | None = None
    """``None``: each match stands for itself."""
    revision: int = 1
    """Goes up whenever any of these comes to something else: then the worker makes the read model anew."""
