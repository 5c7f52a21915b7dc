"""Records what is due although nobody acts, so that queries and live streams show it: expired disputes and open matches.

This is a command like any other, by the player ``house``, which has no token and no seat.
"""

from __future__ import annotations

import logging

from domain import wire
from domain.drafts import Due, draft
from domain.store import DamagedError
from projections.lobby import DUE
from service.matches.access import SERVER
from service.matches.handler import CommandHandler, CommandRequest
from service.players.tokens import Caller
from service.ports.readmodels import ReadModels
from service.problems import ProblemError

HOUSE = Caller(SERVER, "")
LOOK_SECONDS = 5.0
AT_ONCE = 20

_log = logging.getLogger(__name__)


class Deadlines:
    """Records deadlines that have passed. The lobby read model contains the next one of every match."""

    def __init__(self, handler: CommandHandler, views: ReadModels) -> None:
        self._handler = handler
        self._views = views

    def record_due(self) -> int:
        """Records up to ``AT_ONCE`` deadlines that have passed; returns their number. Raises ``UnavailableError``."""
        target = self._views.serving("lobby")
        if target is None:
            return 0
        due = self._views.until(target, DUE, self._handler.matches.now(), AT_ONCE)
        return sum(map(self._record, due))

    def _record(self, match_id: str) -> bool:
        request = CommandRequest(HOUSE)
        try:
            self._handler.execute(match_id, request, draft(Due))
        except (ProblemError, wire.UnreadableError, DamagedError) as fault:
            # Another process was faster, which the lobby will show soon; or the log is damaged, which the audit reports.
            _log.info("match %s: found nothing that is due: %s", match_id, type(fault).__name__)
            return False
        return True
