"""Positions for tests: say which spaces each colour holds, and fitting tiles are found for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domain.games.blockers import GAME, Options, State
from domain.games.blockers.components import COLOURS, RACK, TILES, TURNS, fits
from domain.games.blockers.state import colours_in_play
from tests.support.scenario import Scenario, given

Tiles = Mapping[str, str]
"""Colour to names with blanks between them, of spaces or of tiles."""


def position(
    board: Tiles | None = None,
    *,
    racks: Tiles | None = None,
    captured: Sequence[Tiles] = (),
    to_move: int = 0,
    seats: int = 3,
    turns: int | None = None,
    piles: bool = True,
    sizes: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """A position in the format of ``view``.

    A space may be given as ``C5=star`` to say which tile lies there. ``racks`` names the first tiles of a rack, which is
    filled up to five, or to its size in ``sizes``; what is left lies in the pile, or without ``piles`` is captured by the
    next seat. ``turns`` are by default the fewest that can have led there.
    """
    colours = COLOURS[: colours_in_play(seats)]
    taken = [{c: t.split() for c, t in tiles.items()} for tiles in captured] + [{}] * (seats - len(captured))
    made: dict[str, Any] = {
        "first_seat": 0,
        "board": {},
        "racks": {},
        "piles": {},
        "captured": [dict(t) for t in taken],
    }
    placed = [0] * seats
    for number, colour in enumerate(colours):
        rack = (racks or {}).get(colour, "").split()
        out = [tile for tiles in taken for tile in tiles.get(colour, [])]
        lying = _laid((board or {}).get(colour, "").split(), [tile for tile in TILES if tile not in [*rack, *out]])
        made["board"] |= {space: {"colour": colour, "tile": tile} for space, tile in lying.items()}
        rest = [tile for tile in TILES if tile not in [*rack, *out, *lying.values()]]
        while len(rack) < (sizes or {}).get(colour, RACK):
            rack.append(rest.pop())
        if not piles and rest:
            taker = made["captured"][(number + 1) % seats]
            taker[colour] = [*taker.get(colour, ()), *rest]
            rest = []
        made["racks"][colour], made["piles"][colour] = {"cards": rack}, {"cards": rest}
        placed[number % seats] += len(TILES) - len(rack) - len(rest)
    made["turns"] = _turns(placed, to_move) if turns is None else turns
    return made


def at(board: Tiles | None = None, *, options: Options | None = None, seats: int = 3, **named: Any) -> Scenario:
    """A match in such a position."""
    chosen = options or Options()
    return given(GAME, state(board, options=chosen, seats=seats, **named), seats, chosen)


def state(board: Tiles | None = None, *, options: Options | None = None, seats: int = 3, **named: Any) -> State:
    return GAME.parse(position(board, seats=seats, **named), seats, options or Options())


def end(seats: int) -> int:
    """How many turns a match has."""
    return TURNS * colours_in_play(seats)


def _turns(placed: Sequence[int], to_move: int) -> int:
    """The fewest turns in which every seat can have placed that many, and after which this seat is to move."""
    seats = len(placed)
    turns = to_move
    while any(sum(turn % seats == seat for turn in range(turns)) < placed[seat] for seat in range(seats)):
        turns += seats
    return turns


def _laid(spaces: Sequence[str], tiles: Sequence[str]) -> dict[str, str]:
    """A different fitting tile for each space, by augmenting paths (Kuhn)."""
    fixed = dict(space.split("=") for space in spaces if "=" in space)
    free = [tile for tile in tiles if tile not in fixed.values()]
    holder: dict[str, str] = {}

    def find(space: str, tried: set[str]) -> bool:
        for tile in free:
            if tile not in tried and fits(tile, space):
                tried.add(tile)
                if tile not in holder or find(holder[tile], tried):
                    holder[tile] = space
                    return True
        return False

    for space in spaces:
        assert "=" in space or find(space, set()), f"no tile is left for {space}"
    return fixed | {space: tile for tile, space in holder.items()}
