"""Matches among bots on all cores, on states alone or through the kernel with a signed record of each.

A match follows from game, seats, bots, seed and number, unless a decision runs out of time. With records another chance is
used, the one that anybody can check later; so the same seed gives other matches then.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bots import LEVELS, Budget
from bots.dice import QuickDice
from bots.match import Played, Seating, play
from bots.seen import remembered, seen
from bots.tally import lineup
from domain import commands, wire
from domain.chance import SeededDice, seed_commitment
from domain.commit import Commit
from domain.decide import Decision, decide, decide_open, entropy_with
from domain.evolve import advance, begin
from domain.game import AnyGame, remembers_nothing
from domain.games import all_games
from domain.hashchain import GENESIS
from domain.hidden import ALL
from domain.match import Act, Match, Refused
from domain.store import Entry
from replay.record import document
from service.integrity.receipts import Signer, read_key
from service.matches.ids import match_id

AT_ONCE = 16
"""The most matches that go to a process at once."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """A simulation that is to be played."""

    game: str
    seats: int
    bots: tuple[str, ...]
    """The names of the bots, which take the seats in turn."""
    seed: int
    milliseconds: int
    """The most time of a decision."""
    records: Path | None = None
    key: str = ""
    """The signing key of the records, in hexadecimal."""

    def names(self, number: int) -> tuple[str, ...]:
        return lineup(self.bots, self.seats, number)

    def seed_of(self, number: int) -> bytes:
        """The seed of the match of this number, 32 bytes."""
        return hashlib.sha256(f"simulate {self.game} {self.seats} {self.seed} {number}".encode()).digest()


def played_matches(asked: Simulation, matches: int, processes: int) -> Iterator[tuple[int, Played]]:
    """Plays matches in this number of processes; gives each with its number, as they end. The processes end with the iterator."""
    if processes == 1:
        yield from (play_one(asked, number) for number in range(matches))
        return
    chunk = 1 if "planner" in asked.bots else max(1, min(AT_ONCE, matches // (8 * processes)))
    with multiprocessing.Pool(processes, _leave_signals_to_the_parent) as pool:
        yield from pool.imap_unordered(partial(play_one, asked), range(matches), chunk)


def _leave_signals_to_the_parent() -> None:
    """The parent ends the pool; an interrupted child would print a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def play_one(asked: Simulation, number: int) -> tuple[int, Played]:
    game, seed = all_games()[asked.game], asked.seed_of(number)
    if asked.records is not None:
        return number, _play_recorded(game, asked, number)
    bots = [LEVELS[name] for name in asked.names(number)]
    seating = Seating(game, game.options(), bots, partial(_budget, asked.milliseconds), time.perf_counter_ns)
    return number, play(seating, int.from_bytes(seed[:8], "big"))


def _budget(milliseconds: int) -> Budget:
    end = time.perf_counter_ns() + milliseconds * 1_000_000
    return Budget(over=lambda: time.perf_counter_ns() > end)


# -- with records -----------------------------------------------------------------------------------------------------


class Recorder:
    """A match that is played through the kernel, as the service plays it, and every entry of its log."""

    def __init__(self, game: AnyGame, names: tuple[str, ...], seed: bytes, at: int) -> None:
        self.game, self.seed, self.at = game, seed, at
        self.players = tuple(f"bot:{name}:{seat}" for seat, name in enumerate(names))
        self.id = match_id(self.players[0], seed[:8].hex())
        self.entries: list[Entry] = []
        self.match = self._open()
        for seat in range(1, len(names)):
            self.do(seat, commands.Join(seat))

    def _open(self) -> Match:
        command = commands.Open(self.game.id, len(self.players), {}, undo="off")
        dice = SeededDice(self.seed, self.id, 1, "1", ("",))
        act = Act(self.players[0], self.at, dice)
        decision = decide_open(self.game, command, act, seed_commitment(self.seed).hex())
        return begin(self.id, self.game, self._append(command, act, decision, dice))

    def do(self, seat: int, command: Any) -> Commit:
        """Decides a command of the player on this seat, and appends it. Raises ``ValueError`` if it is refused."""
        version = self.match.version + 1
        dice = SeededDice(self.seed, self.id, version, str(version), entropy_with(self.match, command))
        act = Act(self.players[seat], self.at + version, dice)
        commit = self._append(command, act, decide(self.match, command, act), dice)
        self.match = advance(self.match, commit)
        return commit

    def _append(self, command: Any, act: Act, decision: Decision, dice: SeededDice) -> Commit:
        if isinstance(decision, Refused):
            raise ValueError(f"{self.game.id}: {command} of {act.player} is refused: {decision.message}")
        version = len(self.entries) + 1
        commit = Commit(version, act.at, act.player, "", str(version), command, decision, dice.draws, b"")
        head = self.entries[-1].hash if self.entries else GENESIS
        self.entries.append(wire.encode(self.game, self.id, commit, self.seed, head))
        return wire.decode(self.game, self.entries[-1])


def _play_recorded(game: AnyGame, asked: Simulation, number: int) -> Played:
    """Plays a match through the kernel and writes its record."""
    names, seed = asked.names(number), asked.seed_of(number)
    recorder = Recorder(game, names, seed, time.time_ns() // 1_000_000)
    thoughts = [QuickDice.of(b"bot", seed, bytes([seat])) for seat in range(len(names))]
    memories: list[Any] = [None] * len(names)
    played = Played(slowest=[0] * len(names))
    while recorder.match.status == "live":
        seat = min(recorder.match.to_move)
        view, start = seen(game, recorder.match.state, seat, memories[seat]), time.perf_counter_ns()
        move = LEVELS[names[seat]](view, thoughts[seat], _budget(asked.milliseconds))
        played.slowest[seat] = max(played.slowest[seat], time.perf_counter_ns() - start)
        before = recorder.match.state
        commit = recorder.do(seat, commands.Move(seat, move))
        if game.remember is not remembers_nothing:
            moved = [event for event in commit.events if type(event) in game.names]
            memories = [remembered(game, each, before, moved, memory) for each, memory in enumerate(memories)]
        played.moves += 1
    played.outcome = recorder.match.outcome
    _write(recorder, asked)
    return played


def _write(recorder: Recorder, asked: Simulation) -> None:
    assert asked.records is not None
    signer = Signer(read_key(asked.key))
    record = document(recorder.match, recorder.entries, recorder.seed, ALL, signer, _go_on)
    (asked.records / f"{recorder.id}.json").write_bytes(record)


def _go_on() -> None:
    """Does not pause: nothing else waits in this process."""


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
