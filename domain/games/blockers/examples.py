"""Positions for the documentation, drawn as they lie.

Two characters a space: the colour's first letter and the tile's glyph, which for a symbol is a small letter, ``a`` to
``i`` in the order of the blocks, and ``w`` for wild.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.games.blockers.board import COLOUR_GLYPHS, EMPTY, TILE_OF
from domain.games.blockers.components import COLOURS, SPACES, TILES
from domain.games.blockers.state import colours_in_play


def _drawn(board: str, racks: Mapping[str, str], *, seats: int, turns: int) -> dict[str, Any]:
    """Makes a position without captures, in which seat 0 began and every tile not named here lies in its pile."""
    lying = {
        space: {"colour": COLOURS[COLOUR_GLYPHS.index(drawn[0])], "tile": TILE_OF[drawn[1]]}
        for space, drawn in zip(SPACES, board.split(), strict=True)
        if drawn[0] != EMPTY
    }
    colours = COLOURS[: colours_in_play(seats)]
    held = {colour: racks[colour].split() for colour in colours}
    out = {(tile["colour"], tile["tile"]) for tile in lying.values()}
    piles = {c: [tile for tile in TILES if tile not in held[c] and (c, tile) not in out] for c in colours}
    return {
        "first_seat": 0,
        "turns": turns,
        "board": lying,
        "racks": {colour: {"cards": held[colour]} for colour in colours},
        "piles": {colour: {"cards": piles[colour]} for colour in colours},
        "captured": [{} for _ in range(seats)],
    }


_HELD_TOGETHER = """
r1 r2 r3 .. .. .. .. .. ..
.. .. .. .. .. .. .. .. ..
.. .. .. .. .. .. .. gC ..
.. .. .. be b5 bD g7 gD g9
.. .. .. bE .. bw .. g8 ..
.. .. .. b4 bF b6 .. .. ..
.. .. .. .. .. .. .. .. ..
.. g2 .. .. .. .. .. .. ..
g1 .. .. .. .. .. .. .. ..
"""

_NOTHING_TO_PLACE = """
ba b2 b3 b4 b5 b6 b7 b8 bA
bB g2 g3 g4 g5 g6 g7 gB bc
b1 ga y3 y4 y5 y6 yC gC bC
bD gD yD .. .. .. y7 g8 b9
.. .. .. .. .. .. .. .. ..
.. .. .. .. .. .. .. .. ..
.. .. .. .. .. .. .. .. ..
.. .. .. .. .. .. .. .. ..
.. .. .. .. .. .. .. .. ..
"""

EXAMPLES: dict[str, Any] = {
    # BL-8: each tile of the blue ring can be captured; of the green cross all but D8; H2 and I1 are groups of one.
    "held_together": _drawn(
        _HELD_TOGETHER,
        {"red": "4 8 D F wild", "blue": "1 2 3 A triangle", "green": "3 4 E F moon"},
        seats=3,
        turns=24,
    ),
    # BL-12: rows A to C are full, and every tile there holds its group together; red can only pass.
    "nothing_to_place": _drawn(
        _NOTHING_TO_PLACE,
        {"red": "A B C triangle cross", "blue": "E F G moon square", "green": "E F G moon 9", "yellow": "E F G moon 9"},
        seats=4,
        turns=60,
    ),
}
