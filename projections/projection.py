"""The contract of a read model: a frozen record of functions of the facts of a match.

A row is plain data of the whole match so far, not of a commit. So undo needs no care (a row is made from the newest state, on
which nothing undone has any effect), writing a row twice changes nothing, and removing a row removes all that it had added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from projections.match_facts import MatchFacts

Row = dict[str, Any]
"""Plain data, which msgpack packs and unpacks unchanged."""

Places = Mapping[str, int | None]
"""The lists that a row stands in, each with the row's place in it; ``None``: the time of its last change."""

Totals = Mapping[str, Mapping[str, int]]
"""The numbers that a row adds to counts: subject (a game, a player's list) → name of the count → number."""


def no_places(row: Row) -> Places:
    """Puts the row in no list: for read models that are read by match id only."""
    return {}


def no_totals(row: Row) -> Totals:
    """Adds nothing to counts: for read models without totals."""
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
    """One read model. All functions are pure."""

    name: str
    """The name of the read model in keys and commands."""
    row: Callable[[MatchFacts], Row | None]
    """(facts of a match) → its row; ``None``: the match has none, yet or any more."""
    places: Callable[[Row], Places] = no_places
    totals: Callable[[Row], Totals] = no_totals
    across: AcrossMatches | None = None
    """``None``: each match stands for itself."""
    revision: int = 1
    """Must be raised when any of these functions gives another result: the worker then rebuilds the read model."""
