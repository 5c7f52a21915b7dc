"""Playing: what may be done, doing it, giving up."""

from __future__ import annotations

from typing import Any

from flask import Response

from domain import commands
from domain.match import Match
from service.problems import Problem
from service.web.blueprint import Blueprint, caller, command_request, invite, service
from service.web.bodies import matches as answers
from service.web.bodies.schemas import Accepted, MakeMove, MovesBody, Nothing
from service.web.encoding import respond_versioned
from service.web.routes.matches import ACTING, READING, acted

blueprint = Blueprint("moves", __name__, description="Playing")

PLAYING = ("not_seated", "not_live")


def seat_of(match: Match, player: str) -> int:
    """The player's seat. Raises ``Problem`` (403)."""
    seat = match.table.seat_of(player)
    if seat is None:
        raise Problem("not_seated", "You have no seat at this match.")
    return seat


@blueprint.route("/matches/<match_id>/moves")
@blueprint.response(200, MovesBody)
@blueprint.alt_response(304, description="It is still what your ETag names")
@blueprint.problems("unauthenticated", "match_not_found", "not_seated", "archived", "log_damaged")
def moves(match_id: str) -> Response:
    """What you may do now: complete move objects that can be posted as they stand. Empty while others are to move."""
    player = caller().player
    match = service().matches.current(match_id, player, invite())
    seat = seat_of(match, player)
    listed = answers.moves(match.game, match.state, seat) if match.status == "live" and seat in match.to_move else []
    return respond_versioned({"version": match.version, "moves": listed}, match.version)


@blueprint.route("/matches/<match_id>/moves", methods=["POST"])
@blueprint.arguments(MakeMove)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, *PLAYING, "not_your_turn", "illegal_move")
def move(body: dict[str, Any], match_id: str) -> Response:
    """Makes a move. A refusal cites the rule, and changes nothing."""
    asked = command_request()

    def make(match: Match) -> commands.Move:
        return commands.Move(seat_of(match, asked.caller.player), match.game.read_move(body["move"]))

    return acted(service().matches.execute(match_id, asked, make))


@blueprint.route("/matches/<match_id>/resign", methods=["POST"])
@blueprint.arguments(Nothing, required=False)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, *PLAYING)
def resign(_body: dict[str, Any], match_id: str) -> Response:
    """Ends the match: you lose, all others win."""
    asked = command_request()

    def make(match: Match) -> commands.Resign:
        return commands.Resign(seat_of(match, asked.caller.player))

    return acted(service().matches.execute(match_id, asked, make))
