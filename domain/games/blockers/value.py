"""The worth of a state for a seat, as bots see it."""

from __future__ import annotations

from domain.game import chance
from domain.games.blockers.board import COLOUR_GLYPHS, EMPTY, beside, spaces_with
from domain.games.blockers.scoring import score
from domain.games.blockers.state import State

POINT = 20
"""The worth of a point of the score, which is better the lower it is."""
UNIT = 40


def evaluate(state: State, seat: int) -> float:
    """The chance that the seat wins: by the scores as they are now, and by the room beside its tiles."""
    return chance([strength(state, other) for other in range(state.seats)], seat, UNIT)


def strength(state: State, seat: int) -> int:
    now, room = score(state, seat), 0
    free = spaces_with(state.colours, EMPTY)
    for colour in state.own(seat):
        room += (beside(spaces_with(state.colours, COLOUR_GLYPHS[colour])) & free).bit_count()
    return room - POINT * now.total - now.all_captured
