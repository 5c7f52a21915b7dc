"""Nothing that is stored or shown depends on the order of sets: two processes with other hash seeds agree."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from domain.game import AnyGame
from tests.support.played_games import each_game

ROOT = Path(__file__).parents[2]


@cache
def digests(hash_seed: int) -> dict[str, str]:
    """The digest of each game's matches, made by a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.digest"],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": str(hash_seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(line.split() for line in done.stdout.splitlines())


@each_game
def test_two_processes_store_and_show_the_same(game: AnyGame) -> None:
    assert digests(1)[game.id] == digests(2)[game.id]
