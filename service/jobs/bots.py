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
PLANNING_SECONDS = 0.7
"""The time for a decision of a planner."""
AT_ONCE = 100
"""The most moves of one look."""
REST_SECONDS = 10.0
"""The time for which a match is left alone whose move failed."""
MEMORIES = 2_000
"""Seats of which the process keeps what they remember."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Memory:
    """What a seat remembers of a log up to a version."""

    version: int
    value: Any


class Bots:
    """Makes the moves of all bots, on behalf of the active jobs process."""

    def __init__(self, handler: CommandHandler, views: ReadModels, monotonic: Callable[[], float]) -> None:
        self._handler = handler
        self._views = views
        self._monotonic = monotonic
        self._memories: Cache[tuple[str, int], Memory] = Cache(MEMORIES)
        self._resting: dict[str, float] = {}

    def step(self) -> float:
        """Makes up to ``AT_ONCE`` moves that are due, the oldest first. Returns the seconds until the next look.

        Raises ``UnavailableError``.
        """
        target = self._views.serving("lobby")
        if target is None:
            return 1.0
        now, clock = self._handler.matches.now(), self._monotonic()
        self._resting = {match_id: until for match_id, until in self._resting.items() if until > clock}
        waiting = self._views.since(target, BOTS, 0, 0, AT_ONCE + len(self._resting))
        next_look = 0.1
        for since, match_id in waiting:
            if since + min(PAUSE_MS.values()) > now:
                next_look = min(next_look, (since + min(PAUSE_MS.values()) - now) / 1000)
                break
            if match_id not in self._resting:
                self._play(match_id, now)
        return max(0.0, next_look)

    def _play(self, match_id: str, now: int) -> None:
        try:
            match = self._handler.matches.fresh(match_id).match
            for seat, player in match.bots_to_move:
                if now - match.at >= PAUSE_MS[level_of(player)]:
                    self._move(match, seat, player)
        except (ProblemError, wire.UnreadableError, DamagedError) as fault:
            # Somebody else was faster, or the match cannot be played now.
            _log.info("match %s: a bot could not move: %s", match_id, type(fault).__name__)
            self._resting[match_id] = self._monotonic() + REST_SECONDS

    def _move(self, match: Match, seat: int, player: str) -> None:
        dice = QuickDice.of(b"bot", match.id.encode(), match.head, bytes([seat]))
        view = self._seen(match, seat)
        try:
            move = LEVELS[level_of(player)](view, dice, self._budget())
        except Exception:
            # Play goes on, whatever a bot does not understand.
            _log.exception("match %s: a bot failed and makes a random move", match.id)
            move = at_random(view, dice, Budget())
        digest = hashlib.sha256(prefixed(b"bot move", match.id.encode(), match.head, bytes([seat]))).hexdigest()
        request = CommandRequest(Caller(player, ""), f"bot-{digest[:24]}", frozenset({match.version}))
        self._handler.execute(match.id, request, commands.Move(seat, move))

    def _budget(self) -> Budget:
        until = self._monotonic() + PLANNING_SECONDS
        return Budget(over=lambda: self._monotonic() > until)

    def _seen(self, match: Match, seat: int) -> Seen:
        """The match as the seat sees and remembers it. Nothing else reaches a bot."""
        if match.game.remember is remembers_nothing:
            return seen(match.game, match.state, seat)
        return seen(match.game, match.state, seat, self._memory(match, seat))

    def _memory(self, match: Match, seat: int) -> Any:
        """What the seat remembers of the versions in force, read on from where it was remembered last."""
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
