"""Records that disputes have expired, so that lists and live streams learn of it though nobody acts.

It is a command like any other, by a player called ``house``, who has no token and no seat.
"""

from __future__ import annotations

import logging

from domain import commands, wire
from domain.drafts import draft
from domain.store import DamagedError
from projections.lobby import DUE
from service.matches.access import invite_of
from service.matches.handler import CommandHandler, CommandRequest
from service.players.tokens import Caller
from service.ports.readmodels import ReadModels
from service.problems import ProblemError

HOUSE = Caller("house", "")
LOOK_SECONDS = 5.0
AT_ONCE = 20

_log = logging.getLogger(__name__)


class DisputeExpiry:
    """Looks up what is due in the lobby, which knows of every open dispute."""

    def __init__(self, handler: CommandHandler, views: ReadModels) -> None:
        self._handler = handler
        self._views = views

    def record(self) -> int:
        """Records some of the disputes that have expired; how many. Raises ``UnavailableError``."""
        target = self._views.serving("lobby")
        if target is None:
            return 0
        due = self._views.until(target, DUE, self._handler.matches.now(), AT_ONCE)
        return sum(map(self._recorded, due))

    def _recorded(self, match_id: str) -> bool:
        request = CommandRequest(HOUSE, invite=invite_of(self._handler.matches.seed(match_id)))
        try:
            self._handler.execute(match_id, request, draft(commands.Lapse))
        except (ProblemError, wire.UnreadableError, DamagedError) as fault:
            # Somebody was faster, which the lobby is about to learn; or the log is damaged, which the audit reports.
            _log.info("match %s: no dispute to let lapse: %s", match_id, type(fault).__name__)
            return False
        return True
