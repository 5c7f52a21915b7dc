"""How the recorded matches were played: one way for each way of ending. Read once, when a match is recorded.

The ways that every game has stand here, those of one game in ``<game>/ways.py`` beside its records, as ``WAYS``.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from domain.commands import Resign
from domain.game import AnyGame
from tests.support.dice import RandomDice
from tests.support.playing import Chooser, Playing, Setup, any_move, bot, play_on, player

LONGEST = 2_000
"""Versions; a golden match is to end before."""


@dataclass(frozen=True)
class Way:
    """From what a match starts, and what is done in it until it ends."""

    setup: Setup
    play: Callable[[Playing], None]


def chosen_by(choose: Chooser) -> Callable[[Playing], None]:
    """The match is played to its end by this chooser."""
    return lambda playing: play_on(playing, choose, RandomDice(playing.setup.seed), LONGEST)


def resigning(after: int) -> Callable[[Playing], None]:
    """So many moves are played, then the last seat resigns, whoever is to move."""

    def play(playing: Playing) -> None:
        play_on(playing, any_move, RandomDice(playing.setup.seed), playing.match.version + after)
        seat = playing.setup.seats - 1
        assert playing.do(Resign(seat), player(seat)) is None

    return play


def ways(game: AnyGame) -> Mapping[str, Way]:
    """Every way of this game by its name, which is the name of its record: an old one stays under the name of before."""
    few, many = game.seats[0], game.seats[-1]
    as_usual = chosen_by(bot(game.id) or any_move)
    found = {
        "usual": Way(Setup(game, many, game.options(), seed=1), as_usual),
        f"{few}_seats": Way(Setup(game, few, game.options(), seed=2), as_usual),
        "resigned": Way(Setup(game, many, game.options(), seed=3), resigning(after=6)),
    }
    of_version = "" if game.version == 1 else f"_v{game.version}"
    return {name + of_version: way for name, way in found.items()} | own_ways(game)


def own_ways(game: AnyGame) -> dict[str, Way]:
    name = f"tests.golden.{game.id}.ways"
    if importlib.util.find_spec(f"tests.golden.{game.id}") is None or importlib.util.find_spec(name) is None:
        return {}
    found: Any = importlib.import_module(name).WAYS
    return dict(found)
