"""Given a state, when a seat moves, then these events: the harness of all rule tests.

Every step goes the way of a real match: decided by the kernel, sealed to bytes, read back, folded. So a rule test also
tests that its events survive the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from domain import wire
from domain.chance import seed_commitment
from domain.commands import Move, Open
from domain.commit import Commit
from domain.decide import decide
from domain.events import Joined, Opened, Started
from domain.evolve import advance, begin
from domain.game import AnyGame, Outcome
from domain.hashchain import GENESIS
from domain.hidden import redact
from domain.match import Act, Match, Refused
from tests.support.dice import ScriptedDice

MATCH_ID = "00test"
SEED = bytes(range(32))
TOKEN = "t0"


def player(seat: int) -> str:
    return f"p{seat}"


def dealt(game: AnyGame, seats: int, options: Any = None, dice: Sequence[Any] = ()) -> Scenario:
    """A match that starts with the usual deal, its chance scripted."""
    chosen = options or game.options()
    return given(game, game.deal(seats, chosen, ScriptedDice(*dice)), seats, chosen)


def given(game: AnyGame, state: Any, seats: int, options: Any = None) -> Scenario:
    """A match that is in this state. The state keeps the game's invariants."""
    faults = list(game.check(state))
    assert not faults, f"the given state breaks: {'; '.join(map(str, faults))}"
    opened = Opened(
        game=game.id,
        rules=game.version,
        seats=seats,
        options=options or game.options(),
        host=player(0),
        undo="host",
        private=False,
        seed_commitment=seed_commitment(SEED).hex(),
        position=state,
    )
    joined = tuple(Joined(seat, player(seat), "") for seat in range(seats))
    command = Open(game.id, seats, {})
    first = Commit(1, 0, player(0), TOKEN, "c1", command, (opened, *joined, Started(state)), 0, b"")
    return Scenario(_stored(game, None, first))


def _stored(game: AnyGame, match: Match | None, commit: Commit) -> Match:
    """The match after this commit has been to the log and back."""
    entry = wire.encode(game, MATCH_ID, commit, SEED, GENESIS if match is None else match.head)
    read = wire.decode(game, entry)
    return begin(MATCH_ID, game, read) if match is None else advance(match, read)


@dataclass(frozen=True)
class Scenario:
    """A match in the middle of a test; every step gives a new one."""

    match: Match
    happened: tuple[Any, ...] = ()
    """The events of the last move."""
    refusal: Refused | None = None

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def outcome(self) -> Outcome | None:
        return self.match.outcome

    @property
    def to_move(self) -> frozenset[int]:
        return self.match.to_move

    def when(self, move: Any, seat: int | None = None, dice: Sequence[Any] = ()) -> Scenario:
        """A seat (the only one to move, if none is named) makes this move, a move object or its JSON."""
        assert self.refusal is None, f"refused before: {self.refusal}"
        if seat is None:
            (seat,) = self.match.to_move
        if isinstance(move, dict):
            move = self.match.game.read_move(move)
        script = ScriptedDice(*dice)
        decision = decide(self.match, Move(seat, move), Act(player(seat), 0, script))
        if isinstance(decision, Refused):
            return replace(self, refusal=decision, happened=())
        assert not script.script, f"the move did not draw {script.script}"
        version = self.match.version + 1
        commit = Commit(version, 0, player(seat), TOKEN, f"c{version}", Move(seat, move), decision, script.draws, b"")
        after = _stored(self.match.game, self.match, commit)
        faults = list(after.game.check(after.state))
        assert not faults, f"the move broke: {'; '.join(map(str, faults))}"
        return Scenario(after, decision)

    def then(self, *events: Any) -> Scenario:
        """The last move did exactly this."""
        assert self.refusal is None, f"refused: {self.refusal}"
        assert self.happened == events
        return self

    def refused(self, rule: str) -> Scenario:
        """The last move was refused by this rule, with a sentence; the match is as it was before it."""
        assert self.refusal is not None, f"not refused; it did {self.happened}"
        assert self.refusal.rule == rule, f"refused by {self.refusal.rule}: {self.refusal.message}"
        assert len(self.refusal.message) > 10
        return replace(self, refusal=None)

    def legal(self, seat: int | None = None) -> list[dict[str, Any]]:
        """The moves that a seat may make, as JSON."""
        if seat is None:
            (seat,) = self.match.to_move
        game = self.match.game
        return [game.plain_move(move) for move in game.legal(redact(self.state, frozenset({seat})), seat)]

    def view(self, *seats: int) -> dict[str, Any]:
        """The state as these seats together see it; none: as a spectator does."""
        return self.match.game.view(redact(self.state, frozenset(seats)))
