"""Secrecy: an imagined full state that a seat cannot tell from the real one, and the seats that learn by a pass."""

from __future__ import annotations

from domain.game import Dice
from domain.games.blockers.board import COLOUR_GLYPHS, TILE_OF
from domain.games.blockers.components import KEPT, TILES
from domain.games.blockers.events import Event, Passed
from domain.games.blockers.state import State
from domain.hidden import NOBODY, Bag, Seats


def seen_on_the_table(state: State, colour: int) -> list[str]:
    """The tiles of a colour that lie open, on the board and captured."""
    glyph = COLOUR_GLYPHS[colour]
    on_board = [TILE_OF[tile] for holder, tile in zip(state.colours, state.tiles, strict=True) if holder == glyph]
    return on_board + [TILE_OF[tile] for captured in state.captured for tile in captured[colour]]


def imagine(state: State, seat: int, dice: Dice) -> State:
    """Fills every rack that the seat does not see at random, from the tiles of its colour that it sees nowhere."""
    racks, piles = [], []
    for colour, (rack, pile) in enumerate(zip(state.racks, state.piles, strict=True)):
        unseen = set(TILES).difference(seen_on_the_table(state, colour), rack.cards or ())
        candidates = [tile for tile in TILES if tile in unseen]
        if rack.cards is None:
            rack = Bag.of(dice.sample(candidates, rack.rest), rack.seats)
        racks.append(rack)
        piles.append(pile if pile.cards is not None else Bag.of(unseen.difference(rack.cards or ()), NOBODY))
    return State(
        state.scoring,
        state.first_seat,
        state.turns,
        state.colours,
        state.tiles,
        tuple(racks),
        tuple(piles),
        state.captured,
    )


def discloses(state: State, event: Event) -> Seats:
    """(state before the event, event) → the seats that learn: by a pass all others, that no tile of the rack can be placed."""
    if not isinstance(event, Passed) or all(len(state.racks[colour]) <= KEPT for colour in state.own(event.seat)):
        return NOBODY
    return frozenset(range(state.seats)) - {event.seat}
