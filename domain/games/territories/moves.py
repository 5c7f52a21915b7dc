"""The moves of the game, and every possible one as an object made once."""

from __future__ import annotations

from dataclasses import dataclass

from domain.games.territories.components import NEIGHBOURS, SPACES, Space


@dataclass(frozen=True, slots=True)
class Place:
    """Put a blocker from the supply on a space (TR-2, TR-3)."""

    at: Space


@dataclass(frozen=True, slots=True)
class Move:
    """Push a blocker to a space beside it (TR-4)."""

    from_: Space
    to: Space


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass the turn, because no own blocker can move (TR-5)."""


AnyMove = Place | Move | Pass

PLACES = tuple(Place(space) for space in SPACES)
"""The placement on each space, in the order of ``SPACES``."""

STEPS = tuple(tuple((to, Move(SPACES[start], SPACES[to])) for to in beside) for start, beside in enumerate(NEIGHBOURS))
"""The indices of the spaces beside each space, each with the move of a blocker that goes there."""

PASS = Pass()
