"""Taking back, and bringing back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response

from domain import commands, events, wire
from domain.hidden import NOBODY
from domain.match import Match, Refused
from domain.undo import last_own, last_undone, left_by, undo_verdict
from domain.version_tree import Node
from replay.knowledge import learners
from service.matches.handler import Done
from service.problems import Problem
from service.web.blueprint import Blueprint, caller, command_request, invite, service
from service.web.bodies import matches as answers
from service.web.bodies.schemas import Accepted, AnswerReturn, ReturnTo, UndoPreview, UndoQuery
from service.web.encoding import respond_versioned
from service.web.routes.history import SEEING, steps_of
from service.web.routes.matches import ACTING, READING, acted
from service.web.routes.moves import PLAYING, seat_of

blueprint = Blueprint("undo", __name__, description="Taking back and bringing back")

RETURNING = ("final", "in_force", "not_in_force", "ruled_out", "undo_refused", "nothing_to_undo")
ASKING = ("request_open", "requests_blocked", "too_many_requests")
ANSWERING = ("no_request", "request_lapsed", "already_answered", "not_asked", "not_yet")


def _last_move(match: Match, seat: int) -> int:
    to = last_own(match, seat)
    if to is None:
        raise Problem("undo_refused", "You have made no move that is in force.")
    return to


def _last_branch(match: Match) -> int:
    to = last_undone(match)
    if to is None and match.status == "live":
        raise Problem("undo_refused", "Nothing was undone.")
    return match.version if to is None else to


@blueprint.route("/matches/<match_id>/undo")
@blueprint.arguments(UndoQuery, location="query")
@blueprint.response(200, UndoPreview)
@blueprint.alt_response(304, description="It is still what your ETag names")
@blueprint.problems(*SEEING, "unreadable", "not_seated", "version_not_found", *RETURNING)
def preview(query: dict[str, Any], match_id: str) -> Response:
    """What a return to that version would mean for you; without ``to``, the version before your newest move."""
    player = caller().player
    match = service().matches.current(match_id, player, invite())
    seat = seat_of(match, player)
    to = query["to"] if query["to"] is not None else _last_move(match, seat)
    verdict = undo_verdict(match, seat, player, to)
    target = match.node_at(to)
    lost = [] if target is None or isinstance(verdict, Refused) else list(left_by(match, target))[::-1]
    return respond_versioned(answers.undo_preview(match, verdict, to, _ledger(match, lost, seat), seat), match.version)


def _ledger(match: Match, lost: Sequence[Node], reader: int) -> list[answers.Lost]:
    """The lost moves as the reader may see them, who learned something by each, and what the others may be told to know.

    Of another seat's knowledge the reader is told what everybody saw: not his own, which that seat need not share.
    """
    if not lost:
        return []
    first, last = lost[0].version, lost[-1].version
    entries = {entry.version: entry for entry in service().matches.entries(match.id, first - 1, last - first + 1)}
    wanted, seats = [entries[node.version] for node in lost], len(match.table.seats)
    own, public = steps_of(match, wanted, frozenset({reader})), steps_of(match, wanted, NOBODY)
    return [
        answers.Lost(mine, theirs.sentence, learners(wire.decode(match.game, entry), node, seats))
        for mine, theirs, entry, node in zip(own, public, wanted, lost, strict=True)
    ]


def _returned(done: Done) -> Response:
    """201 if it is done, 202 if others are asked."""
    return acted(done, status=202 if isinstance(done.commit.events[-1], events.UndoAsked) else 201)


@blueprint.route("/matches/<match_id>/undo", methods=["POST"])
@blueprint.arguments(ReturnTo)
@blueprint.response(201, Accepted)
@blueprint.alt_response(202, schema=Accepted, description="The others are asked")
@blueprint.problems(*READING, *ACTING, *PLAYING, *RETURNING, *ASKING, "version_not_found")
def undo(body: dict[str, Any], match_id: str) -> Response:
    """Returns to an earlier version, or asks for it; without ``to``, the one before your newest move.

    What is undone stays readable.
    """
    asked = command_request()

    def make(match: Match) -> commands.Undo:
        seat = seat_of(match, asked.caller.player)
        return commands.Undo(seat, body["to"] if body["to"] is not None else _last_move(match, seat), body["reason"])

    return _returned(service().matches.execute(match_id, asked, make))


@blueprint.route("/matches/<match_id>/undo", methods=["DELETE"])
@blueprint.response(201, Accepted)
@blueprint.problems(*ACTING, *PLAYING, "unreadable", "final", "no_request")
def withdraw(match_id: str) -> Response:
    """Takes your request back."""
    asked = command_request()
    return acted(
        service().matches.execute(
            match_id, asked, lambda match: commands.WithdrawUndo(seat_of(match, asked.caller.player))
        )
    )


@blueprint.route("/matches/<match_id>/undo/answer", methods=["POST"])
@blueprint.arguments(AnswerReturn)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, *PLAYING, *ANSWERING, "final")
def answer(body: dict[str, Any], match_id: str) -> Response:
    """Accepts or declines what another seat asks for. When the last seat accepts, it is done."""
    asked = command_request()

    def make(match: Match) -> commands.AnswerUndo:
        seat = seat_of(match, asked.caller.player)
        return commands.AnswerUndo(seat, body["accept"], body["block"], body["request"])

    return acted(service().matches.execute(match_id, asked, make))


@blueprint.route("/matches/<match_id>/redo", methods=["POST"])
@blueprint.arguments(ReturnTo)
@blueprint.response(201, Accepted)
@blueprint.alt_response(202, schema=Accepted, description="The others are asked")
@blueprint.problems(*READING, *ACTING, *PLAYING, *RETURNING, *ASKING, "version_not_found")
def redo(body: dict[str, Any], match_id: str) -> Response:
    """Returns to a version that was undone, or asks for it; without ``to``, the newest undone move."""
    asked = command_request()

    def make(match: Match) -> commands.Redo:
        seat = seat_of(match, asked.caller.player)
        return commands.Redo(seat, body["to"] if body["to"] is not None else _last_branch(match), body["reason"])

    return _returned(service().matches.execute(match_id, asked, make))
