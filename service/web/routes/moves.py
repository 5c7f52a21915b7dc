"""Playing: listing moves, making one, resigning."""

from __future__ import annotations

from typing import Any

from flask import Response

from domain import commands
from domain.changeover import rules_missing
from domain.drafts import draft
from replay.moment import moves_of
from service.problems import refusal
from service.web.actions import ACTING, PLAYING, READING, SEEING, act
from service.web.blueprint import Blueprint
from service.web.bodies.actions import Accepted, Nothing
from service.web.bodies.moves import MakeMove, MovesBody
from service.web.context import caller, invite, seat_of, service
from service.web.encoding import respond_versioned
from service.web.limits.limits import Kind
from service.web.limits.routes import limited

blueprint = Blueprint("moves", __name__, description="Playing")


@blueprint.route("/matches/<match_id>/moves")
@blueprint.response(200, MovesBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*SEEING, "not_seated", "retired")
def moves(match_id: str) -> Response:
    """Lists the moves that you may make now, as objects that can be posted unchanged. Empty while others are to move."""
    player = caller().player
    match = service().matches.current(match_id, player, invite())
    seat = seat_of(match, player)
    if match.status == "live" and (missing := rules_missing(match, commands.Move)) is not None:
        raise refusal(missing)
    listed = moves_of(match, match.state, seat) if match.status == "live" and seat in match.to_move else []
    return respond_versioned(MovesBody(version=match.version, moves=listed), match.version)


@blueprint.route("/matches/<match_id>/moves", methods=["POST"])
@blueprint.arguments(MakeMove)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, *PLAYING, "not_your_turn", "illegal_move")
@limited(Kind.MOVES)
def move(body: dict[str, Any], match_id: str) -> Response:
    """Makes a move. A refusal cites its rule and changes nothing."""
    return act(match_id, draft(commands.Move, move=body["move"]))


@blueprint.route("/matches/<match_id>/resign", methods=["POST"])
@blueprint.arguments(Nothing, required=False)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, *PLAYING)
def resign(_body: dict[str, Any], match_id: str) -> Response:
    """Resigns: you play no more. Of two seats the other wins; of more, a stand-in plays on for you, behind all others.

    A match of two is void if you have made no move yet.
    """
    return act(match_id, draft(commands.Resign))
