"""Another match from a version of a finished one."""

from __future__ import annotations

from typing import Any

from flask import Response

from domain import commands, validation
from service.problems import Problem
from service.web.blueprint import Blueprint, command_request, service
from service.web.bodies.schemas import Accepted, NewFork
from service.web.routes.matches import ACTING, READING, acted

blueprint = Blueprint("forks", __name__, description="Playing on from a finished match")


@blueprint.route("/matches/<match_id>/forks", methods=["POST"])
@blueprint.arguments(NewFork)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, "not_finished", "decided", "version_not_found")
def fork(body: dict[str, Any], match_id: str) -> Response:
    """Opens a new, unrated match that starts from a version of a finished one, which it names as its origin.

    You are its host and sit on seat 0; the game, its options and the number of seats are the same. The log of the finished
    match notes a public fork by somebody who sat at it: strangers write nothing there, and a private match is named nowhere.
    """
    matches, asked = service().matches, command_request()
    origin = matches.current(match_id, asked.caller.player, asked.invite)
    if origin.status != "finished":
        raise Problem("not_finished", f"Only a finished match can be forked; this one is {origin.status}.")
    node = origin.node_at(body["version"])
    if node is None:
        few, many = origin.table.first, origin.version
        raise Problem("version_not_found", f"There are states from version {few} to {many}.", field="version")
    if origin.game.outcome(node.state) is not None:
        raise Problem("decided", f"At version {body['version']} the match was decided; start from an earlier one.")
    private = origin.table.private if body["private"] is None else body["private"]
    command = commands.Open(
        game=origin.game.id,
        seats=len(origin.table.seats),
        options=validation.plain(origin.table.options),
        undo=body["undo"],
        private=private,
        entropy=body["entropy"],
        positioned=True,
        origin=commands.Origin(match_id, body["version"]),
    )
    done = matches.open(asked, origin.game, command, node.state)
    if not private and origin.table.seat_of(asked.caller.player) is not None:
        note = commands.RecordFork(body["version"], done.match.id)
        matches.execute(match_id, asked.named(f"fork {done.match.id}"), lambda _match: note)
    return acted(done, {"invite": matches.invite(done.seed)} if private else None)
