"""Long play: matches of every game over all numbers of seats and options, by chance and on purpose, checked at every event.

``python -m benchmarks.soak [matches] [--game id] [--first number]`` plays so many matches of each game on all cores,
then the property suite at the same scale, and ends at the first fault. A match follows from its game and number alone,
so the fault's last line is the command that plays that match again. At last it measures the strength of the bots.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from benchmarks import strength
from domain.game import AnyGame
from domain.games import all_games
from domain.hidden import redact
from tests.support.dice import RandomDice
from tests.support.options import option_sets
from tests.support.playing import Chooser, Setup, choosers

ROOT = Path(__file__).parents[1]
MATCHES = 10_000
LONGEST = 20_000
"""Moves. More than three for each turn of the longest game: who plays longer plays for ever."""
WIDEST = 1_000
"""Moves that a seat may be offered at once."""
AT_ONCE = 20
"""Matches that a process plays between two reports."""
BETWEEN_LINES = 10.0
"""Seconds between two lines of progress."""
MATCHES_PER_STRENGTH = 25
"""So many matches here go with one of greedy against random: 400 with the usual number."""
MATCHES_PER_FACTOR = 1_000
"""So many matches here go with once the usual commits of the property suite, which keeps all that it looks at in memory."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a match ended."""

    seats: int
    end: str
    moves: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a match went wrong, and the error."""

    game: str
    number: int
    where: str
    error: str

    def __str__(self) -> str:
        again = f"python -m benchmarks.soak 1 --game {self.game} --first {self.number}"
        return f"FAULT in {self.where}\n{self.error}\n{again}"


# -- one match --------------------------------------------------------------------------------------------------------


def setup(game: AnyGame, number: int) -> tuple[Setup, Chooser]:
    """The match of this number: seats take turns, then options, and each of these meets each chooser."""
    row, seat = divmod(number, len(game.seats))
    seats = game.seats[seat]
    options, ways = option_sets(game, seats), choosers(game)
    rounds, option = divmod(row, len(options))
    return Setup(game, seats, options[option], seed=number), ways[(option + rounds) % len(ways)]


class Match:
    """A state on its way from the deal to the end. The version counts the opening, one commit a seat, and the moves."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.game = setup, setup.game
        self.dice = RandomDice(setup.seed)
        self.state: Any = self.game.deal(setup.seats, setup.options, self.dice)
        self.moves = 0
        self.check("the deal")

    @property
    def where(self) -> str:
        return f"{self.setup}, version {self.setup.seats + self.moves}"

    def check(self, after: object) -> None:
        faults = list(self.game.check(self.state))
        assert not faults, f"after {after}: {'; '.join(map(str, faults))}"

    def play(self, choose: Chooser) -> Ended:
        """Raises whatever is wrong, at the version at which it is."""
        while (outcome := self.game.outcome(self.state)) is None:
            assert self.moves < LONGEST, "the match does not end"
            self.move(choose)
        game, state = self.game, self.state
        assert set(outcome.winners) <= set(range(self.setup.seats)), f"the winners are {outcome.winners}"
        assert not game.to_move(state), "somebody is to move after the end"
        assert game.parse(game.view(state), self.setup.seats, self.setup.options) == state, "the end does not read back"
        how = {0: " (drawn)", 1: ""}.get(len(outcome.winners), " (shared)")
        return Ended(self.setup.seats, outcome.reason + how, self.moves)

    def move(self, choose: Chooser) -> None:
        game = self.game
        seat = self.dice.choice(sorted(game.to_move(self.state)))
        seen = redact(self.state, frozenset({seat}))
        moves = list(game.legal(seen, seat))
        assert 0 < len(moves) <= WIDEST, f"seat {seat} has {len(moves)} moves"
        move = choose(seen, seat, moves, self.dice)
        refused = game.refuse(seen, seat, move)
        assert refused is None, f"{move} of seat {seat} is listed and refused: {refused}"
        for event in game.decide(self.state, seat, move, self.dice):
            self.state = game.evolve(self.state, event)
            self.check(event)
        self.moves += 1


