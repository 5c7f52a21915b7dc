"""The catalogue of games."""

from __future__ import annotations

from flask import Response

from service import answers
from service.api import Blueprint, service
from service.bodies import respond
from service.schemas import GameBody, GamesBody

blueprint = Blueprint("games", __name__, description="What can be played, with every rule and its number")


@blueprint.route("/games")
@blueprint.response(200, GamesBody)
@blueprint.problems()
def games() -> Response:
    """The games, with their numbers of seats and their options as JSON Schema."""
    return respond({"games": [answers.catalogue_row(game) for game in service().games.values()]})


@blueprint.route("/games/<game_id>")
@blueprint.response(200, GameBody)
@blueprint.problems("game_not_found")
def game(game_id: str) -> Response:
    """One game: options, moves, rules with number, text and basis, example positions."""
    return respond(answers.catalogue_page(service().game(game_id)))
