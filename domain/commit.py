"""The commit: one accepted command with the events that it caused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Commit:
    """One accepted command with its events: one stream entry, one version, one replay step.

    Its events are either all the match's own or all the game's, save that a ``DisputeLapsed`` may stand before any.
    """

    version: int
    at: int
    """Milliseconds since 1970-01-01 UTC."""
    player: str
    token: str
    """The id of the token that was used, never the token itself."""
    command_id: str
    command: Any
    events: tuple[Any, ...]
    draws: int
    """The number of 64-bit words that the dice gave."""
    hash: bytes
    secrets: int = 0
    """The number of all secrets that it holds, seen or ``Hidden``."""

    def stored_as(self, hash_: bytes, secrets: int) -> Commit:
        """The same commit with the hash and the number of secrets of its stored entry."""
        # By position, in the order of the fields: cheaper than ``replace``, and paid once for each accepted command.
        given = (self.version, self.at, self.player, self.token, self.command_id, self.command, self.events, self.draws)
        return Commit(*given, hash_, secrets)
