"""The numbers of the rules that bind a move, and of those that an event follows."""

from __future__ import annotations

from domain.games.territories.events import Event, Moved, Placed
from domain.games.territories.moves import AnyMove, Move, Place


def cites(said: AnyMove | Event) -> tuple[str, ...]:
    if isinstance(said, (Place, Placed)):
        return ("TR-2", "TR-3")
    return ("TR-4",) if isinstance(said, (Move, Moved)) else ("TR-5",)
