"""The deal and the course of turns: BL-2 to BL-4, BL-12 to BL-14."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from domain.game import Dice, Turn
from domain.games.blockers.board import BARE, COLOUR_GLYPHS, GLYPH_OF, INDEX, TILE_OF, colour_on, put
from domain.games.blockers.components import COLOURS, RACK, TILES
from domain.games.blockers.events import Captured, Event, Passed, TilePlaced
from domain.games.blockers.moves import Move, Pass
from domain.games.blockers.placing import colour_of
from domain.games.blockers.state import Options, State, colours_in_play
from domain.hidden import NOBODY, Bag, Secret

T = TypeVar("T")

SEAT = tuple(frozenset({seat}) for seat in range(5))
"""The set of each seat alone, made once."""

_COLOUR_NUMBER = {colour: number for number, colour in enumerate(COLOURS)}

# -- deal -------------------------------------------------------------------------------------------------------------


def deal(seats: int, options: Options, dice: Dice) -> State:
    """BL-2, BL-3. Draws the first seat, then the racks in the order of the colours."""
    first = dice.below(seats) if options.first_seat is None else options.first_seat
    colours = colours_in_play(seats)
    racks = [dice.sample(TILES, RACK) for _ in range(colours)]
    return State(
        scoring=options.scoring,
        first_seat=first,
        turns=0,
        colours=BARE,
        tiles=BARE,
        racks=tuple(Bag.of(rack, SEAT[colour % seats]) for colour, rack in enumerate(racks)),
        piles=tuple(Bag.of([tile for tile in TILES if tile not in rack], NOBODY) for rack in racks),
        captured=(("",) * colours,) * seats,
    )


# -- decide -----------------------------------------------------------------------------------------------------------


def decide(state: State, seat: int, move: Move, dice: Dice) -> Sequence[Event]:
    if isinstance(move, Pass):
        return (Passed(seat),)
    colour = colour_of(state, seat, move)
    pile = state.piles[colour]
    drawn = Secret(pile.draw(dice), SEAT[seat]) if len(pile) else None
    return (TilePlaced(seat, COLOURS[colour], move.tile, move.at, captured_at(state, INDEX[move.at]), drawn),)


def captured_at(state: State, index: int) -> Captured | None:
    """The tile that a placement on this space captures; ``None`` on an empty space."""
    colour = colour_on(state.colours, index)
    return None if colour is None else Captured(COLOURS[colour], TILE_OF[state.tiles[index]])


# -- evolve -----------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    # States are made by position here, in the order of the fields, because this runs for every event of a fold:
    # ``dataclasses.replace`` takes more than twice as long.
    match event:
        case TilePlaced():
            return _placed(state, event)
        case Passed():
            return State(
                state.scoring,
                state.first_seat,
                state.turns + 1,
                state.colours,
                state.tiles,
                state.racks,
                state.piles,
                state.captured,
            )


def _placed(state: State, event: TilePlaced) -> State:
    colour, index = _COLOUR_NUMBER[event.colour], INDEX[event.at]
    rack, piles = state.racks[colour].take(event.tile), state.piles
    if event.drawn is not None:
        rack = rack.add(event.drawn)
        piles = _with(piles, colour, piles[colour].take(event.drawn))
    captured = state.captured
    if event.captured is not None:
        captured = _with(captured, event.seat, _with_capture(captured[event.seat], event.captured))
    return State(
        state.scoring,
        state.first_seat,
        state.turns + 1,
        put(state.colours, index, COLOUR_GLYPHS[colour]),
        put(state.tiles, index, GLYPH_OF[event.tile]),
        _with(state.racks, colour, rack),
        piles,
        captured,
    )


def _with_capture(captured: tuple[str, ...], capture: Captured) -> tuple[str, ...]:
    colour = _COLOUR_NUMBER[capture.colour]
    return _with(captured, colour, "".join(sorted(captured[colour] + GLYPH_OF[capture.tile])))


def _with(items: tuple[T, ...], i: int, item: T) -> tuple[T, ...]:
    return items[:i] + (item,) + items[i + 1 :]


# -- to move ----------------------------------------------------------------------------------------------------------


def turn_of(state: State) -> Turn:
    return Turn(state.mover, state.turns)


def to_move(state: State) -> frozenset[int]:
    return NOBODY if state.over else SEAT[state.mover]
