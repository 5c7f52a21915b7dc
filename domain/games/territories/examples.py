"""Positions worth looking at, for the documentation and the tests."""

from __future__ import annotations

from domain.games.territories.components import BLOCKERS
from domain.games.territories.position import view
from domain.games.territories.state import Options, State


def drawn(
    picture: str, *, seats: int, turns: int, first_seat: int = 0, max_rounds: int = Options().max_rounds
) -> State:
    """Reads a picture as a state: nine lines from A to I. White space in it means nothing."""
    return State("".join(picture.split()), seats, first_seat, turns, max_rounds)


THE_THIRD_BLOCKER = drawn(
    """
    0 1 .   . . .   . . .
    . 2 .   . . .   . . .
    0 1 2   . . .   . . .

    . . .   . . .   . . .
    . . .   . 0 .   . . .
    . . .   . . .   . . .

    . . .   . . .   . . .
    . . .   . . .   . . .
    . . .   . . .   . . .
    """,
    seats=3,
    turns=7,
)
"""Placement. Seats 0, 1 and 2 are level in the triangle, so nobody controls it, and none of them may place there again."""

THE_NINTH_TERRITORY = drawn(
    """
    0 . .   0 . .   0 . .
    0 1 .   . 1 .   . 1 0
    0 . .   0 0 .   0 . .

    0 . .   . . 0   . . 1
    0 1 .   0 1 .   . 0 1
    0 . .   . 1 .   . . 1

    1 . .   1 . .   1 . .
    1 0 .   . 0 .   . 0 .
    1 . .   1 1 .   1 1 .
    """,
    seats=2,
    turns=2 * BLOCKERS + 20,
)
"""Movement; only the circle is level. C5 to D5 ends the match and wins it for seat 0, D6 to D7 ends it and loses it."""

BLOCKED_IN = drawn(
    """
    0 0 0   0 0 0   0 0 0
    0 0 0   0 0 0   0 0 0
    1 1 1   1 1 1   1 1 1

    1 1 1   1 1 1   1 1 1
    . . .   . . .   . . .
    . . .   . . .   . . .

    . . .   . . .   . . .
    . . .   . . .   . . .
    . . .   . . .   . . .
    """,
    seats=2,
    turns=2 * BLOCKERS + 40,
)
"""Movement. None of the blockers of seat 0 has a free space beside it: it passes."""

EXAMPLES = {
    "the_third_blocker": view(THE_THIRD_BLOCKER),
    "the_ninth_territory": view(THE_NINTH_TERRITORY),
    "blocked_in": view(BLOCKED_IN),
}
