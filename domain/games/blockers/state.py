"""The options, the state, and the order of turns and colours.

BL-1, BL-3, BL-20: turns go round from the first seat, colours go round from seat 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from domain.games.blockers.components import TURNS
from domain.hidden import Bag
from domain.validation import Between, MalformedError

Scoring = Literal["blockers", "uptown"]


@dataclass(frozen=True, slots=True)
class Options:
    scoring: Scoring = "blockers"
    """``uptown`` counts groups only (BL-17)."""
    first_seat: Annotated[int, Between(0, 4)] | None = None
    """The seat that starts; drawn if it is not given (BL-3)."""


def options_fault(options: Options, seats: int) -> MalformedError | None:
    if options.first_seat is not None and options.first_seat >= seats:
        return MalformedError("first_seat", f"must be a seat of the match, 0 to {seats - 1}")
    return None


@dataclass(frozen=True, slots=True)
class State:
    """The state of a match. Racks and piles: one a colour, in the order of ``COLOURS``; captures: one a seat."""

    scoring: Scoring
    first_seat: int
    turns: int
    """The turns taken so far by all seats together, passes included."""
    colours: str
    """The colour of the tile on each space: ``board.COLOUR_GLYPHS``, nine rows joined by ``/``."""
    tiles: str
    """The tile on each space: ``board.TILE_GLYPHS``, in the same form."""
    racks: tuple[Bag, ...]
    piles: tuple[Bag, ...]
    captured: tuple[tuple[str, ...], ...]
    """The glyphs of the captured tiles, sorted, by seat and colour."""

    @property
    def seats(self) -> int:
        return len(self.captured)

    @property
    def mover(self) -> int:
        """The seat whose turn it is, or would be if the match went on."""
        return (self.first_seat + self.turns) % len(self.captured)

    @property
    def over(self) -> bool:
        """True once all turns are taken (BL-14)."""
        return self.turns >= TURNS * len(self.racks)

    def own(self, seat: int) -> range:
        """The numbers of a seat's colours."""
        return range(seat, len(self.racks), len(self.captured))

    def turns_of(self, seat: int) -> int:
        """The number of turns that a seat has taken."""
        seats = len(self.captured)
        return (self.turns + seats - 1 - (seat - self.first_seat) % seats) // seats


def colours_in_play(seats: int) -> int:
    """BL-1, BL-20: the number of colours in play with this many seats."""
    return 4 if seats == 2 else seats
