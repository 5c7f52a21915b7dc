"""Forks: new matches that start from a version of a finished one."""

from __future__ import annotations

from typing import Any

from flask import Response

from domain.commands import RecordFork
from domain.fork import fork as fork_of
from domain.fork import noted
from domain.match import Refused
from service.matches import access
from service.matches.handler import CommandRequest
from service.problems import ProblemError, refusal
from service.web.actions import ACTING, READING, SITTING, action_response, check_seats
from service.web.blueprint import Blueprint
from service.web.bodies.actions import Accepted
from service.web.bodies.matches import NewFork
from service.web.context import command_request, service
from service.web.limits.limits import Kind
from service.web.limits.routes import limited

blueprint = Blueprint("forks", __name__, description="Playing on from a finished match")


@blueprint.route("/matches/<match_id>/forks", methods=["POST"])
@blueprint.arguments(NewFork)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, "not_finished", "decided", "version_not_found", "rules_missing", SITTING)
@limited(Kind.MATCHES)
def fork(body: dict[str, Any], match_id: str) -> Response:
    """Opens a new, unrated match that starts from a version of a finished one, its origin.

    You are the host and have seat 0. The game, its rules and options as of that version, and the number of seats are the
    same. A public fork by a player of the finished match is noted in that match's log, up to 100 of them. Forks by others
    are not, and private forks are noted nowhere.
    """
    parts, asked = service(), command_request()
    player = asked.caller.player
    check_seats(player, asked.opens())
    origin = parts.matches.current(match_id, player, asked.invite)
    found = fork_of(origin, body["version"], body["undo"], body["private"], body["entropy"])
    if isinstance(found, Refused):
        raise refusal(found)
    command, state = found
    done = parts.handler.open(asked, origin.game_at(body["version"]), command, state)
    if (note := noted(origin, command, player, done.match.id)) is not None:
        _note(match_id, asked.named(f"fork {done.match.id}"), note)
    return action_response(done, invite=access.invite_of(done.seed) if command.private else None)


def _note(match_id: str, asked: CommandRequest, note: RecordFork) -> None:
    """Notes a fork in the log of its origin, unless other forks were faster and as many as may be are noted already."""
    try:
        service().handler.execute(match_id, asked, note)
    except ProblemError as problem:
        if problem.code != "final":
            raise
