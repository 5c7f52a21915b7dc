"""A player who wants the match to end by TR-7, which play at random seldom reaches."""

from __future__ import annotations

from collections.abc import Sequence

from domain.game import Dice
from domain.games.territories import GAME
from domain.games.territories.components import TERRITORIES
from domain.games.territories.control import controller, counts
from domain.games.territories.moves import AnyMove
from domain.games.territories.state import State


def choose(state: State, seat: int, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
    """The move behind which most territories are controlled, by whomever; of several such moves any."""
    if state.placing:
        return dice.choice(moves)
    worth = [controlled(_after(state, seat, move, dice)) for move in moves]
    return dice.choice([move for move, value in zip(moves, worth, strict=True) if value == max(worth)])


def controlled(state: State) -> int:
    """How many territories somebody controls."""
    return sum(controller(counts(state, territory)) is not None for territory in range(len(TERRITORIES)))


def _after(state: State, seat: int, move: AnyMove, dice: Dice) -> State:
    for event in GAME.decide(state, seat, move, dice):
        state = GAME.evolve(state, event)
    return state
