"""The spaces that are open to a tile: BL-4 to BL-12 and the racks of BL-20. Works on a state redacted for the seat."""

from __future__ import annotations

from domain.game import Rejected
from domain.games.blockers.board import (
    BIT,
    COLOUR_GLYPHS,
    EMPTY,
    FITS,
    INDEX,
    SPACE,
    colour_on,
    loose,
    parts_without,
    spaces_with,
)
from domain.games.blockers.components import COLOURS, KEPT, where
from domain.games.blockers.moves import PASS, PLACEMENTS, Move, Pass, Place
from domain.games.blockers.state import State

# -- legal ------------------------------------------------------------------------------------------------------------


def legal(state: State, seat: int) -> list[Move]:
    """Every placement, tile by tile in the order of rack and board; the pass if there is none."""
    if state.over or seat != state.mover:
        return []
    spaces = open_spaces(state, seat)
    moves: list[Move] = [
        place for colour, tile in playable(state, seat) for bit, place in PLACEMENTS[colour][tile] if bit & spaces
    ]
    return moves or [PASS]


def open_spaces(state: State, seat: int) -> int:
    """BL-6, BL-8, BL-9: the spaces, as bits, where this seat may put a tile that fits: empty ones, and tiles to capture."""
    spaces = spaces_with(state.colours, EMPTY)
    for colour in range(len(state.racks)):
        if colour % state.seats != seat:
            spaces |= loose(spaces_with(state.colours, COLOUR_GLYPHS[colour]))
    return spaces


def playable(state: State, seat: int) -> list[tuple[str | None, str]]:
    """The tiles that a seat may place, with their colour where a move must name it (BL-20)."""
    own = state.own(seat)
    named = len(own) > 1
    return [
        (COLOURS[colour] if named else None, tile)
        for colour in own
        if len(state.racks[colour]) > KEPT
        for tile in state.racks[colour].cards or ()
    ]


# -- refuse -----------------------------------------------------------------------------------------------------------


def refuse(state: State, seat: int, move: Move) -> Rejected | None:
    if isinstance(move, Pass):
        return _refuse_pass(state, seat)
    return _refuse_colour(state, seat, move) or _refuse_tile(state, seat, move) or _refuse_space(state, seat, move)


def colour_of(state: State, seat: int, move: Place) -> int:
    """The number of the colour of a placement that names one of the seat's colours, or none."""
    return seat if move.colour is None else COLOURS.index(move.colour)


def _refuse_pass(state: State, seat: int) -> Rejected | None:
    tiles = [tile for _colour, tile in playable(state, seat)]
    empty = spaces_with(state.colours, EMPTY)
    for tile in tiles:
        if FITS[tile] & empty:
            return Rejected("BL-12", f"You can place the {tile} on an empty space; only who can place nothing passes.")
    spaces = open_spaces(state, seat)
    for tile in tiles:
        if FITS[tile] & spaces:
            return Rejected("BL-11", f"No tile of yours fits an empty space, but the {tile} can capture, so it must.")
    return None


def _refuse_colour(state: State, seat: int, move: Place) -> Rejected | None:
    own = [COLOURS[colour] for colour in state.own(seat)]
    if move.colour is None:
        return None if len(own) == 1 else Rejected("BL-20", f"You play {' and '.join(own)}: name the colour you place.")
    if move.colour in own:
        return None
    return Rejected("BL-1" if len(own) == 1 else "BL-20", f"You play {' and '.join(own)}, not {move.colour}.")


def _refuse_tile(state: State, seat: int, move: Place) -> Rejected | None:
    colour = colour_of(state, seat, move)
    rack = state.racks[colour]
    if move.tile not in rack:
        return Rejected("BL-4", f"The {COLOURS[colour]} {move.tile} is not on your rack.")
    if len(rack) <= KEPT:
        return Rejected("BL-20", f"Your {COLOURS[colour]} rack is down to {KEPT} tiles, which stay unplayed.")
    return None


def _refuse_space(state: State, seat: int, move: Place) -> Rejected | None:
    bit = BIT[move.at]
    if not bit & FITS[move.tile]:
        return Rejected("BL-5", f"The {move.tile} goes in {where(move.tile)}; {move.at} does not lie there.")
    victim = colour_on(state.colours, INDEX[move.at])
    if victim is None:
        return None
    if victim % state.seats == seat:
        rule = "BL-9" if victim == colour_of(state, seat, move) else "BL-20"
        return Rejected(rule, f"The {COLOURS[victim]} tile on {move.at} is your own.")
    spaces = spaces_with(state.colours, COLOUR_GLYPHS[victim])
    if bit & loose(spaces):
        return None
    *parts, last = (SPACE[part] for part in parts_without(bit, spaces))
    apart = f"{', '.join(parts)} and {last}"
    return Rejected("BL-8", f"{move.at} is {COLOURS[victim]}'s cut space: taking it would leave {apart} apart.")
