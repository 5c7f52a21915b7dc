"""Stored matches, played through the kernel as the service does it: decided, sealed to bytes, read back, folded.

Everything about a playing follows from its ``Setup``: the same setup gives the same bytes. Properties, golden records
and benchmarks all play with this.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from domain import validation, wire
from domain.chance import SeededDice, seed_commitment
from domain.commands import Clock, Join, Move, Open, Redo, Undo, UndoPolicy
from domain.commit import Commit
from domain.decide import Decision, decide, decide_open, entropy_with
from domain.evolve import advance, begin
from domain.game import AnyGame, Dice
from domain.hashchain import GENESIS
from domain.hidden import redact
from domain.match import Act, Match, Refused
from domain.protocol import PROTOCOL
from domain.store import Entry
from tests.support.dice import RandomDice

START = 1_750_000_000_000
"""When all playings begin, in milliseconds; every commit is a second later than the one before."""

CLOCK = Clock(turn=24 * 60 * 60)
"""So long that no time runs out, for all commits are a second apart."""

Chooser = Callable[[Any, int, Sequence[Any], Dice], Any]
"""(state as the seat sees it, seat, its legal moves, dice) → one of the moves."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a playing follows from."""

    game: AnyGame
    seats: int
    options: Any
    seed: int = 0
    position: Any = None
    """A state to start from in place of the usual deal."""
    undo: UndoPolicy = "host"
    protocol: int = PROTOCOL

    def __str__(self) -> str:
        start = "" if self.position is None else ", from a position"
        return f"{self.game.id}, {self.seats} seats, {self.options}, seed {self.seed}{start}"


def player(seat: int) -> str:
    return f"player-{seat}"


class Playing:
    """A match while it is played: its newest state, and every entry, commit and match on the way.

    ``matches[i]`` and ``commits[i]`` are those of version i + 1.
    """

    def __init__(self, setup: Setup, dice: Dice | None = None) -> None:
        self.setup = setup
        self.game = setup.game
        self.match_id = f"{setup.seed % 64:02x}playing{setup.seed}"
        self.seed = hashlib.sha256(f"{setup.game.id} {setup.seed}".encode()).digest()
        self.entries: list[Entry] = []
        self.commits: list[Commit] = []
        self.matches: list[Match] = []
        self._dice = dice
        self._open()

    @property
    def match(self) -> Match:
        return self.matches[-1]

    @property
    def head(self) -> bytes:
        return self.entries[-1].hash if self.entries else GENESIS

    def _open(self) -> None:
        setup = self.setup
        command = Open(
            setup.game.id,
            setup.seats,
            validation.plain(setup.options),
            undo=setup.undo,
            entropy=self._entropy(0),
            positioned=setup.position is not None,
            clock=CLOCK if setup.protocol >= 3 else None,
        )
        dice = self.dice(command, 1)
        act = Act(player(0), START, dice)
        commitment = seed_commitment(self.seed).hex()
        decision = decide_open(setup.game, command, act, commitment, setup.position, setup.protocol)
        self._append(command, player(0), decision, dice)
        for seat in range(1, setup.seats):
            self.do(Join(seat, self._entropy(seat)), player(seat))

    def _entropy(self, seat: int) -> str:
        return f"salt {seat}" if (self.setup.seed + seat) % 2 else ""

    def dice(self, command: Any, version: int) -> Dice:
        """The dice of a command at a version: the given ones, or those that the match's seed stands for."""
        if self._dice is not None:
            return self._dice
        return self.dice_at(command, version, self.matches[-1] if self.matches else None)

    def dice_at(self, command: Any, version: int, before: Match | None) -> SeededDice:
        """The dice that the match's seed stands for, for this command after this match."""
        entropy = (command.entropy,) if before is None else entropy_with(before, command)
        return SeededDice(self.seed, self.match_id, version, f"c{version}", entropy)

    def do(self, command: Any, by: str) -> Refused | None:
        """Does what a player asks for, or says why not."""
        version = self.match.version + 1
        dice = self.dice(command, version)
        drawn_before = getattr(dice, "draws", 0) if self._dice is not None else 0
        decision = decide(self.match, command, Act(by, START + version * 1000, dice))
        if isinstance(decision, Refused):
            return decision
        self._append(command, by, decision, dice, drawn_before)
        return None

    def move(self, seat: int, move: Any) -> Refused | None:
        return self.do(Move(seat, move), player(seat))

    def _append(self, command: Any, by: str, decision: Decision, dice: Any, drawn_before: int = 0) -> None:
        assert not isinstance(decision, Refused), decision
        version = len(self.entries) + 1
        draws = dice.draws - drawn_before
        commit = Commit(version, START + version * 1000, by, "t0", f"c{version}", command, decision, draws, b"")
        entry = wire.encode(self.game, self.match_id, commit, self.seed, self.head)
        read = wire.decode(self.game, entry)
        match = advance(self.match, read) if self.matches else begin(self.match_id, self.game, read)
        self.entries.append(entry)
        self.commits.append(read)
        self.matches.append(match)

    def legal(self, seat: int) -> list[Any]:
        """The moves of a seat, as the kernel asks for them."""
        return list(self.game.legal(redact(self.match.state, frozenset({seat})), seat))

    def at(self, version: int) -> str:
        """Where a failure happened, in words."""
        return f"{self.setup}, version {version}"

    @contextmanager
    def telling(self, version: int | None = None) -> Iterator[None]:
        """Whatever goes wrong inside is reported with the setup and the version."""
        try:
            yield
        except Exception as fault:
            fault.add_note(self.at(self.match.version if version is None else version))
            raise


