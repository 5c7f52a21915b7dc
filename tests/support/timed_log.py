"""A match of a small game by named players, at times that a test chooses: for disputes and arbiters."""

from __future__ import annotations

from typing import Any

from domain import wire
from domain.chance import SeededDice, seed_commitment
from domain.commands import Clock, Open
from domain.commit import Commit
from domain.decide import decide, decide_open, entropy_with
from domain.evolve import advance, begin
from domain.game import AnyGame
from domain.hashchain import GENESIS
from domain.hidden import redact
from domain.match import Act, Match, Refused
from domain.protocol import PROTOCOL
from replay.verify import Judge
from tests.support import toy

MATCH_ID = "00abc"
SEED = bytes(range(32))
HOUR = 60 * 60 * 1000
SLOW = Clock(turn=14 * 24 * 60 * 60, answer=60 * 24 * 60 * 60)
"""The clock of a rated match in which no time runs out."""


class TimedLog:
    """A match that Ada has opened. Each command comes a second after the one before, or later: see ``wait``."""

    def __init__(
        self,
        seats: int = 2,
        *,
        game: AnyGame = toy.GAME,
        protocol: int = PROTOCOL,
        position: Any = None,
        given: dict[str, Any] | None = None,
        **opening: Any,
    ) -> None:
        """``given``: the options of the game."""
        self.game = game
        self.now = 1_750_000_000_000
        self.commits: list[Commit] = []
        self.matches: list[Match] = []
        if protocol >= 3:
            opening.setdefault("clock", SLOW)
        command = Open(game.id, seats, given or {}, positioned=position is not None, **opening)
        act = Act("ada", self.now, SeededDice(SEED, MATCH_ID, 1, "c1", ("",)))
        decision = decide_open(self.game, command, act, seed_commitment(SEED).hex(), position, protocol)
        assert not isinstance(decision, Refused)
        self._append(command, "ada", decision, 0)

    @property
    def match(self) -> Match:
        return self.matches[-1]

    def wait(self, milliseconds: int) -> None:
        self.now += milliseconds

    def attempt(self, command: Any, by: str) -> Refused | None:
        """Does the command, or says why it is refused."""
        self.now += 1000
        version = self.match.version + 1
        dice = SeededDice(SEED, MATCH_ID, version, f"c{version}", entropy_with(self.match, command))
        decision = decide(self.match, command, Act(by, self.now, dice))
        if isinstance(decision, Refused):
            return decision
        self._append(command, by, decision, dice.draws)
        return None

    def do(self, command: Any, by: str) -> TimedLog:
        refused = self.attempt(command, by)
        assert refused is None, refused
        return self

    def refused(self, command: Any, by: str, code: str) -> Refused:
        before = self.match
        refused = self.attempt(command, by)
        assert refused is not None, command
        assert refused.code == code, refused
        assert self.match is before
        return refused

    def events(self) -> list[Any]:
        """The events of the newest commit."""
        return list(self.commits[-1].events)

    def legal(self, seat: int) -> list[Any]:
        return list(self.game.legal(redact(self.match.state, frozenset({seat})), seat))

    def check_decided_again(self) -> None:
        """Every commit is decided again as it was."""
        judge = Judge(MATCH_ID, self.game, SEED)
        for commit in self.commits:
            assert judge.judge(commit) is None, commit

    def _append(self, command: Any, by: str, decision: Any, draws: int) -> None:
        version = len(self.commits) + 1
        commit = Commit(version, self.now, by, "t0", f"c{version}", command, decision, draws, b"")
        head = self.match.head if self.matches else GENESIS
        read = wire.decode(self.game, wire.encode(self.game, MATCH_ID, commit, SEED, head))
        self.commits.append(read)
        self.matches.append(advance(self.match, read) if self.matches else begin(MATCH_ID, self.game, read))
