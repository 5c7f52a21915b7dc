"""Moves for seats that bots play: bots that were seated at the start, and stand-ins for seats that have retired.

A bot is a player like any other. It sees the match redacted for its seat, and its moves go through the command handler. The
command id follows from the match, its head and the seat, and the bot's own chance too, so a process that is killed in the middle
of a move makes the same one again, and it happens once.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bots import LEVELS, Budget
from bots.dice import QuickDice
from bots.random import at_random
from bots.seen import Seen, remembered, seen
from domain import commands, wire
from domain.chance import prefixed
from domain.game import remembers_nothing
from domain.match import Match
from domain.players import level_of
from domain.store import DamagedError
from domain.undo import is_move
from projections.lobby import BOTS
from service.cache import Cache
from service.matches.handler import CommandHandler, CommandRequest
from service.players.tokens import Caller
from service.ports.readmodels import ReadModels
from service.problems import ProblemError

PAUSE_MS = {"random": 300, "greedy": 300, "planner": 1500}
"""Milliseconds from the newest commit to a bot's move, by level: longer than any of its decisions takes. An answer that came
sooner or later would show what the bot holds, and people like to see what happens."""
LOOK_SECONDS = 0.1
SETTLING_SECONDS = 0.2
"""The time for which a match is left alone after a move, unless the lists show a newer version of it before."""
ALONE_MS = 6000
"""The same where only bots play on: nobody waits for them, and whoever has left many such matches must not keep us busy."""
PLANNING_SECONDS = 0.7
"""The time for a decision of a planner."""
AT_ONCE = 100
"""The most moves of one look."""
REST_SECONDS = 10.0
"""The time for which a match is left alone whose move failed."""
MEMORIES = 2_000
"""Seats of which the process keeps what they remember."""

_log = logging.getLogger(__name__)


def _pause(match: Match) -> int:
    """The milliseconds from the newest commit to the moves of the bots."""
    pause = max((PAUSE_MS[level_of(player)] for _seat, player in match.bots_to_move), default=0)
    if match.people_in_play or match.clocks is None:
        return pause if match.people_in_play else ALONE_MS
    return max(pause, min(ALONE_MS, (match.clocks.due()[0].at - match.at) // 2)) if match.clocks.due() else ALONE_MS


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of a seat of a log, up to a version."""

    version: int
    value: Any


@dataclass(frozen=True, slots=True)
class Plan:
    """The moves of all bots that are to move at one version."""

    since: int
    """The time of that version (ms), as the lists show it."""
    version: int
    head: bytes
    due: int
    """The time (ms) at which they are made. They are chosen before, so that it does not depend on how long that took."""
    moves: tuple[tuple[int, str, Any], ...]
    """Seat, player id, move."""


