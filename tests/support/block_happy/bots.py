"""Players that want something, so that tests reach the ends that random play reaches seldom.

Each is a function (state as its seat sees it, seat, legal moves, dice) → one of the moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from domain.game import Dice
from domain.games.block_happy.components import ALL_OF_IT, ATTACKS, KIND, OVERJOYED, RAINBOW_TAKES, SIMPLE, TICKLED_PINK
from domain.games.block_happy.moves import Answer, Decline, Keep, Move, Pair, Play, Rainbow, Take
from domain.games.block_happy.state import State

Chooser = Callable[[State, int, Sequence[Move], Dice], Move]

WORTH = {
    TICKLED_PINK: 9,
    OVERJOYED: 8,
    "magical": 7,
    "outraged": 6,
    "annoyed": 5,
    "smug": 4,
    "optimistic": 3,
    "curious": 2,
}
"""What a card in the hand is worth to a seat that wants to win; the rest are worth nothing."""


def at_random(state: State, seat: int, moves: Sequence[Move], dice: Dice) -> Move:
    return dice.choice(moves)


def choose(state: State, seat: int, moves: Sequence[Move], dice: Dice) -> Move:
    """Wants to win: by happiness, and with Tickled Pink once there is some."""
    return _best(moves, lambda move: _gain(state, seat, move), dice)


def goad(state: State, seat: int, moves: Sequence[Move], dice: Dice) -> Move:
    """Attacks with all it has and turns every attack round: brings wins out of turn."""
    return _best(moves, _provocation, dice)


def dawdle(state: State, seat: int, moves: Sequence[Move], dice: Dice) -> Move:
    """Does as little as can be done: brings the match to its last turn."""
    return _best(moves, _idleness, dice)


def _best(moves: Sequence[Move], worth: Callable[[Move], int], dice: Dice) -> Move:
    values = [worth(move) for move in moves]
    best = max(values)
    return dice.choice([move for move, value in zip(moves, values, strict=True) if value == best])


def _gain(state: State, seat: int, move: Move) -> int:
    match move:
        case Play():
            return _gain_of_play(state, seat, move)
        case Rainbow(_, target):
            return 0 if target is None else 12 * RAINBOW_TAKES
        case Pair(_, take):
            return WORTH.get(take or "", 1)
        case Take(card) | Keep(card):
            return WORTH.get(card, 0)
        case Answer(card):
            return 2 if card == OVERJOYED else 1
        case Decline():
            return 0


def _gain_of_play(state: State, seat: int, move: Play) -> int:
    emotion = move.emotion
    if move.ask is not None:
        return 10 if move.ask == TICKLED_PINK and state.happiness[seat] > 3 else WORTH.get(move.ask, 0)
    if emotion in ("cheeky", "optimistic"):
        return 11
    if move.target is None:
        return 0
    amount = min(KIND[emotion].amount, state.happiness[move.target])
    taken_for_me = emotion in ATTACKS or emotion in ("magical", "jealous")
    return 10 * amount if taken_for_me else 3 * amount


def _provocation(move: Move) -> int:
    if isinstance(move, Play) and move.target is not None:
        return 2 + (move.emotion in ATTACKS)
    return 4 if isinstance(move, Answer) and move.card == OVERJOYED else 1


def _idleness(move: Move) -> int:
    if isinstance(move, Play):
        return ALL_OF_IT if move.card in SIMPLE else -KIND[move.emotion].amount
    return 0 if isinstance(move, Pair | Rainbow) else 1