def played(game: AnyGame, number: int) -> Ended | Fault:
    """The match of this number, to its end or to whatever goes wrong."""
    chosen, choose = setup(game, number)
    where = f"{chosen}, version 0"
    try:
        match = Match(chosen)
        try:
            return match.play(choose)
        finally:
            where = match.where
    except Exception as error:
        return Fault(game.id, number, where, f"{type(error).__name__}: {error}")


# -- many matches -----------------------------------------------------------------------------------------------------


def played_by_name(game_id: str, number: int) -> Ended | Fault:
    """For another process, to which a game of functions cannot be sent."""
    return played(all_games()[game_id], number)


def results(game: AnyGame, numbers: range) -> Iterator[Ended | Fault]:
    """As they come, from all cores. The processes end with the iterator."""
    with Pool() as pool:
        yield from pool.imap_unordered(partial(played_by_name, game.id), numbers, chunksize=AT_ONCE)


def soaked(game: AnyGame, numbers: range) -> bool:
    """Plays these matches and prints how they ended; whether all of them did."""
    start = last = time.monotonic()
    ended: list[Ended] = []
    for result in results(game, numbers):
        if isinstance(result, Fault):
            print(result, flush=True)
            return False
        ended.append(result)
        if time.monotonic() - last > BETWEEN_LINES:
            last = time.monotonic()
            print(progress(game, ended, numbers, last - start), flush=True)
    print(progress(game, ended, numbers, time.monotonic() - start))
    print("\n".join(table(game, ended)), flush=True)
    return True


def progress(game: AnyGame, ended: list[Ended], numbers: range, seconds: float) -> str:
    moves = sum(match.moves for match in ended)
    return f"{game.id}: {len(ended):,} of {len(numbers):,} matches, {moves:,} moves in {seconds:.0f} s"


def table(game: AnyGame, ended: Sequence[Ended]) -> Iterator[str]:
    """A row for each way to end with how often it came, by seats and in all, and the mean length."""
    count = Counter((match.end, match.seats) for match in ended)
    ends = sorted({match.end for match in ended})
    width = max(map(len, ends), default=0)
    yield f"  {'':{width}}" + "".join(f"{f'{seats} seats':>9}" for seats in game.seats) + f"{'all':>9}{'moves':>9}"
    for end in ends:
        lengths = [match.moves for match in ended if match.end == end]
        by_seats = "".join(f"{count[end, seats]:>9,}" for seats in game.seats)
        yield f"  {end:{width}}{by_seats}{len(lengths):>9,}{sum(lengths) / len(lengths):>9.0f}"


def properties_hold(factor: int) -> bool:
    """Runs the property suite over so many times the usual commits, and flips every byte of a record of each game."""
    print(f"the properties, over {factor} times the usual commits", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "tests/properties", "tests/service/integrity/test_records.py"]
    return subprocess.run(command, cwd=ROOT, env=os.environ | {"FOLDTABLE_SOAK": str(factor)}).returncode == 0


def main() -> None:
    games = all_games()
    reader = argparse.ArgumentParser(prog="python -m benchmarks.soak", description="Plays until something breaks.")
    reader.add_argument("matches", nargs="?", type=int, default=MATCHES, help="matches of each game")
    reader.add_argument("--game", choices=sorted(games), help="this game only, and no property suite")
    reader.add_argument("--first", type=int, default=0, help="the number of the first match")
    asked = reader.parse_args()
    numbers = range(asked.first, asked.first + asked.matches)
    chosen = list(games.values()) if asked.game is None else [games[asked.game]]
    whole = all(soaked(game, numbers) for game in chosen)
    if whole and asked.game is None:
        whole = properties_hold(max(1, asked.matches // MATCHES_PER_FACTOR))
    if whole and asked.game is None:
        # Scaled like the rest, so that a short soak stays short.
        matches = max(1, asked.matches // MATCHES_PER_STRENGTH)
        whole = strength.hold(sorted(games), matches, max(1, matches // 4))
    sys.exit(not whole)


if __name__ == "__main__":
    main()
