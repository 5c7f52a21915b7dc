"""The names of players, remembered for a minute, so that a usual read of a match asks the log alone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection

from service.ports import Clock, Players

REMEMBERED_MS = 60_000
"""How long a name is shown that has been removed since, where nobody heard of it."""
REMEMBERED = 10_000


class Names:
    """Player id to name."""

    def __init__(self, players: Players, clock: Clock) -> None:
        self._players = players
        self._clock = clock
        self._known: OrderedDict[str, tuple[str | None, int]] = OrderedDict()
        self._drops = 0
        """How often something was dropped: what was asked for before that is not remembered after it."""

    def of(self, ids: Collection[str]) -> dict[str, str]:
        """The names of those that there are; one round trip if any has to be asked for."""
        now = self._clock.now()
        found = {player: known for player in ids if (known := self._known.get(player)) is not None and known[1] > now}
        if missing := [player for player in ids if player not in found]:
            drops = self._drops
            asked = self._players.names(missing)
            fresh = {player: (asked.get(player), now + REMEMBERED_MS) for player in missing}
            if self._drops == drops:
                self._remember(fresh)
            found |= fresh
        return {player: name for player, (name, _until) in found.items() if name is not None}

    def drop(self, player: str | None) -> None:
        """Asks the store again before it gives this player's name; anybody's (``None``)."""
        self._drops += 1
        if player is None:
            self._known.clear()
        else:
            self._known.pop(player, None)

    def _remember(self, fresh: dict[str, tuple[str | None, int]]) -> None:
        self._known.update(fresh)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
