"""The components of the game: the board and the blockers.

A board is written as 81 characters, row by row from ``A1`` to ``I9``: a seat's digit where its blocker stands, otherwise
``FREE``.
"""

from __future__ import annotations

from typing import Annotated

from domain.validation import OneOf

ROWS = "ABCDEFGHI"
COLUMNS = "123456789"
SPACES = tuple(row + column for row in ROWS for column in COLUMNS)
Space = Annotated[str, OneOf(SPACES)]

TERRITORIES = ("triangle", "cross", "star", "clover", "circle", "diamond", "moon", "heart", "square")
"""The nine 3×3 blocks, row by row."""

BLOCKERS = 18
"""The number of blockers of each seat. Our choice: the book says "a set"."""

EVEN_SHARE = 2
"""The blockers that a seat places in each territory. Our choice: all ``BLOCKERS``, spread evenly over nine territories."""

FREE = "."
MARKS = "0123"
"""The digit for a blocker of each seat."""

EMPTY_BOARD = FREE * len(SPACES)

INDEX = {space: i for i, space in enumerate(SPACES)}
"""The index of each space in the 81 characters."""

TERRITORY_OF = tuple(i // 27 * 3 + i % 9 // 3 for i in range(len(SPACES)))
"""The number of the territory that each space lies in."""

CORNERS = tuple(TERRITORY_OF.index(territory) for territory in range(len(TERRITORIES)))
"""The first space of each territory."""


def _neighbours(i: int) -> tuple[int, ...]:
    row, column = divmod(i, 9)
    around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return tuple(9 * r + c for r, c in around if 0 <= r < 9 and 0 <= c < 9)


NEIGHBOURS = tuple(_neighbours(i) for i in range(len(SPACES)))
"""The two to four spaces orthogonally beside each space."""


def territory_name(space: str) -> str:
    return TERRITORIES[TERRITORY_OF[INDEX[space]]]
