"""The catalogue of games."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.problems import ProblemError
from service.web.blueprint import Blueprint
from service.web.bodies.games import GameBody, GameQuery, GamesBody, game_body, game_row
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
@blueprint.arguments(GameQuery, location="query")
@blueprint.response(200, GameBody)
@blueprint.problems("game_not_found", "unreadable", "version_not_found")
def game(query: dict[str, Any], game_id: str) -> Response:
    """Returns a game: options, moves, rules with number, text and basis, and example positions."""
    newest = service().game(game_id)
    found = newest if query["rules"] is None else newest.at(query["rules"])
    if found is None:
        raise ProblemError("version_not_found", f"Version {query['rules']} of the rules is not here.")
    return respond(game_body(found))
