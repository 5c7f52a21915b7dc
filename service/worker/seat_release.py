"""Releases the seats of deleted accounts at matches that have not started, and cancels the matches that they host.

Otherwise such a match would fill up, start, and wait for a player who never comes. Seats at running matches retire. A deleted
account also resigns as an arbiter, so that all seats rule. The worker does this because it knows
when the read models include everything done before a deletion. It acts with the player's own command, without a token.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from domain import commands, wire
from domain.dispute import OPEN_AFTER_END
from domain.drafts import draft
from domain.store import DamagedError
from service.matches.access import SERVER
from service.matches.handler import CommandHandler, CommandRequest
from service.players.tokens import CACHED_MS, Caller
from service.ports.players import DeletedAccounts
from service.ports.readmodels import ReadModels
from service.problems import ProblemError
from service.readmodels.queries import Queries, read_cursor

LOOK_SECONDS = 1.0
SLACK_MS = 1000
"""The most by which the clocks of two machines may differ."""
AGAIN_MS = CACHED_MS + 10_000
"""The time after which no process accepts the token any more, even from its cache; then the seats are searched once more."""
AT_ONCE = 100
"""The most accounts of one step; each takes a few milliseconds."""

_log = logging.getLogger(__name__)


class SeatRelease:
    """Releases seats on behalf of the active worker. Idempotent."""

    def __init__(self, handler: CommandHandler, views: ReadModels, accounts: DeletedAccounts) -> None:
        self._handler = handler
        self._queries = Queries(views)
        self._accounts = accounts
        self._searched: set[str] = set()
        """The accounts whose seats were released and will be searched once more."""

    def step(self, known_until: int) -> int:
        """Releases seats, and resigns as arbiters; returns the number of both. Raises ``UnavailableError``.

        ``known_until``: the time (ms) up to which the read models include everything.
        """
        if not self._queries.are_ready:
            return 0
        found = self._accounts.awaiting_release(known_until - SLACK_MS)
        deleted = [(player, known_until > when + AGAIN_MS) for player, when in found]
        due = [(player, last) for player, last in deleted if last or player not in self._searched]
        return sum(self._release(player, last, known_until) for player, last in due[:AT_ONCE])

    def _release(self, player: str, last: bool, now: int) -> int:
        leave, resign = draft(commands.Leave), commands.DeclineArbitration()
        count = sum(self._act(match_id, player, leave) for match_id in self._tables(player, "open"))
        for status in ("live", "frozen"):
            count += sum(self._retire(match_id, player) for match_id in self._tables(player, status))
        arbitrated = list(self._queries.arbitrated(player, now - OPEN_AFTER_END))
        count += sum(self._act(match_id, player, resign) for match_id in arbitrated)
        self._searched.add(player)
        if last:
            self._searched.discard(player)
            self._accounts.note_released(player)
        return count

    def _retire(self, match_id: str, player: str) -> bool:
        """Retires the player's seat. A match of an earlier protocol, or one that cannot be read, is left as it is."""
        with suppress(ProblemError, wire.UnreadableError, DamagedError):
            match = self._handler.matches.fresh(match_id).match
            seat = match.table.seat_of(player)
            if seat is not None and match.table.protocol >= 3 and not match.has_retired(seat):
                return self._act(match_id, SERVER, commands.Retire(seat))
        return False

    def _tables(self, player: str, status: str) -> Iterator[str]:
        query, cursor = {"player": player, "status": status}, None
        while True:
            page = self._queries.matches(player, query, read_cursor(cursor), 100)
            yield from page.ids
            cursor = page.next
            if cursor is None:
                return

    def _act(self, match_id: str, player: str, command: Any) -> bool:
        request = CommandRequest(Caller(player, ""))
        try:
            self._handler.execute(match_id, request, command)
        except (ProblemError, wire.UnreadableError, DamagedError) as fault:
            # It has started in the meantime, or the player has left; or its log is damaged, which the audit reports.
            _log.info("match %s: found nothing to release: %s", match_id, type(fault).__name__)
            return False
        return True
