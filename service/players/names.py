"""The names of players, remembered for a minute, so that a usual read of a match asks the log alone."""

from __future__ import annotations

from collections.abc import Collection

from service.cache import Cache, Lifetime
from service.ports import Clock, Players

REMEMBERED_MS = 60_000
"""How long a name is shown after its removal where nobody heard of that."""
REMEMBERED = 10_000
NOBODY = ""
"""Remembered in place of a name for an id that has none; no player is called that."""


class Names:
    """Player id to name."""

    def __init__(self, players: Players, clock: Clock) -> None:
        self._players = players
        self._known: Cache[str, str] = Cache(REMEMBERED, lifetime=Lifetime(clock, REMEMBERED_MS))

    def of(self, ids: Collection[str]) -> dict[str, str]:
        """The names of those that have one; one round trip if any has to be asked for."""
        found = {player: name for player in ids if (name := self._known.get(player)) is not None}
        if missing := [player for player in ids if player not in found]:
            found |= self._asked(missing)
        return {player: name for player, name in found.items() if name != NOBODY}

    def invalidate(self, player: str | None) -> None:
        """Asks the store again before it gives this player's name; ``None``: anybody's."""
        if player is None:
            self._known.clear()
        else:
            self._known.remove(player)

    def _asked(self, players: Collection[str]) -> dict[str, str]:
        # A name asked for before an account was deleted may arrive after that, and must not be shown for a minute more.
        removals = self._known.removals
        names = self._players.names(players)
        asked = {player: names.get(player, NOBODY) for player in players}
        for player, name in asked.items():
            self._known.put(player, name, since=removals)
        return asked
