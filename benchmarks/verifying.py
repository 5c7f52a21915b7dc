"""Seconds to verify the record of a finished match, everything decided again, beside merely folding it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

from domain import wire
from domain.evolve import fold
from domain.game import AnyGame
from domain.games import all_games
from replay.record import read
from service.integrity.records import verify_signed_record
from tests.support.records import KEYS, ended, record_bytes

REPEATS = 5


def best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def verified(raw: bytes, games: Mapping[str, AnyGame]) -> None:
    verdict = verify_signed_record(read(raw), games, keys=KEYS)
    assert verdict.fault is None
    assert verdict.decided_again


def main() -> None:
    games = all_games()
    for game in games.values():
        playing = ended(game, most=2_000)
        raw = record_bytes(playing)
        whole = best(partial(verified, raw, games))
        commits = [wire.decode(game, entry) for entry in playing.entries]
        folded = best(partial(fold, playing.match_id, game, commits))
        size = f"{len(playing.entries)} versions, {len(raw) / 1000:.0f} kB"
        print(f"{game.id:12} verified in {whole:.3f} s ({size}); folding alone {folded:.4f} s")


if __name__ == "__main__":
    main()
