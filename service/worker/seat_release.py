"""Seats at matches that have not begun are given back for players who have left the house, whose own are cancelled so.

Otherwise such a match would fill up, begin, and wait for nobody. The worker does it, for it knows when the lists know of
everything that was done before somebody left. It is the leaver's own command, though under no token.

``{players}:leaving`` is player → when (ms), of those whose seats may not all be given back.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from typing import Any

from domain import commands, wire
from domain.drafts import draft
from domain.store import Damaged
from service.adapters.redis.client import answering
from service.adapters.redis.players import LEAVING
from service.adapters.redis.readmodels import RedisViews
from service.matches.handler import CommandHandler, CommandRequest
from service.players.tokens import CACHED_MS, Caller
from service.problems import Problem
from service.readmodels.queries import Lists, read_cursor

LOOK_SECONDS = 1.0
SLACK_MS = 1000
"""What the clocks of two machines may differ by."""
AGAIN_MS = CACHED_MS + 10_000
"""After so long not even a process that has not heard of it takes the token any more, and all is looked through once more."""
AT_ONCE = 100
"""Leavers of one look, a few milliseconds each."""

_log = logging.getLogger(__name__)


class Vacating:
    """Belongs to the one worker that works. Done twice, it is done."""

    def __init__(self, handler: CommandHandler, views: RedisViews) -> None:
        self._handler = handler
        self._views = views
        self._lists = Lists(views)
        self._looked = 0.0
        self._once: set[str] = set()
        """Whose seats have been given back and are to be looked for once more."""

    def go_on(self, known_until: int) -> int:
        """How many seats were given back. The lists know everything until ``known_until`` (ms). Raises ``Unavailable``."""
        if time.monotonic() < self._looked + LOOK_SECONDS or not self._lists.are_ready:
            return 0
        self._looked = time.monotonic()
        with answering():
            found: Any = self._views.client.zrangebyscore(LEAVING, "-inf", known_until - SLACK_MS, withscores=True)
        leavers = [(player.decode(), known_until > when + AGAIN_MS) for player, when in found]
        due = [(player, last) for player, last in leavers if last or player not in self._once]
        return sum(self._vacated(player, last) for player, last in due[:AT_ONCE])

    def _vacated(self, player: str, last: bool) -> int:
        count = sum(self._left(match_id, player) for match_id in self._open_tables(player))
        self._once.add(player)
        if last:
            self._once.discard(player)
            with answering():
                self._views.client.zrem(LEAVING, player)
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
        except (Problem, wire.Unreadable, Damaged) as fault:
            # It has begun meanwhile, or it is damaged, which the audit tells.
            _log.info("match %s: no seat to give back: %s", match_id, type(fault).__name__)
            return False
        return True
