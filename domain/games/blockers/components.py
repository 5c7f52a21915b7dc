"""The colours, the tiles, and the board with its symbols: one table, used by everything else."""

from __future__ import annotations

from typing import Annotated

from domain.validation import OneOf

COLOURS = ("red", "blue", "green", "yellow", "purple")
"""The colours in seat order. With two seats they go round twice: red and green, blue and yellow (BL-20)."""

COLUMNS = "123456789"
ROWS = "ABCDEFGHI"
SYMBOLS = ("triangle", "cross", "star", "clover", "circle", "diamond", "moon", "heart", "square")
"""The symbols of the nine blocks, from left to right and from top to bottom."""
WILD = "wild"

TILES = (*COLUMNS, *ROWS, *SYMBOLS, WILD)
"""The 28 tiles of a colour, one of each."""
SPACES = tuple(row + column for row in ROWS for column in COLUMNS)

RACK = 5
"""The tiles on a rack while its pile lasts."""
KEPT = 4
"""The tiles that stay on a rack unplayed."""
TURNS = len(TILES) - KEPT
"""The number of turns that are taken for each colour."""

Colour = Annotated[str, OneOf(COLOURS)]
Tile = Annotated[str, OneOf(TILES)]
Space = Annotated[str, OneOf(SPACES)]


def block(space: str) -> str:
    """The symbol of the block in which a space lies."""
    return SYMBOLS[ROWS.index(space[0]) // 3 * 3 + COLUMNS.index(space[1]) // 3]


def fits(tile: str, space: str) -> bool:
    """BL-5: true if a tile may go on a space by its face."""
    return tile in (WILD, space[0], space[1], block(space))


def where(tile: str) -> str:
    """The part of the board that a tile belongs in, in words."""
    if tile == WILD:
        return "any space"
    if tile in COLUMNS:
        return f"column {tile}"
    return f"row {tile}" if tile in ROWS else f"the {tile} block"
