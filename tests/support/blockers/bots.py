"""Players for tests, and a match for each way of ending."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from domain.games.blockers import GAME, Options, Place, State, TilePlaced
from domain.games.blockers.board import INDEX
from domain.games.blockers.components import COLOURS
from domain.games.blockers.moves import Move
from domain.games.blockers.placing import colour_of
from domain.games.blockers.scoring import score
from domain.games.blockers.turns import captured_at
from domain.hidden import redact
from tests.support.blockers.positions import end, position
from tests.support.scenario import Scenario, dealt, given

Bot = Callable[[State, int, Sequence[Move]], Move]
"""(what the seat sees, seat, legal moves) → its move."""


def wanderer(seed: int) -> Bot:
    """Plays anything, always the same for a seed."""
    dice = random.Random(seed)
    return lambda _state, _seat, moves: dice.choice(moves)


def builder(state: State, seat: int, moves: Sequence[Move]) -> Move:
    """Keeps its score as low as one turn can; the first of equal moves."""

    def total_after(move: Move) -> int:
        if not isinstance(move, Place):
            return 0
        colour = COLOURS[colour_of(state, seat, move)]
        event = TilePlaced(seat, colour, move.tile, move.at, captured_at(state, INDEX[move.at]), None)
        return score(GAME.evolve(state, event), seat).total

    return min(moves, key=total_after)


SEAT_0_BEGINS = Options(first_seat=0)


@dataclass(frozen=True)
class Ending:
    """How to play a match to its end: the deal or the position it starts from, and who plays."""

    seats: int
    bots: tuple[Bot, ...]
    options: Options = SEAT_0_BEGINS
    position: dict[str, Any] | None = None


U_SHAPES = {
    "blue": "A1 A2 A3 A4 A5 A6 A7 A8 A9 B1 C1 D1 B9 C9 D9",
    "green": "B2 B3 B4 B5 B6 B7 B8 C2 C8 D2 D8",
    "yellow": "C3 C4 C5 C6 C7 D3 D7",
}
"""Rows A to C are full, and whatever lies there holds its group together."""

OF_THE_ROWS = {"red": "A B C triangle cross"}
"""A rack of tiles that belong in rows A to C only."""


def wanderers(seats: int, seed: int) -> tuple[Bot, ...]:
    return (wanderer(seed),) * seats


def endings() -> dict[str, Ending]:
    """New each time: a wanderer's dice go on with every move."""
    uptown = Options("uptown", first_seat=0)
    return {
        "usual": Ending(3, (builder, builder, builder)),
        "usual, two seats": Ending(2, (builder, wanderer(0))),
        "usual, five seats": Ending(5, wanderers(5, 0)),
        "tie broken by captures": Ending(3, wanderers(3, 1)),
        "shared victory": Ending(3, wanderers(3, 51)),
        "shared victory, two seats": Ending(2, (builder, builder)),
        "uptown": Ending(4, (builder, builder, *wanderers(2, 3)), uptown),
        "passes": Ending(
            4, wanderers(4, 0), position=position(U_SHAPES, seats=4, racks=OF_THE_ROWS, turns=end(4) - 24)
        ),
    }


def play(ending: Ending) -> list[Scenario]:
    """The match at every version, the start of play first."""
    if ending.position is None:
        scenario = dealt(GAME, ending.seats, ending.options)
    else:
        state = GAME.parse(ending.position, ending.seats, ending.options)
        scenario = given(GAME, state, ending.seats, ending.options)
    steps = [scenario]
    while scenario.outcome is None:
        (seat,) = scenario.to_move
        seen = redact(scenario.state, frozenset({seat}))
        scenario = scenario.when(ending.bots[seat](seen, seat, list(GAME.legal(seen, seat))))
        steps.append(scenario)
    return steps
