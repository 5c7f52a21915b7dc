"""Releases the seats of deleted accounts at matches that have not begun, and cancels the matches that they host.

Otherwise such a match would fill up, begin, and wait for nobody. The worker does it, for it knows when the lists know of
everything that was done before an account was deleted. It is the player's own command, though under no token.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from domain import commands, wire
from domain.drafts import draft
from domain.store import DamagedError
from service.matches.handler import CommandHandler, CommandRequest
from service.players.tokens import CACHED_MS, Caller
from service.ports import DeletedAccounts
from service.ports.readmodels import ReadModels
from service.problems import ProblemError
from service.readmodels.queries import Lists, read_cursor

LOOK_SECONDS = 1.0
SLACK_MS = 1000
"""What the clocks of two machines may differ by."""
AGAIN_MS = CACHED_MS + 10_000
"""After so long not even a process that has not heard of it takes the token any more, and all is looked through once more."""
AT_ONCE = 100
"""Accounts of one look, a few milliseconds each."""

_log = logging.getLogger(__name__)


class SeatRelease:
    """Belongs to the one worker that works. Done twice, it is done."""

    def __init__(self, handler: CommandHandler, views: ReadModels, accounts: DeletedAccounts) -> None:
        self._handler = handler
        self._lists = Lists(views)
        self._accounts = accounts
        self._once: set[str] = set()
        """The accounts whose seats have been released and are to be looked for once more."""

    def go_on(self, known_until: int) -> int:
        """The number of seats released. The lists know everything until ``known_until`` (ms). Raises ``UnavailableError``."""
        if not self._lists.are_ready:
            return 0
        found = self._accounts.seated(known_until - SLACK_MS)
        deleted = [(player, known_until > when + AGAIN_MS) for player, when in found]
        due = [(player, last) for player, last in deleted if last or player not in self._once]
        return sum(self._released(player, last) for player, last in due[:AT_ONCE])

    def _released(self, player: str, last: bool) -> int:
        count = sum(self._left(match_id, player) for match_id in self._open_tables(player))
        self._once.add(player)
        if last:
            self._once.discard(player)
            self._accounts.not_seated(player)
        return count

    def _open_tables(self, player: str) -> Iterator[str]:
        query, behind = {"player": player, "status": "open"}, None
        while True:
            page = self._lists.matches(player, query, read_cursor(behind), 100)
            yield from page.ids
            behind = page.next
            if behind is None:
                return

    def _left(self, match_id: str, player: str) -> bool:
        request = CommandRequest(Caller(player, ""))
        try:
            self._handler.execute(match_id, request, draft(commands.Leave))
        except (ProblemError, wire.UnreadableError, DamagedError) as fault:
            # It has begun meanwhile, or it is damaged, which the audit reports.
            _log.info("match %s: no seat to release: %s", match_id, type(fault).__name__)
            return False
        return True