def any_move(state: Any, seat: int, moves: Sequence[Any], dice: Dice) -> Any:
    """Any of the legal moves, all equally likely."""
    return dice.choice(moves)


def any_kind(state: Any, seat: int, moves: Sequence[Any], dice: Dice) -> Any:
    """Any kind of move first, then any move of it: so that the rare kinds get their turn."""
    kinds = list(dict.fromkeys(map(type, moves)))
    kind = dice.choice(kinds)
    return dice.choice([move for move in moves if type(move) is kind])


@cache
def bot(game_id: str) -> Chooser | None:
    """The game's better-than-random chooser, if its tests offer one."""
    name = f"tests.support.{game_id}.bots"
    try:
        if importlib.util.find_spec(name) is None:
            return None
    except ModuleNotFoundError:
        return None
    chooser: Chooser | None = getattr(importlib.import_module(name), "choose", None)
    return chooser


def choosers(game: AnyGame) -> tuple[Chooser, ...]:
    """How matches of this game are played, in turn: half of them by its bot, if there is one."""
    clever = bot(game.id) if game.newest is game else None
    return (any_move, any_kind) if clever is None else (any_move, clever, any_kind, clever)


def play_on(playing: Playing, choose: Chooser, dice: Dice, limit: int) -> None:
    """Plays until the match ends, or has ``limit`` versions."""
    while playing.match.status == "live" and playing.match.version < limit:
        with playing.telling():
            seat = dice.choice(sorted(playing.match.to_move))
            moves = playing.legal(seat)
            assert moves, f"seat {seat} is to move and has no move"
            state = redact(playing.match.state, frozenset({seat}))
            refused = playing.move(seat, choose(state, seat, moves, dice))
            assert refused is None, f"a legal move is refused: {refused}"


def played(setup: Setup, choose: Chooser = any_move, limit: int = 10_000) -> Playing:
    """A match from the deal to its end, or to ``limit`` versions."""
    playing = Playing(setup)
    play_on(playing, choose, RandomDice(setup.seed), limit)
    return playing


def played_with_returns(setup: Setup, choose: Chooser = any_move, limit: int = 400) -> Playing:
    """The same by players who now and then return to a version that was, or to one that was undone."""
    playing, dice = Playing(setup), RandomDice(setup.seed)
    while playing.match.status == "live" and playing.match.version < limit:
        play_on(playing, choose, dice, min(limit, playing.match.version + 1 + dice.below(9)))
        if playing.match.status == "live":
            return_somewhere(playing, dice)
    return playing


def return_somewhere(playing: Playing, dice: Dice) -> None:
    """The host returns to some version: by undo if it is in force, otherwise by redo."""
    match = playing.match
    assert match.node is not None
    versions = range(match.table.first, match.version)
    if versions:
        to = dice.choice(versions[-12:])
        command = Redo(0, to) if match.node.find(to) is None else Undo(0, to)
        refused = playing.do(command, player(0))
        assert refused is None, f"{command}: {refused}"
