"""Taking back, and bringing back."""

from __future__ import annotations

from typing import Any

from flask import Response

from domain import events as kernel
from domain.match import Match
from domain.undo import last_own, last_undone
from service import answers
from service.api import Blueprint, caller, command_request, invite, service
from service.bodies import respond_versioned
from service.errors import Problem
from service.routes.matches import ACTING, READING, acted
from service.routes.moves import PLAYING, seat_of
from service.schemas import Accepted, ReturnTo, UndoPreview, UndoQuery

blueprint = Blueprint("undo", __name__, description="Taking back and bringing back")

RETURNING = ("final", "in_force", "not_in_force", "undo_refused", "version_not_found")


def _last_move(match: Match, seat: int) -> int:
    to = last_own(match, seat)
    if to is None:
        raise Problem("undo_refused", "You have made no move that is in force.")
    return to


def _last_branch(match: Match) -> int:
    to = last_undone(match)
    if to is None:
        raise Problem("undo_refused", "Nothing was undone.")
    return to


@blueprint.route("/matches/<match_id>/undo")
@blueprint.arguments(UndoQuery, location="query")
@blueprint.response(200, UndoPreview)
@blueprint.alt_response(304, description="It is still what your ETag names")
@blueprint.problems(
    "unreadable", "unauthenticated", "match_not_found", "not_seated", "undo_refused", "archived", "log_damaged"
)
def preview(query: dict[str, Any], match_id: str) -> Response:
    """What a return to that version would mean for you; without ``to``, the version before your newest move."""
    player = caller().player
    match = service().matches.current(match_id, player, invite())
    seat = seat_of(match, player)
    to = query["to"] if query["to"] is not None else _last_move(match, seat)
    return respond_versioned(answers.undo_preview(match, seat, player, to), match.version)


@blueprint.route("/matches/<match_id>/undo", methods=["POST"])
@blueprint.arguments(ReturnTo)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, *PLAYING, *RETURNING)
def undo(body: dict[str, Any], match_id: str) -> Response:
    """Returns to an earlier version; without ``to``, the one before your newest move. What is undone stays readable."""
    asked = command_request()

    def make(match: Match) -> kernel.Undo:
        seat = seat_of(match, asked.caller.player)
        return kernel.Undo(seat, body["to"] if body["to"] is not None else _last_move(match, seat))

    return acted(service().matches.execute(match_id, asked, make))


@blueprint.route("/matches/<match_id>/redo", methods=["POST"])
@blueprint.arguments(ReturnTo)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, *PLAYING, *RETURNING)
def redo(body: dict[str, Any], match_id: str) -> Response:
    """Returns to a version that was undone; without ``to``, the newest end of an abandoned branch."""
    asked = command_request()

    def make(match: Match) -> kernel.Redo:
        seat = seat_of(match, asked.caller.player)
        return kernel.Redo(seat, body["to"] if body["to"] is not None else _last_branch(match))

    return acted(service().matches.execute(match_id, asked, make))
