"""The memory of a seat: a pass shows that no tile of a rack could be placed, and most of the rack stays for a while."""

from __future__ import annotations

from dataclasses import dataclass, replace

from domain.game import Dice
from domain.games.blockers.board import FITS
from domain.games.blockers.components import COLOURS, KEPT, RACK, TILES
from domain.games.blockers.events import Event, Passed
from domain.games.blockers.placing import open_spaces
from domain.games.blockers.state import State
from domain.hidden import Bag


@dataclass(frozen=True, slots=True)
class Shown:
    """A bound: the rack of a colour holds ``most`` of these tiles at most, those drawn since it could place none."""

    colour: int
    tiles: frozenset[str]
    most: int


Memory = tuple[Shown, ...]


def remember(memory: Memory | None, state: State, event: Event, seat: int) -> Memory | None:
    if event.seat == seat:
        return memory
    known = memory or ()
    if isinstance(event, Passed):
        colours = [colour for colour in state.own(event.seat) if len(state.racks[colour]) > KEPT]
        spaces = open_spaces(state, event.seat)
        fitting = frozenset(tile for tile in TILES if FITS[tile] & spaces)
        left = [shown for shown in known if shown.colour not in colours]
        return (*left, *(Shown(colour, fitting, 0) for colour in colours)) or None
    colour, drew = COLOURS.index(event.colour), event.drawn is not None
    after = [
        replace(shown, most=shown.most + drew - (event.tile in shown.tiles)) if shown.colour == colour else shown
        for shown in known
    ]
    return tuple(shown for shown in after if shown.most < RACK) or None


def agree(state: State, seat: int, memory: Memory | None, dice: Dice) -> State:
    """Exchanges tiles that a rack cannot hold for others out of its pile."""
    racks, piles = list(state.racks), list(state.piles)
    for shown in memory or ():
        rack, pile = list(racks[shown.colour].cards or ()), list(piles[shown.colour].cards or ())
        wrong = [tile for tile in rack if tile in shown.tiles]
        for tile in dice.sample(wrong, max(0, len(wrong) - max(0, shown.most))):
            if not (possible := [other for other in pile if other not in shown.tiles]):
                break
            other = dice.choice(possible)
            rack[rack.index(tile)], pile[pile.index(other)] = other, tile
        racks[shown.colour] = Bag.of(rack, racks[shown.colour].seats)
        piles[shown.colour] = Bag.of(pile, piles[shown.colour].seats)
    return replace(state, racks=tuple(racks), piles=tuple(piles))
