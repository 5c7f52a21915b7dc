"""Players who leave: whatever this process remembers of them is dropped as soon as any process lets them go.

Processes tell each other over the server. Whoever may have missed something asks the store again for everything it remembers.
"""

from __future__ import annotations

from service.players.names import Names
from service.players.tokens import Tokens
from service.ports import Notifications, Players
from service.web.live.lobby import LobbyStream
from service.web.live.match import Streams


class Departures:
    """All that remembers names or tokens in this process."""

    def __init__(
        self, players: Players, tokens: Tokens, names: Names, streams: Streams, lobby: LobbyStream | None
    ) -> None:
        self._players = players
        self._tokens = tokens
        self._names = names
        self._streams = streams
        self._lobby = lobby

    def gone(self, player: str) -> None:
        """The player has left."""
        self._tokens.drop(player)
        self._names.drop(player)
        self._streams.gone(player)
        if self._lobby is not None:
            self._lobby.gone(player)

    def listen(self, wakes: Notifications) -> None:
        """For ever."""
        for player in wakes.heard():
            if player:
                self.gone(player)
            elif player is not None:
                self._look_around()

    def _look_around(self) -> None:
        """Anybody may have left unheard."""
        self._tokens.drop(None)
        self._names.drop(None)
        watching = self._streams.players() | (set() if self._lobby is None else self._lobby.players())
        for player in watching - self._players.names(watching).keys():
            self.gone(player)
