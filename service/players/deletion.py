"""Deleted accounts: whatever this process remembers of one is dropped as soon as any process deletes it.

Processes notify each other over the server. After a notification may have been lost, anybody may have been deleted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from service.ports import Notifications


class RemembersPlayers(Protocol):
    """A cache of facts about players, or a stream that shows them."""

    def invalidate(self, player: str | None) -> None:
        """The player's account was deleted; ``None``: anybody's may have been, unheard. May raise ``UnavailableError``."""
        ...


class Deletions:
    """Passes each deletion on to all that remember players, in their order: a later one may ask an earlier one."""

    def __init__(self, remembering: Sequence[RemembersPlayers]) -> None:
        self._remembering = tuple(remembering)

    def invalidate(self, player: str | None) -> None:
        for each in self._remembering:
            each.invalidate(player)

    def listen(self, notifications: Notifications) -> None:
        """Follows the notifications as long as they come, which is for ever."""
        for player in notifications.heard():
            if player is not None:
                self.invalidate(player or None)  # "" says that some may have been missed
