"""Undo and redo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response

from domain import commands, wire
from domain.drafts import draft
from domain.hidden import NOBODY
from domain.match import Match, Refused
from domain.undo import left_by, request_verdict, taken_up_by, undo_verdict, usual_undo
from domain.version_tree import Node
from replay.knowledge import learners
from service.problems import refusal
from service.web.actions import ACTING, PLAYING, READING, SEEING, act
from service.web.blueprint import Blueprint
from service.web.bodies.actions import Accepted
from service.web.bodies.undo import AnswerReturn, Lost, ReturnTo, UndoPreview, UndoQuery, undo_preview
from service.web.context import caller, invite, seat_of, service, steps
from service.web.encoding import respond_versioned
from service.web.limits.limits import Kind
from service.web.limits.routes import limited

blueprint = Blueprint("undo", __name__, description="Undo and redo")

RETURNING = ("final", "in_force", "not_in_force", "ruled_out", "undo_refused", "nothing_to_undo")
ASKING = ("request_open", "requests_blocked", "too_many_requests", "too_many_returns")
ANSWERING = ("no_request", "request_lapsed", "already_answered", "not_asked", "not_yet")


@blueprint.route("/matches/<match_id>/undo")
@blueprint.arguments(UndoQuery, location="query")
@blueprint.response(200, UndoPreview)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*SEEING, "unreadable", "not_seated", "retired", "version_not_found", *RETURNING)
def preview(query: dict[str, Any], match_id: str) -> Response:
    """Previews an undo to a version; without `to`, to the version before your newest move.

    While a seat asks for a return, undo or redo, all seats can preview it by the version that it asks for.
    """
    player = caller().player
    match = service().matches.current(match_id, player, invite())
    seat = seat_of(match, player)
    to = _target(match, seat, query["to"])
    verdict = request_verdict(match, to) or undo_verdict(match, seat, player, to)
    target = None if isinstance(verdict, Refused) else match.node_at(to)
    lost = [] if target is None else _moves(match, list(left_by(match, target))[::-1], seat)
    again = [] if target is None else _moves(match, list(taken_up_by(match, target))[::-1], seat)
    return respond_versioned(undo_preview(match, verdict, to, lost, again, seat), match.version)


def _target(match: Match, seat: int, to: int | None) -> int:
    """Returns the version to preview. Raises ``ProblemError`` (409) if none is given and the seat has no move to undo."""
    found = usual_undo(match, seat) if to is None else to
    if isinstance(found, Refused):
        raise refusal(found)
    return found


def _moves(match: Match, lost: Sequence[Node], reader: int) -> list[Lost]:
    """Returns moves, oldest first, as the reader may see them, and which seats learned something by each."""
    # Knowledge of other seats is described as everybody saw the move. As the reader saw it would suggest that those seats
    # know it too, and they may not.
    if not lost:
        return []
    first, last = lost[0].version, lost[-1].version
    entries = {entry.version: entry for entry in service().matches.entries(match.id, first - 1, last - first + 1)}
    wanted, seats = [entries[node.version] for node in lost], len(match.table.seats)
    own, public = steps(match, wanted, frozenset({reader})), steps(match, wanted, NOBODY)
    return [
        Lost(mine, theirs.sentence, learners(wire.decode(match.game_at(entry.version), entry), node, seats))
        for mine, theirs, entry, node in zip(own, public, wanted, lost, strict=True)
    ]


@blueprint.route("/matches/<match_id>/undo", methods=["POST"])
@blueprint.arguments(ReturnTo)
@blueprint.response(201, Accepted)
@blueprint.alt_response(202, Accepted, description="Accepted: other seats are asked")
@blueprint.problems(*READING, *ACTING, *PLAYING, *RETURNING, *ASKING, "version_not_found")
@limited(Kind.RETURNS)
def undo(body: dict[str, Any], match_id: str) -> Response:
    """Returns to an earlier version, or asks the other seats; without `to`, to the version before your newest move.

    Undone versions stay readable.
    """
    return act(match_id, draft(commands.Undo, to=body["to"], reason=body["reason"]))


@blueprint.route("/matches/<match_id>/undo", methods=["DELETE"])
@blueprint.response(201, Accepted)
@blueprint.problems(*ACTING, *PLAYING, "unreadable", "final", "no_request")
@limited(Kind.RETURNS)
def withdraw(match_id: str) -> Response:
    """Withdraws your request."""
    return act(match_id, draft(commands.WithdrawUndo))


@blueprint.route("/matches/<match_id>/undo/answer", methods=["POST"])
@blueprint.arguments(AnswerReturn)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, *PLAYING, *ANSWERING, "final")
@limited(Kind.RETURNS)
def answer(body: dict[str, Any], match_id: str) -> Response:
    """Accepts or declines the request of another seat. The last acceptance carries it out."""
    return act(
        match_id, draft(commands.AnswerUndo, accept=body["accept"], block=body["block"], request=body["request"])
    )


@blueprint.route("/matches/<match_id>/redo", methods=["POST"])
@blueprint.arguments(ReturnTo)
@blueprint.response(201, Accepted)
@blueprint.alt_response(202, Accepted, description="Accepted: other seats are asked")
@blueprint.problems(*READING, *ACTING, *PLAYING, *RETURNING, *ASKING, "version_not_found")
@limited(Kind.RETURNS)
def redo(body: dict[str, Any], match_id: str) -> Response:
    """Returns to an undone version, or asks the other seats; without `to`, to the newest undone move."""
    return act(match_id, draft(commands.Redo, to=body["to"], reason=body["reason"]))
