"""The worth of a state for a seat, and the state after a move."""

from __future__ import annotations

from typing import Any

from domain.game import AnyGame, Dice, Outcome


def worth(game: AnyGame, state: Any, seat: int) -> float:
    """The chance that the seat wins: known after the end, otherwise as the game evaluates the state.

    Winners share a victory; where nobody wins, everybody has lost.
    """
    ended = game.outcome(state)
    if ended is not None:
        return won(ended, seat)
    return 0.5 if game.evaluate is None else game.evaluate(state, seat)


def won(outcome: Outcome, seat: int) -> float:
    """The share of the victory that this seat has."""
    return 1 / len(outcome.winners) if seat in outcome.winners else 0.0


def after(game: AnyGame, state: Any, seat: int, move: Any, dice: Dice) -> Any:
    """The full state after a move in an imagined world."""
    for event in game.decide(state, seat, move, dice):
        state = game.evolve(state, event)
    return state
