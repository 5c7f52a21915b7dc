"""The matches that all suites look at: every game, every number of seats, several options."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from domain.game import AnyGame
from domain.games import all_games
from domain.hidden import ALL, NOBODY, Sees
from tests.support import toy
from tests.support.options import option_sets
from tests.support.playing import Playing, Setup, choosers, played, played_with_returns

SOAK = max(1, int(os.environ.get("FOLDTABLE_SOAK", "1")))
COMMITS = 3_000 * SOAK
"""How many commits of a game are looked at, shared out among its numbers of seats."""
LONGEST = 250
"""Versions after which a match is broken off, so that every number of seats gets matches with several options."""

GAMES: dict[str, AnyGame] = {toy.GAME.id: toy.GAME, **all_games()}


def every_version(games: Mapping[str, AnyGame]) -> dict[str, AnyGame]:
    """The newest version of each game under its id, and each older one that matches are still played by as ``<id>_<version>``."""
    older = {name_of(old): old for game in games.values() for number in game.earlier if (old := game.at(number))}
    return dict(games) | older


def name_of(game: AnyGame) -> str:
    """The end of the names of modules that hold what the tests of this version of a game need."""
    return game.id if game.newest is game else f"{game.id}_{game.version}"


VERSIONS = every_version(GAMES)

each_game = pytest.mark.parametrize("game", VERSIONS.values(), ids=VERSIONS.keys())
each_table = pytest.mark.parametrize(
    ("game", "seats"),
    [pytest.param(game, seats, id=f"{name}-{seats}") for name, game in VERSIONS.items() for seats in game.seats],
)


@cache
def matches(game: AnyGame, seats: int) -> tuple[Playing, ...]:
    """Matches at one number of seats until there are commits enough; options and choosers take turns.

    In every fourth of them the players return to other versions now and then.
    """
    return tuple(_until_enough(game, seats, COMMITS // len(game.seats)))


def _until_enough(game: AnyGame, seats: int, commits: int) -> Iterator[Playing]:
    options, ways = option_sets(game, seats), choosers(game)
    number = 0
    while commits > 0:
        # The stride between the options changes with every round, so that each meets each chooser.
        chosen = options[(number + number // len(options)) % len(options)]
        setup = Setup(game, seats, chosen, seed=1000 * seats + number)
        play = played_with_returns if number % 4 == 3 else played
        playing = play(setup, ways[number % len(ways)], LONGEST)
        yield playing
        commits -= len(playing.commits)
        number += 1


def viewers(seats: int) -> tuple[Sees, ...]:
    """Each seat, a spectator, two seats that share what they know, and who sees everything."""
    alone = tuple(frozenset({seat}) for seat in range(seats))
    return (*alone, NOBODY, frozenset({0, seats - 1}), ALL)
