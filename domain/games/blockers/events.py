"""The events of the game, and the sentence that narrates each.

A placement is one event with its capture and its draw, so that no state has a rack in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.games.blockers.components import Colour, Space, Tile
from domain.hidden import Secret, Veiled


@dataclass(frozen=True, slots=True)
class Captured:
    colour: Colour
    tile: Tile


@dataclass(frozen=True, slots=True)
class TilePlaced:
    """A seat put a tile on the board, took what lay there, and drew a tile of the same colour while there was one."""

    seat: int
    colour: Colour
    tile: Tile
    at: Space
    captured: Captured | None
    drawn: Veiled[str] | None
    """``None``: the pile was empty, as everybody knows (BL-2)."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat could place no tile (BL-12)."""

    seat: int


Event = TilePlaced | Passed


def sentence(event: Event, names: Sequence[str]) -> str:
    match event:
        case Passed(seat):
            return f"{names[seat]} can place nothing and passes."
        case TilePlaced(seat, colour, tile, at, captured, drawn):
            deeds = [f"places the {colour} {tile} on {at}"]
            if captured is not None:
                deeds.append(f"captures the {captured.colour} {captured.tile}")
            if drawn is not None:
                deeds.append(f"draws the {colour} {drawn.value}" if isinstance(drawn, Secret) else "draws a tile")
            return f"{names[seat]} {_listed(deeds)}."


def _listed(deeds: Sequence[str]) -> str:
    return " and ".join(deeds) if len(deeds) < 3 else f"{', '.join(deeds[:-1])} and {deeds[-1]}"
