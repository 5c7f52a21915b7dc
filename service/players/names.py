"""Player names, cached for a minute, so that a usual read of a match needs no round trip but the log's."""

from __future__ import annotations

from collections.abc import Collection

from domain.players import is_bot, level_of
from service.cache import Cache, Lifetime
from service.ports import Clock
from service.ports.players import Players

REMEMBERED_MS = 60_000
"""The longest time for which a process that missed the notification shows a deleted name."""
REMEMBERED = 10_000
NOBODY = ""
"""Cached in place of a name for an id without one. No account can have this name."""


class Names:
    """Player id to name."""

    def __init__(self, players: Players, clock: Clock) -> None:
        self._players = players
        self._known: Cache[str, str] = Cache(REMEMBERED, lifetime=Lifetime(clock, REMEMBERED_MS))

    def of(self, ids: Collection[str]) -> dict[str, str]:
        """Returns player id → name of those that have one. One round trip if any is not cached."""
        found = {player: f"{level_of(player).capitalize()} bot" for player in ids if is_bot(player)}
        found |= {player: name for player in ids if (name := self._known.get(player)) is not None}
        if missing := [player for player in ids if player not in found]:
            found |= self._fetch(missing)
        return {player: name for player, name in found.items() if name != NOBODY}

    def invalidate(self, player: str | None) -> None:
        """Drops the cached name of this player; ``None``: of every player."""
        if player is None:
            self._known.clear()
        else:
            self._known.remove(player)

    def _fetch(self, players: Collection[str]) -> dict[str, str]:
        # A name fetched before its account was deleted may arrive afterwards, and must not be cached for a minute then.
        removals = self._known.removals
        names = self._players.names(players)
        asked = {player: names.get(player, NOBODY) for player in players}
        for player, name in asked.items():
            self._known.put(player, name, since=removals)
        return asked
