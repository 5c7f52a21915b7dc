"""Records what is due although nobody acts, so that queries and live streams show it: expired disputes, open matches, clocks.

This is a command like any other, by the player ``house``, which has no token and no seat. Two workers that meet record a
deadline once, because the second one finds nothing due any more.

A clock that ran out while the server did not record it gets that time back first: after an absence of all workers, and after a
match could not be played because its log was in quarantine or its rules were missing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from domain import commands, wire
from domain.drafts import Due, draft
from domain.store import DamagedError
from projections.lobby import DUE
from service.matches.access import SERVER
from service.matches.handler import CommandHandler, CommandRequest
from service.players.tokens import Caller
from service.ports import Heartbeat
from service.ports.readmodels import ReadModels
from service.problems import ProblemError

HOUSE = Caller(SERVER, "")
LOOK_SECONDS = 0.25
AT_ONCE = 50
"""The most deadlines of one look, about 2 ms each."""
LATE_MS = 5000
"""Milliseconds. A clock that ran out longer ago was not recorded in time."""
SETTLING_SECONDS = 1.0
"""The time for which a match is left alone after its deadline was recorded: the lists show it a little later."""
FAILING_SECONDS = 30.0
"""The time for which a match is left alone whose deadline could not be recorded."""

_log = logging.getLogger(__name__)


class Deadlines:
    """Records deadlines that have passed. The lobby read model contains the next one of every match."""

    def __init__(
        self, handler: CommandHandler, views: ReadModels, heartbeat: Heartbeat, monotonic: Callable[[], float]
    ) -> None:
        self._handler = handler
        self._views = views
        self._heartbeat = heartbeat
        self._monotonic = monotonic
        self._resting: dict[str, float] = {}
        """Match → the time at which it may be looked at again."""

    def record_due(self) -> int:
        """Records up to ``AT_ONCE`` deadlines that have passed; returns their number. Raises ``UnavailableError``."""
        target = self._views.serving("lobby")
        if target is None:
            return 0
        now, last = self._handler.matches.now(), self._heartbeat.last()
        self._forget(self._monotonic())
        first = self._views.since(target, DUE, 0, 0, AT_ONCE + len(self._resting))
        chosen = [(match_id, at) for at, match_id in first if at <= now and match_id not in self._resting][:AT_ONCE]
        count = sum(self._record(match_id, at, now, now if last is None else last) for match_id, at in chosen)
        if len(chosen) < AT_ONCE:
            # Only now: if this process ends before, the next one must know of the whole absence.
            self._heartbeat.beat(now)
        return count

    def _forget(self, now: float) -> None:
        self._resting = {match_id: until for match_id, until in self._resting.items() if until > now}

    def _record(self, match_id: str, at: int, now: int, last: int) -> bool:
        late = now - at > LATE_MS
        recorded = (late and self._extend(match_id, at, now, last)) or self._execute(match_id, draft(Due))
        self._resting[match_id] = self._monotonic() + (SETTLING_SECONDS if recorded else FAILING_SECONDS)
        return recorded

    def _extend(self, match_id: str, at: int, now: int, last: int) -> bool:
        """Gives a clock back the time that it lost in the absence, and at least the time of an answer."""
        try:
            clock = self._handler.matches.fresh(match_id).match.table.clock
        except (ProblemError, wire.UnreadableError, DamagedError):
            return False
        if clock is None:
            return False
        lost = max(at - last, clock.answer_seconds * 1000)
        return self._execute(match_id, commands.ExtendClocks(now - at + lost))

    def _execute(self, match_id: str, command: Any) -> bool:
        try:
            self._handler.execute(match_id, CommandRequest(HOUSE), command)
        except (ProblemError, wire.UnreadableError, DamagedError) as fault:
            # Another process was faster, which the lobby will show soon; or the log is damaged, which the audit reports.
            _log.info("match %s: found nothing that is due: %s", match_id, type(fault).__name__)
            return False
        return True
