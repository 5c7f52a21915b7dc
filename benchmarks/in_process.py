"""Figures that need no network: folding stored entries, random play.

Each stands beside a baseline of the same run: folding beside merely unpacking the same bytes, random play beside nothing,
for it is counted in moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgpack

from domain import wire
from domain.evolve import fold
from domain.game import AnyGame
from domain.games import all_games
from domain.hidden import redact
from domain.store import Entry
from tests.support.dice import RandomDice
from tests.support.playing import Setup, played

FOLDED = 100
REPEATS = 30
MATCHES = 20


def best(work: Callable[[], object]) -> float:
    """The fastest of some runs, in seconds: what the work costs when nothing else disturbs."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def folding(game: AnyGame) -> tuple[float, float]:
    """Seconds to fold the first 100 commits of a match from stored entries, and to unpack the same bytes."""
    playing = played(Setup(game, 3, game.options(), seed=1), limit=FOLDED)
    entries = playing.entries

    def folded() -> object:
        return fold(playing.match_id, game, (wire.decode(game, entry) for entry in entries))

    return best(folded) / len(entries), best(lambda: unpacked(entries)) / len(entries)


def unpacked(entries: Sequence[Entry]) -> None:
    for entry in entries:
        msgpack.unpackb(entry.public)
        if entry.secrets:
            msgpack.unpackb(entry.secrets)


def random_moves(game: AnyGame) -> float:
    """Random moves per second on one core: all that a move asks of a game, redacted as the kernel does it."""
    rates = []
    for seed in range(MATCHES):
        dice = RandomDice(seed)
        seats = game.seats[seed % len(game.seats)]
        state = game.deal(seats, game.options(), dice)
        moves, start = 0, time.perf_counter()
        while game.outcome(state) is None:
            seat = dice.choice(sorted(game.to_move(state)))
            seen = redact(state, frozenset({seat}))
            move = dice.choice(list(game.legal(seen, seat)))
            assert game.refuse(seen, seat, move) is None
            for event in game.decide(state, seat, move, dice):
                state = game.evolve(state, event)
            moves += 1
        rates.append(moves / (time.perf_counter() - start))
    return max(rates)


def main() -> None:
    for game in all_games().values():
        one, baseline = folding(game)
        print(
            f"{game.id:12} fold {one * 1e6:6.1f} µs a commit (unpacking alone {baseline * 1e6:4.1f}), "
            f"100 commits {one * 1e5:5.2f} ms, random moves {random_moves(game):8.0f} /s"
        )


if __name__ == "__main__":
    main()
