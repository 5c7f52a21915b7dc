"""The catalogue of games."""

from __future__ import annotations

from typing import Annotated

from domain import validation
from domain.game import AnyGame
from service.web.bodies.body import Body, Plain, about, body


@body
class GameRow(Body):
    game: str
    name: str
    version: Annotated[int, about("Of its rules.")]
    seats: Plain
    options: Annotated[Plain, about("JSON Schema.")]


@body
class GamesBody(Body):
    games: list[GameRow]


@body
class GameBody(GameRow):
    moves: Annotated[Plain, about("Move type to JSON Schema.")]
    rules: Annotated[list[Plain], about("Number, text and basis of each.")]
    positions: Annotated[Plain, about("Examples to start from.")]


def game_row(game: AnyGame) -> GameRow:
    return GameRow(
        game=game.id, name=game.name, version=game.version, seats=_seats(game), options=validation.schema(game.options)
    )


def game_body(game: AnyGame) -> GameBody:
    """Everything that is to be known about a game before playing it."""
    return GameBody(
        game=game.id,
        name=game.name,
        version=game.version,
        seats=_seats(game),
        options=validation.schema(game.options),
        moves={name: validation.tagged_schema(name, cls) for name, cls in game.moves.items()},
        rules=[validation.plain(rule) for rule in game.rules],
        positions=dict(game.examples),
    )


def _seats(game: AnyGame) -> Plain:
    return {"least": game.seats[0], "most": game.seats[-1]}
