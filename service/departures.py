"""Players who leave: they give back their seats at matches that have not begun, and lose name and token.

Whatever a process remembers of them is dropped as soon as any process lets them go. Processes tell each other over the
server; where such a message is lost, names and tokens are remembered a minute at most.
"""

from __future__ import annotations

import logging

from domain import events as kernel
from domain import wire
from domain.match import Match
from domain.store import Damaged
from service.auth import Caller, Tokens
from service.commands import Matches, Request
from service.errors import Problem
from service.lists import Lists, read_cursor
from service.lobby_stream import LobbyStream
from service.names import Names
from service.streams import Streams, Wakes

_log = logging.getLogger(__name__)


class Departures:
    """All that remembers names or tokens in this process."""

    def __init__(
        self,
        matches: Matches,
        lists: Lists | None,
        tokens: Tokens,
        names: Names,
        streams: Streams,
        lobby: LobbyStream | None,
    ) -> None:
        self._matches = matches
        self._lists = lists
        self._tokens = tokens
        self._names = names
        self._streams = streams
        self._lobby = lobby

    def leave(self, caller: Caller) -> None:
        """The player leaves the house. Done twice, it is done; cut off anywhere, the token is good for another time."""
        for match_id in self._open_tables(caller.player):
            try:
                self._matches.execute(match_id, Request(caller), lambda match: _leaving(match, caller.player))
            except (Problem, wire.Unreadable, Damaged) as fault:
                # It has begun meanwhile, or it is damaged, which the audit tells.
                _log.info("match %s: not left: %s", match_id, type(fault).__name__)
        self._tokens.forget(caller.player)
        self.gone(caller.player)

    def _open_tables(self, player: str) -> list[str]:
        """The matches that have not begun, as the lists know them, or as far as the log is looked through without."""
        if self._lists is None or not self._lists.are_ready:
            newest = self._matches.newest(player)
            return [match.id for match in newest if match.status == "open" and match.table.seat_of(player) is not None]
        query, behind, found = {"player": player, "status": "open"}, None, list[str]()
        while True:
            page = self._lists.matches(player, query, read_cursor(behind), 100)
            found, behind = found + page.ids, page.next
            if behind is None:
                return found

    def gone(self, player: str) -> None:
        """The player has left."""
        self._tokens.drop(player)
        self._names.drop(player)
        self._streams.gone(player)
        if self._lobby is not None:
            self._lobby.gone(player)

    def listen(self, wakes: Wakes) -> None:
        """For ever."""
        for player in wakes.heard():
            if player is not None:
                self.gone(player)


def _leaving(match: Match, player: str) -> kernel.Leave:
    """Raises ``Problem`` for who does not sit there any more."""
    seat = match.table.seat_of(player)
    if seat is None:
        raise Problem("not_seated")
    return kernel.Leave(seat)
