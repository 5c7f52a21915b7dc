"""The worth of a state for a seat, as bots see it."""

from __future__ import annotations

from domain.game import chance
from domain.games.territories.components import TERRITORIES
from domain.games.territories.control import counts
from domain.games.territories.state import State

LEADS = (0, 2, 5, 10, 11)
"""The worth of a territory in which a seat is two blockers behind, one behind, level, one ahead, two ahead. One ahead is
control; a second blocker only makes it safer."""
LEVEL = 2
"""The index of level in ``LEADS``."""
UNIT = 10


def evaluate(state: State, seat: int) -> float:
    """The chance that the seat wins: by its leads in the territories, compared with the others'."""
    strengths = [0] * state.seats
    for territory in range(len(TERRITORIES)):
        blockers = counts(state, territory)
        ordered = sorted(blockers)
        most, second = ordered[-1], ordered[-2]
        for other, count in enumerate(blockers):
            lead = count - (second if count == most else most)
            strengths[other] += LEADS[max(0, min(LEVEL + lead, len(LEADS) - 1))]
    return chance(strengths, seat, UNIT)