class Bots:
    """Makes the moves of all bots, on behalf of the active jobs process."""

    def __init__(self, handler: CommandHandler, views: ReadModels, monotonic: Callable[[], float]) -> None:
        self._handler = handler
        self._views = views
        self._monotonic = monotonic
        self._memories: Cache[tuple[str, int], Memory] = Cache(MEMORIES)
        self._plans: dict[str, Plan] = {}
        self._resting: dict[str, float] = {}

    def step(self) -> float:
        """Makes the moves that are due, the oldest first, and then thinks about others. Returns the seconds until the next look.

        Raises ``UnavailableError``.
        """
        target = self._views.serving("lobby")
        if target is None:
            return 1.0
        clock = self._monotonic()
        self._resting = {match_id: until for match_id, until in self._resting.items() if until > clock}
        waiting = self._views.since(target, BOTS, 0, 0, AT_ONCE + len(self._resting))
        chosen = [(match_id, since) for since, match_id in waiting if match_id not in self._resting]
        self._plans = {
            match_id: plan for match_id, since in chosen if (plan := self._plan(match_id, since)) is not None
        }
        dues = [self._carry_out(match_id, plan) for match_id, plan in self._plans.items()]
        return min((due for due in dues if due is not None), default=LOOK_SECONDS)

    def _plan(self, match_id: str, since: int) -> Plan | None:
        """Chooses the moves of the bots of a match for the state that it has had since this time (ms).

        Returns ``None`` if that failed.
        """
        known = self._plans.get(match_id)
        if known is not None and known.since == since:
            return known
        try:
            match = self._handler.matches.fresh(match_id).match
            moves = tuple((seat, player, self._choice(match, seat, player)) for seat, player in match.bots_to_move)
            return Plan(since, match.version, match.head, match.at + _pause(match), moves)
        except (ProblemError, wire.UnreadableError, DamagedError) as fault:
            self._leave_alone(match_id, fault)
            return None

    def _carry_out(self, match_id: str, plan: Plan) -> float | None:
        """Makes the moves of a plan if it is time. Returns the seconds until then; ``None`` once they are made."""
        left = plan.due - self._handler.matches.now()
        if left > 0:
            return min(LOOK_SECONDS, left / 1000)
        version = plan.version
        for seat, player, move in plan.moves:
            try:
                version = self._move(match_id, plan, version, seat, player, move)
            except (ProblemError, wire.UnreadableError, DamagedError) as fault:
                self._leave_alone(match_id, fault)
                return None
        # The lists show it a little later.
        self._resting[match_id] = self._monotonic() + SETTLING_SECONDS
        return None

    def _leave_alone(self, match_id: str, fault: Exception) -> None:
        # Somebody else was faster, or the match cannot be played now.
        _log.info("match %s: a bot could not move: %s", match_id, type(fault).__name__)
        stale = isinstance(fault, ProblemError) and fault.code == "stale_version"
        self._resting[match_id] = self._monotonic() + (SETTLING_SECONDS if stale else REST_SECONDS)

    def _choice(self, match: Match, seat: int, player: str) -> Any:
        dice = QuickDice.of(b"bot", match.id.encode(), match.head, bytes([seat]))
        view = self._seen(match, seat)
        try:
            return LEVELS[level_of(player)](view, dice, self._budget())
        except Exception:
            # Play goes on, whatever a bot does not understand.
            _log.exception("match %s: a bot failed and makes a random move", match.id)
            return at_random(view, dice, Budget())

    def _move(self, match_id: str, plan: Plan, version: int, seat: int, player: str, move: Any) -> int:
        """Makes a move on this version of the match; returns the version by which it was made."""
        digest = hashlib.sha256(prefixed(b"bot move", match_id.encode(), plan.head, bytes([seat]))).hexdigest()
        request = CommandRequest(Caller(player, ""), f"bot-{digest[:24]}", frozenset({version}))
        return self._handler.execute(match_id, request, commands.Move(seat, move)).commit.version

    def _budget(self) -> Budget:
        until = self._monotonic() + PLANNING_SECONDS
        return Budget(over=lambda: self._monotonic() > until)

    def _seen(self, match: Match, seat: int) -> Seen:
        """The match as the seat sees and remembers it. Nothing else reaches a bot."""
        if match.game.remember is remembers_nothing:
            return seen(match.game, match.state, seat)
        return seen(match.game, match.state, seat, self._memory(match, seat))

    def _memory(self, match: Match, seat: int) -> Any:
        """Returns what the seat remembers of the versions in force, read on from where it was remembered last."""
        key = (match.id, seat)
        known, newest = self._memories.get(key), match.node
        assert newest is not None
        start = None if known is None else newest.find(known.version)
        value = None if known is None or start is None else known.value
        moves = [node for node in newest.path() if (start is None or node.version > start.version) and is_move(node)]
        for node in reversed(moves):
            (entry,) = self._handler.matches.entries(match.id, node.version - 1, 1)
            commit = wire.decode(match.game, entry, frozenset({seat}))
            assert node.parent is not None
            value = remembered(match.game, seat, node.parent.state, commit.events, value)
        self._memories.put(key, Memory(match.version, value))
        return value
