"""Who stands where: leaderboards and a player's ratings, read from the read model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgpack

from projections.ratings import NEW, Rating
from service.adapters.redis.readmodels import RedisViews, Target, viewing


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating at a game. ``place`` is from 1."""

    player: str
    game: str
    rating: Rating
    matches: int
    place: int


def board(views: RedisViews, target: Target, game: str, start: int, limit: int) -> list[Standing]:
    """The leaderboard from a place on (0 is the best). Two round trips."""
    with viewing():
        found: Any = views.client.zrevrange(target.key("board", game), start, start + limit - 1)
    places = range(start + 1, start + 1 + len(found))
    return _read(views, target, [(player.decode(), game, at) for player, at in zip(found, places, strict=True)])


def of_player(views: RedisViews, target: Target, player: str, games: Iterable[str]) -> list[Standing]:
    """A player's ratings at games, as far as there are any. Two round trips."""
    wanted = list(games)
    with viewing(), views.client.pipeline(transaction=False) as pipe:
        for game in wanted:
            pipe.zrevrank(target.key("board", game), player)
        found: list[Any] = pipe.execute()
    at = [(player, game, rank + 1) for game, rank in zip(wanted, found, strict=True) if rank is not None]
    return _read(views, target, at)


def _read(views: RedisViews, target: Target, asked: list[tuple[str, str, int]]) -> list[Standing]:
    with viewing(), views.client.pipeline(transaction=False) as pipe:
        for player, game, _place in asked:
            pipe.hget(target.key("r", game), player)
            pipe.zcard(target.key("l", f"p:{game}:{player}"))
        found: list[Any] = pipe.execute()
    rows = zip(asked, found[::2], found[1::2], strict=True)
    return [
        Standing(player, game, NEW if packed is None else _rating(packed), matches, place)
        for (player, game, place), packed, matches in rows
    ]


def _rating(packed: bytes) -> Rating:
    mean, deviation = msgpack.unpackb(packed)
    return mean, deviation
