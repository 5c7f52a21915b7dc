"""A release in which every game has a next version of its rules, which differs in nothing but its number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from domain.game import AnyGame


def next_version(game: AnyGame) -> AnyGame:
    """The next version of a game's rules, to which its matches can change over as they are."""
    lifts = {game.version: lambda state, options: (state, options)}
    return replace(game, version=game.version + 1, earlier={game.version: game}, lifts=lifts)


def next_release(games: Mapping[str, AnyGame]) -> dict[str, AnyGame]:
    return {name: next_version(game) for name, game in games.items()}
