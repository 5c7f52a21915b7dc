"""The catalogue of games."""

from __future__ import annotations

from flask import Response

from service.web.blueprint import Blueprint
from service.web.bodies.games import GameBody, GamesBody, game_body, game_row
from service.web.context import service
from service.web.encoding import respond

blueprint = Blueprint("games", __name__, description="The games, with every rule and its number")


@blueprint.route("/games")
@blueprint.response(200, GamesBody)
@blueprint.problems()
def games() -> Response:
    """Lists the games, with their numbers of seats and the JSON Schemas of their options."""
    return respond(GamesBody(games=[game_row(game) for game in service().games.values()]))


@blueprint.route("/games/<game_id>")
@blueprint.response(200, GameBody)
@blueprint.problems("game_not_found")
def game(game_id: str) -> Response:
    """Returns a game: options, moves, rules with number, text and basis, and example positions."""
    return respond(game_body(service().game(game_id)))
