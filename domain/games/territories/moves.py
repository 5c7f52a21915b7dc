"""What a seat may ask for, and every such move ready made."""

from __future__ import annotations

from dataclasses import dataclass

from domain.games.territories.components import NEIGHBOURS, SPACES, Space


@dataclass(frozen=True, slots=True)
class Place:
    """Put a blocker from the supply on a space."""

    at: Space


@dataclass(frozen=True, slots=True)
class Move:
    """Push a blocker to the space beside it."""

    from_: Space
    to: Space


@dataclass(frozen=True, slots=True)
class Pass:
    """Let the turn go by, because no own blocker can move."""


AnyMove = Place | Move | Pass

PLACES = tuple(Place(space) for space in SPACES)
"""By space."""

STEPS = tuple(tuple((to, Move(SPACES[start], SPACES[to])) for to in beside) for start, beside in enumerate(NEIGHBOURS))
"""By the space that the blocker leaves: the spaces beside it, each with the move that goes there."""

PASS = Pass()
