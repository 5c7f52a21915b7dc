"""The numbers of the rules that bind a move, and of those that an event follows."""

from __future__ import annotations

from domain.games.blockers.events import Event, TilePlaced
from domain.games.blockers.moves import Move, Place

PLACING = ("BL-4", "BL-5", "BL-6")
CAPTURING = ("BL-8", "BL-9", "BL-13")
PASSING = ("BL-12",)


def cites(said: Move | Event) -> tuple[str, ...]:
    if not isinstance(said, (Place, TilePlaced)):
        return PASSING
    wild = ("BL-10",) if said.tile == "wild" else ()
    captures = isinstance(said, TilePlaced) and said.captured is not None
    return PLACING + wild + (CAPTURING if captures else ())
