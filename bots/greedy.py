"""``greedy``: one ply. The move after which the state is worth most, in a few imagined worlds.

All moves are tried in the first world. Later worlds compare the better ones among them only, so that a decision stays
below 10 ms. In each world the same things fall for every move (common random numbers), so that no move looks better by luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bots.budget import Budget
from bots.dice import QuickDice
from bots.seen import Seen
from bots.worth import after, worth
from domain.game import Dice

WORLDS = 3
KEPT = 4
"""One in so many moves, and at least so many, goes on to the next world."""


def best_at_once(seen: Seen, dice: Dice, budget: Budget) -> Any:
    moves = seen.legal()
    totals = dict.fromkeys(range(len(moves)), 0.0)
    for _ in range(WORLDS if len(moves) > 1 else 0):
        compare(seen, moves, totals, dice)
        ranked = sorted(totals, key=totals.__getitem__, reverse=True)
        totals = {index: totals[index] for index in ranked[: max(KEPT, len(ranked) // KEPT)]}
    best = max(totals.values())
    return moves[dice.choice([index for index, total in totals.items() if total == best])]


def compare(seen: Seen, moves: Sequence[Any], totals: dict[int, float], dice: Dice) -> None:
    """Adds to the total of each move that still has one its worth in one more world."""
    game, seat = seen.game, seen.seat
    world, fall = seen.imagine(dice), dice.below(1 << 62)
    for index in totals:
        totals[index] += worth(game, after(game, world, seat, moves[index], QuickDice(fall)), seat)
