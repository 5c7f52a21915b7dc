"""Leaderboards and a player's ratings, read from the read model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from projections.ratings import NEW, Rating
from service.ports.readmodels import ReadModels, Target


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating at a game. ``place`` counts from 1."""

    player: str
    game: str
    rating: Rating
    matches: int
    place: int


def board(views: ReadModels, target: Target, game: str, start: int, limit: int) -> list[Standing]:
    """Returns the leaderboard from a place on (0 is the best). Two round trips."""
    players = views.leaders(target, game, start, limit)
    return _read(views, target, [(player, game, at) for at, player in enumerate(players, start + 1)])


def of_player(views: ReadModels, target: Target, player: str, games: Iterable[str]) -> list[Standing]:
    """Returns a player's ratings at those of the games at which there is one. Two round trips."""
    wanted = list(games)
    places = zip(wanted, views.places(target, player, wanted), strict=True)
    return _read(views, target, [(player, game, place + 1) for game, place in places if place is not None])


def _read(views: ReadModels, target: Target, asked: list[tuple[str, str, int]]) -> list[Standing]:
    found = views.standings(target, [(player, game) for player, game, _place in asked])
    return [
        Standing(player, game, NEW if value is None else (value[0], value[1]), matches, place)
        for (player, game, place), (value, matches) in zip(asked, found, strict=True)
    ]
