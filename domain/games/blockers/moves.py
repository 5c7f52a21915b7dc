"""The moves of the game, and every placement as an object made once, so that ``legal`` makes no new ones."""

from __future__ import annotations

from dataclasses import dataclass

from domain.games.blockers.board import BIT
from domain.games.blockers.components import COLOURS, SPACES, TILES, Colour, Space, Tile, fits


@dataclass(frozen=True, slots=True)
class Place:
    """Put a tile of the rack on an empty space or on an opponent's tile. ``colour`` is needed with two seats only."""

    tile: Tile
    at: Space
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Take a turn without placing a tile. Legal only if nothing can be placed (BL-12)."""


Move = Place | Pass

PASS = Pass()

PLACEMENTS: dict[str | None, dict[str, tuple[tuple[int, Place], ...]]] = {
    colour: {
        tile: tuple((BIT[space], Place(tile, space, colour)) for space in SPACES if fits(tile, space)) for tile in TILES
    }
    for colour in (None, *COLOURS)
}
"""Colour → tile → the bit of each space where the tile fits, with the placement there. ``None``: a seat with one colour."""
