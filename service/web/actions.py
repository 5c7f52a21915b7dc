"""Parts that routes share: the response to an accepted action, and the problem codes of each kind of route."""

from __future__ import annotations

from typing import Any

from flask import Response

from domain import events
from service.matches.handler import Executed
from service.web.bodies.actions import accepted
from service.web.context import command_request, service
from service.web.encoding import respond
from service.web.metrics import mark_repeated
from service.web.request_log import note_command

SEEING = ("unauthenticated", "match_not_found", "archived", "log_damaged", "newer_protocol")
"""Problems of a route that reads a match."""
READING = ("unreadable", "body_too_large", "unsupported_type", "invalid")
"""Problems of a route that reads a request body."""
ACTING = (*SEEING, "stale_version", "key_reused", "busy")
"""Problems of a route that changes a match."""
PLAYING = ("not_seated", "not_live")
"""Problems of a route for seats of a running match."""

ASKS_OTHERS = (events.UndoAsked, events.RulingBacked)
"""Events of an action that is only asked for: other seats have to agree (status 202)."""


def act(match_id: str, command: Any) -> Response:
    """Executes a command or a draft of one for the caller, and returns the response. Raises ``ProblemError``."""
    return action_response(service().handler.execute(match_id, command_request(), command))


def action_response(done: Executed, *, invite: str | None = None) -> Response:
    """Returns the response to an accepted action: 201 if it is done, 202 if other seats are asked.

    ``invite`` is the invite of a new private match.
    """
    note_command(done.commit.command_id)
    if done.repeated:
        mark_repeated()
    body = accepted(done.match, done.commit, service().signer, invite)
    location = f"/api/v1/matches/{done.match.id}/replay/{done.match.version}"
    return respond(body, 202 if isinstance(done.commit.events[-1], ASKS_OTHERS) else 201, {"Location": location})
