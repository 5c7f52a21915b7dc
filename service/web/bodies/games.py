"""The catalogue of games."""

from __future__ import annotations

from typing import Annotated

from marshmallow import Schema, validate

from domain import validation
from domain.game import AnyGame
from service.web.bodies.body import Body, Plain, about, body
from service.web.bodies.inputs import Digits, described

# -- requests ---------------------------------------------------------------------------------------------------------


class GameQuery(Schema):
    rules = Digits(
        load_default=None,
        validate=validate.Range(1, 2**53 - 1),
        metadata=described("A version of the rules; the newest if left out."),
    )


# -- responses --------------------------------------------------------------------------------------------------------


@body
class GameRow(Body):
    game: str
    name: str
    version: Annotated[int, about("The version of the rules; new matches have the newest.")]
    seats: Plain
    options: Annotated[Plain, about("JSON Schema of the options.")]


@body
class GamesBody(Body):
    games: list[GameRow]


@body
class GameBody(GameRow):
    versions: Annotated[list[int], about("The versions of the rules by which matches can be played here.")]
    moves: Annotated[Plain, about("JSON Schema of each type of move.")]
    rules: Annotated[list[Plain], about("Number, text and basis of each rule.")]
    positions: Annotated[Plain, about("Example positions that a match can start from.")]


def game_row(game: AnyGame) -> GameRow:
    return GameRow(
        game=game.id, name=game.name, version=game.version, seats=_seats(game), options=validation.schema(game.options)
    )


def game_body(game: AnyGame) -> GameBody:
    """Returns a game with its options, moves, rules and example positions."""
    return GameBody(
        game=game.id,
        name=game.name,
        version=game.version,
        versions=sorted({*game.newest.earlier, game.newest.version}),
        seats=_seats(game),
        options=validation.schema(game.options),
        moves={name: validation.tagged_schema(name, cls) for name, cls in game.moves.items()},
        rules=[validation.plain(rule) for rule in game.rules],
        positions=dict(game.examples),
    )


def _seats(game: AnyGame) -> Plain:
    return {"least": game.seats[0], "most": game.seats[-1]}
