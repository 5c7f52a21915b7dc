"""The state of a match, and the deal. Nothing is hidden in this game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from domain.game import Dice
from domain.games.territories.components import BLOCKERS, EMPTY_BOARD
from domain.validation import Between, MalformedError

SEATS = range(2, 5)
ROUNDS = Between(1, 200)


@dataclass(frozen=True, slots=True)
class Options:
    first_seat: Annotated[int, Between(0, SEATS[-1] - 1)] | None = None
    max_rounds: Annotated[int, ROUNDS] = 60


def options_fault(options: Options, seats: int) -> MalformedError | None:
    if options.first_seat is None or options.first_seat < seats:
        return None
    return MalformedError("first_seat", f"must be from 0 to {seats - 1}")


@dataclass(frozen=True, slots=True)
class State:
    """The board and the number of turns; everything else follows from these and the options."""

    board: str
    """81 characters; see ``components``."""
    seats: int
    """The number of seats."""
    first_seat: int
    turns: int
    """The turns taken by all seats together: placements, moves and passes."""
    max_rounds: int

    @property
    def movement_turns(self) -> int:
        """The number of turns of movement taken; while blockers are placed, minus the number still to be placed."""
        return self.turns - BLOCKERS * self.seats

    @property
    def placing(self) -> bool:
        return self.turns < BLOCKERS * self.seats

    @property
    def on_turn(self) -> int:
        """The seat whose turn is next. All place equally often, so movement begins with the first seat too."""
        return (self.first_seat + self.turns) % self.seats

    def placed(self, seat: int) -> int:
        """The number of blockers that this seat has placed so far."""
        placements = min(self.turns, BLOCKERS * self.seats)
        behind = (seat - self.first_seat) % self.seats
        return (placements - behind + self.seats - 1) // self.seats


def deal(seats: int, options: Options, dice: Dice) -> State:
    """TR-1: an empty board. Draws the first seat unless the options name it."""
    first_seat = dice.below(seats) if options.first_seat is None else options.first_seat
    return State(EMPTY_BOARD, seats, first_seat, 0, options.max_rounds)
