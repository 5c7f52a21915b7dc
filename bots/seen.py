"""The knowledge of a bot: the state as its seat sees it, and the memory of the log.

This is the only way from a match to a bot. A bot that gets nothing else cannot look at what is hidden.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from domain.game import AnyGame, Dice
from domain.hidden import redact


@dataclass(frozen=True, slots=True)
class Seen:
    """A match in the eyes of one seat."""

    game: AnyGame
    seat: int
    state: Any
    """The state, redacted for the seat."""
    memory: Any = None
    """What the seat remembers of the log, as ``Game.remember`` keeps it."""

    def legal(self) -> list[Any]:
        """The moves of the seat; the caller must have checked that it is to move."""
        return list(self.game.legal(self.state, self.seat))

    def imagine(self, dice: Dice) -> Any:
        """A full state that the seat cannot tell from the real one, by what it sees and what it remembers."""
        world = self.game.imagine(self.state, self.seat, dice)
        return world if self.memory is None else self.game.agree(world, self.seat, self.memory, dice)


def seen(game: AnyGame, state: Any, seat: int, memory: Any = None) -> Seen:
    """The match as this seat sees it now. ``state`` is the full state, or one that is redacted for the seat."""
    return Seen(game, seat, redact(state, frozenset({seat})), memory)


def remembered(game: AnyGame, seat: int, state: Any, events: Iterable[Any], memory: Any = None) -> Any:
    """The memory of a seat after these events, which follow on this state. Both are redacted here."""
    sees = frozenset({seat})
    state = redact(state, sees)
    for event in events:
        event = redact(event, sees)
        memory = game.remember(memory, state, event, seat)
        state = game.evolve(state, event)
    return memory
