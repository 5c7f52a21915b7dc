"""The position format: writing, strict reading, and checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from domain.games.blockers.board import BARE, COLOUR_GLYPHS, EMPTY, GLYPH_OF, INDEX, TILE_OF, put
from domain.games.blockers.components import COLOURS, KEPT, RACK, SPACES, TILES, TURNS, Colour, Tile, fits
from domain.games.blockers.scoring import score
from domain.games.blockers.secrecy import seen_on_the_table
from domain.games.blockers.state import Options, Scoring, State, colours_in_play
from domain.hidden import NOBODY, Bag, Seats
from domain.validation import HIDDEN, Between, Length, MalformedError, read

_ORDER = {tile: i for i, tile in enumerate(TILES)}

# -- view -------------------------------------------------------------------------------------------------------------


def view(state: State) -> dict[str, Any]:
    """The state as JSON: racks and piles by colour, captures and present scores by seat. 20 to 30 µs in mid-match."""
    lying = zip(SPACES, state.colours.replace("/", ""), state.tiles.replace("/", ""), strict=True)
    return {
        "scoring": state.scoring,
        "first_seat": state.first_seat,
        "turns": state.turns,
        "board": {
            space: {"colour": _COLOUR_OF[colour], "tile": TILE_OF[tile]}
            for space, colour, tile in lying
            if colour != EMPTY
        },
        "racks": {COLOURS[colour]: _lot(rack) for colour, rack in enumerate(state.racks)},
        "piles": {COLOURS[colour]: _lot(pile) for colour, pile in enumerate(state.piles)},
        "captured": [
            {COLOURS[colour]: [*map(TILE_OF.__getitem__, taken)] for colour, taken in enumerate(captured) if taken}
            for captured in state.captured
        ],
        "scores": [score(state, seat)._asdict() for seat in range(state.seats)],
    }


_COLOUR_OF = dict(zip(COLOUR_GLYPHS, COLOURS, strict=True))


def _lot(bag: Bag) -> dict[str, Any]:
    cards = HIDDEN if bag.cards is None else sorted(bag.cards, key=_ORDER.__getitem__)
    return {"count": bag.rest, "cards": cards}


# -- parse ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OnBoard:
    colour: Colour
    tile: Tile


@dataclass(frozen=True, slots=True)
class Lot:
    """A rack or a pile. ``count``, the number of ``cards``, may be left out."""

    cards: Annotated[tuple[Tile, ...], Length(0, len(TILES))]
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    groups: int
    most_captured: int
    all_captured: int
    total: int


@dataclass(frozen=True, slots=True)
class Position:
    """The shape of a posted position. ``scores`` follow from the rest: any are accepted, and none of them is used."""

    first_seat: Annotated[int, Between(0, 4)]
    turns: Annotated[int, Between(0, TURNS * len(COLOURS))]
    board: dict[str, OnBoard]
    racks: dict[str, Lot]
    piles: dict[str, Lot]
    captured: tuple[dict[str, Annotated[tuple[Tile, ...], Length(0, len(TILES))]], ...]
    scoring: Scoring | None = None
    scores: tuple[Scored, ...] | None = None


def parse(plain: Any, seats: int, options: Options) -> State:
    """Reads a position from untrusted JSON data. Raises ``MalformedError``."""
    position: Position = read(Position, plain)
    _agree(position, options)
    colours = COLOURS[: colours_in_play(seats)]
    whose, which = _board(position.board, colours)
    return State(
        scoring=options.scoring,
        first_seat=position.first_seat,
        turns=position.turns,
        colours=whose,
        tiles=which,
        racks=_bags("racks", position.racks, colours, [frozenset({i % seats}) for i in range(len(colours))]),
        piles=_bags("piles", position.piles, colours, [NOBODY] * len(colours)),
        captured=_captured(position.captured, colours, seats),
    )


def _agree(position: Position, options: Options) -> None:
    if position.scoring not in (None, options.scoring):
        raise MalformedError("scoring", f"is {options.scoring} by the options of the match")
    if options.first_seat not in (None, position.first_seat):
        raise MalformedError("first_seat", f"is {options.first_seat} by the options of the match")


def _board(tiles: Mapping[str, OnBoard], colours: Sequence[str]) -> tuple[str, str]:
    whose = which = BARE
    for space, lying in tiles.items():
        if space not in INDEX:
            raise MalformedError(f"board.{str(space)[:60]}", "is not a space of the board")
        if lying.colour not in colours:
            raise MalformedError(f"board.{space}.colour", f"must be one of {', '.join(colours)}")
        whose = put(whose, INDEX[space], COLOUR_GLYPHS[COLOURS.index(lying.colour)])
        which = put(which, INDEX[space], GLYPH_OF[lying.tile])
    return whose, which


def _bags(field: str, lots: Mapping[str, Lot], colours: Sequence[str], seats: Sequence[Seats]) -> tuple[Bag, ...]:
    _only(field, lots, colours)
    for colour in colours:
        if colour not in lots:
            raise MalformedError(f"{field}.{colour}", "is missing")
        if lots[colour].count not in (None, len(lots[colour].cards)):
            raise MalformedError(f"{field}.{colour}.count", f"is {len(lots[colour].cards)} by the cards")
    return tuple(Bag.of(lots[colour].cards, known) for colour, known in zip(colours, seats, strict=True))


def _captured(
    given: Sequence[Mapping[str, Sequence[str]]], colours: Sequence[str], seats: int
) -> tuple[tuple[str, ...], ...]:
    if len(given) != seats:
        raise MalformedError("captured", f"must have {seats} items, one a seat")
    for seat, taken in enumerate(given):
        _only(f"captured[{seat}]", taken, colours)
    return tuple(
        tuple("".join(sorted(GLYPH_OF[tile] for tile in taken.get(colour, ()))) for colour in colours)
        for taken in given
    )


def _only(field: str, given: Mapping[str, Any], colours: Sequence[str]) -> None:
    for name in given:
        if name not in colours:
            raise MalformedError(f"{field}.{str(name)[:60]}", f"is not one of {', '.join(colours)}")


# -- check ------------------------------------------------------------------------------------------------------------


def check(state: State) -> Iterator[MalformedError]:
    if not 0 <= state.first_seat < state.seats:
        yield MalformedError("first_seat", f"must be from 0 to {state.seats - 1}")
    elif not 0 <= state.turns <= TURNS * len(state.racks):
        yield MalformedError("turns", f"must be from 0 to {TURNS * len(state.racks)}")
    else:
        for seat in range(state.seats):
            yield from _seat_faults(state, seat)
    yield from _board_faults(state)
    for colour in range(len(state.racks)):
        yield from _bag_faults(state, colour)
        yield from _tile_faults(state, colour)


def _seat_faults(state: State, seat: int) -> Iterator[MalformedError]:
    """BL-4, BL-12: a seat that has not placed in a turn has passed, but none has placed more often than it had turns."""
    turns = state.turns_of(seat)
    placed = sum(len(TILES) - len(state.racks[own]) - len(state.piles[own]) for own in state.own(seat))
    if placed > turns:
        yield MalformedError("turns", f"give seat {seat} {turns} turns, but it has placed {placed} tiles")
    if sum(map(len, state.captured[seat])) > placed:
        yield MalformedError(f"captured[{seat}]", f"are more tiles than the {placed} that this seat has placed")
    for own in state.own(seat):
        if state.captured[seat][own]:
            yield MalformedError(f"captured[{seat}].{COLOURS[own]}", "is this seat's own colour")


def _board_faults(state: State) -> Iterator[MalformedError]:
    in_play = COLOUR_GLYPHS[: len(state.racks)]
    for space, index in INDEX.items():
        glyph, tile = state.colours[index], state.tiles[index]
        if glyph == tile == EMPTY:
            continue
        if glyph not in in_play or tile not in TILE_OF:
            yield MalformedError(f"board.{space}", "is not a tile of a colour in play")
        elif not fits(TILE_OF[tile], space):
            yield MalformedError(f"board.{space}.tile", f"is {TILE_OF[tile]}, which does not fit there")


def _bag_faults(state: State, colour: int) -> Iterator[MalformedError]:
    rack, pile, name = state.racks[colour], state.piles[colour], COLOURS[colour]
    if rack.top or pile.top or rack.seats != {colour % state.seats} or pile.seats:
        yield MalformedError(f"racks.{name}", "is not known to its owner alone, or a pile is known or in order")
    if len(rack) != RACK and (len(pile) or len(rack) != KEPT):
        yield MalformedError(f"racks.{name}", f"must have {RACK} tiles, or {KEPT} once its pile is empty")


def _tile_faults(state: State, colour: int) -> Iterator[MalformedError]:
    """Tiles that are not exactly once on the board, captured, on the rack or in the pile."""
    name = COLOURS[colour]
    seen = [*seen_on_the_table(state, colour), *(state.racks[colour].cards or ()), *(state.piles[colour].cards or ())]
    if twice := sorted({tile for tile in seen if seen.count(tile) > 1}):
        yield MalformedError(f"piles.{name}", f"the {name} {twice[0]} is there more than once")
    if missing := [tile for tile in TILES if tile not in seen]:
        yield MalformedError(f"piles.{name}", f"the {name} {missing[0]} is neither here nor anywhere else")
