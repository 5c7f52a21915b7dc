"""Changed accounts: this process drops everything it remembers of an account when any process deletes or renames it, or
revokes a token of it.

Processes notify each other through the server. When a notification may have been lost, any account may have changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from service.ports import Notifications


class RemembersPlayers(Protocol):
    """A cache of facts about players, or a stream that shows them."""

    def invalidate(self, player: str | None) -> None:
        """Drops what is remembered of a changed account; ``None``: of every account. May raise ``UnavailableError``."""
        ...


class Deletions:
    """Passes each change of an account on to all that remember players, in order: a later one may read through an earlier one."""

    def __init__(self, remembering: Sequence[RemembersPlayers]) -> None:
        self._remembering = tuple(remembering)

    def invalidate(self, player: str | None) -> None:
        for each in self._remembering:
            each.invalidate(player)

    def listen(self, notifications: Notifications) -> None:
        """Follows the notifications for ever."""
        for player in notifications.heard():
            if player is not None:
                self.invalidate(player or None)  # "" says that some may have been missed
