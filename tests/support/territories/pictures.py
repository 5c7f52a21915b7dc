"""Positions that several tests start from."""

from __future__ import annotations

from domain.games.territories.components import BLOCKERS
from domain.games.territories.examples import drawn

MOVEMENT = 2 * BLOCKERS
"""The number of turns after which two seats begin to move."""

EVEN = """
    0 1 .   0 1 .   0 1 .
    0 1 .   0 1 .   0 1 .
    . . .   . . .   . . .

    0 1 .   0 1 .   0 1 .
    0 1 .   0 1 .   0 1 .
    . . .   . . .   . . .

    0 1 .   0 1 .   0 1 .
    0 1 .   0 1 .   0 1 .
    . . .   . . .   . . .
"""
"""Two seats have placed everything: two blockers each in every territory."""

START_OF_MOVEMENT = drawn(EVEN, seats=2, turns=MOVEMENT)

LAST_PLACEMENT = drawn(EVEN.replace("1", ".", 1), seats=2, turns=MOVEMENT - 1)
"""Seat 1 has one blocker left, for the triangle."""

ALL_CONTROLLED_TOO_EARLY = drawn(
    """
    0 0 .   0 0 .   0 0 .
    . . .   . . .   . . .
    . . .   . . .   . . .

    0 0 .   0 0 .   1 1 .
    1 . .   . . .   . . .
    . . .   . . .   . . .

    1 1 .   1 1 .   1 1 .
    . . .   . . .   . . .
    . . .   . . .   . . .
    """,
    seats=2,
    turns=19,
)
"""Still placing: seat 1's move, and every territory is in somebody's hand."""

GIVE_AND_TAKE = drawn(
    """
    0 . 0   . 1 0   . . .
    . . .   . . .   . . .
    1 . .   . . .   . . .

    0 0 0   0 0 0   0 0 0
    0 0 0   0 0 0   . . .
    1 1 1   1 1 1   1 1 1

    1 1 1   1 1 1   1 . .
    . . .   . . .   . . .
    . . .   . . .   . . .
    """,
    seats=2,
    turns=MOVEMENT + 30,
)
"""Seat 0's move: A3 to A4 gives away the triangle and takes the cross."""
