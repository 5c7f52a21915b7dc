"""The board as strings and as bits; groups of a colour, and which of its tiles hold a group together.

A board is two strings of nine rows joined by ``/``, one character a space: the colour that lies there, and the tile.
Connections are computed on one colour's spaces as the bits of an integer, all spaces at once. The character between two
rows is a gap in the bits too, so that a shift never carries a tile from the end of one row to the start of the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from domain.games.blockers.components import SPACES, TILES, fits

EMPTY = "."
BARE = "/".join([EMPTY * 9] * 9)
"""A board without tiles."""

COLOUR_GLYPHS = "rbgyp"
TILE_GLYPHS = "123456789ABCDEFGHIabcdefghiw"
"""Numbers, letters, symbols, wild: sorted, and so in the order of the component table."""

GLYPH_OF = dict(zip(TILES, TILE_GLYPHS, strict=True))
TILE_OF = dict(zip(TILE_GLYPHS, TILES, strict=True))

INDEX = {space: i // 9 * 10 + i % 9 for i, space in enumerate(SPACES)}
"""The index of each space in the strings."""

_NORTH, _WEST = 10, 1
BIT = {space: 1 << len(BARE) - 1 - index for space, index in INDEX.items()}
SPACE = {bit: space for space, bit in BIT.items()}
ON_BOARD = sum(BIT.values())
FITS = {tile: sum(BIT[space] for space in SPACES if fits(tile, space)) for tile in TILES}
"""BL-5: the spaces for each tile, as bits."""

# A translation table for each glyph, so that ``spaces_with`` makes the bits of a colour without a loop in Python.
_ONLY = {
    glyph: str.maketrans({other: "1" if other == glyph else "0" for other in COLOUR_GLYPHS + EMPTY + "/"})
    for glyph in COLOUR_GLYPHS + EMPTY
}

_REMEMBERED = 1 << 14
"""The number of arrangements of one colour that each cache below keeps.

A turn changes the arrangements of one or two colours only, while legal, refuse and score ask about all of them.
"""


def put(board: str, index: int, glyph: str) -> str:
    return board[:index] + glyph + board[index + 1 :]


def spaces_with(colours: str, glyph: str) -> int:
    """The bits of the spaces that show this glyph. About 1 µs."""
    return int(colours.translate(_ONLY[glyph]), 2)


def colour_on(colours: str, index: int) -> int | None:
    """The number of the colour that lies there, ``None`` for an empty space."""
    glyph = colours[index]
    return None if glyph == EMPTY else COLOUR_GLYPHS.index(glyph)


def beside(spaces: int) -> int:
    """The spaces next to any of these, orthogonally (BL-7)."""
    return (spaces >> _NORTH | spaces << _NORTH | spaces >> _WEST | spaces << _WEST) & ON_BOARD


def group(seed: int, spaces: int) -> int:
    """All of ``spaces`` that are connected with ``seed``, which is a part of them."""
    while (grown := (seed | beside(seed)) & spaces) != seed:
        seed = grown
    return seed


@lru_cache(_REMEMBERED)
def groups(spaces: int) -> int:
    """BL-7: the number of groups that these spaces form."""
    lone = spaces & ~beside(spaces)
    count, rest = lone.bit_count(), spaces ^ lone
    while rest:
        rest ^= group(rest & -rest, rest)
        count += 1
    return count


@lru_cache(_REMEMBERED)
def loose(spaces: int) -> int:
    """BL-8: the spaces, among one colour's, whose tile may be taken away without splitting its group."""
    tight = 0
    doubtful = spaces & _between_arcs(spaces)
    while doubtful:
        space = doubtful & -doubtful
        doubtful ^= space
        if _splits(space, spaces):
            tight |= space
    return spaces ^ tight


def _between_arcs(spaces: int) -> int:
    """The spaces whose eight neighbours do not by themselves connect all tiles that touch the space.

    Going round a space, an arc is a run of tiles that connects its orthogonal neighbours; it ends at an orthogonal
    neighbour from which the run does not go on over the corner to the next one. With at most one end, all that touches the
    space stays connected without it. This looks at all spaces at once; only those it returns need a search.
    """
    north, east, south, west = spaces >> _NORTH, spaces << _WEST, spaces << _NORTH, spaces >> _WEST
    ends_north = north & ~(east & spaces >> _NORTH - _WEST)
    ends_east = east & ~(south & spaces << _NORTH + _WEST)
    ends_south = south & ~(west & spaces << _NORTH - _WEST)
    ends_west = west & ~(north & spaces >> _NORTH + _WEST)
    return ends_north & ends_east | ends_south & ends_west | (ends_north | ends_east) & (ends_south | ends_west)


def parts_without(space: int, spaces: int) -> Iterator[int]:
    """A space beside this one for each part that its group would fall into without it, in the order of the board."""
    rest = spaces ^ space
    touching = beside(space) & rest
    while touching:
        first = 1 << touching.bit_length() - 1
        yield first
        touching &= ~group(first, rest)


def _splits(space: int, spaces: int) -> bool:
    rest = spaces ^ space
    touching = beside(space) & rest
    return bool(touching & ~group(touching & -touching, rest))
