"""What a read model is: a frozen record of functions of a match's story.

A row is plain data of the whole match so far, not of a commit. So undo needs no care (what was undone is not in the story's
end), writing a row twice changes nothing, and a row that is taken out takes with it what it had added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
class Projection:
    name: str
    row: Callable[[Story], Row | None]
    """``None``: this match has no part in it (yet, or any more)."""
    places: Callable[[Row], Places] = no_places
    totals: Callable[[Row], Totals] = no_totals
    revision: int = 1
    """Goes up whenever any of these comes to something else: then the worker makes the read model anew."""
