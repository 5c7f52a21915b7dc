"""Helpers that routes of one kind share: the response to an accepted action, and the problems that such routes may answer."""

from __future__ import annotations

from typing import Any

from flask import Response

from domain import events
from service.matches.handler import Executed
from service.web.bodies.actions import accepted
from service.web.context import command_request, service
from service.web.encoding import respond
from service.web.metrics import not_counted
from service.web.request_log import command_done

SEEING = ("unauthenticated", "match_not_found", "archived", "log_damaged")
"""Problems of a route that reads a match."""
READING = ("unreadable", "body_too_large", "unsupported_type", "invalid")
"""Problems of a route that reads a body."""
ACTING = ("unauthenticated", "match_not_found", "stale_version", "key_reused", "busy", "archived", "log_damaged")
"""Problems of a route that changes a match."""
PLAYING = ("not_seated", "not_live")
"""Problems of a route for seats of a running match."""

ASKS_OTHERS = (events.UndoAsked, events.RulingBacked)
"""Events after which the action is not done yet: other seats have to agree."""


def act(match_id: str, asked: Any) -> Response:
    """Executes a command or draft as the sender of the request, and answers it."""
    return acted(service().handler.execute(match_id, command_request(), asked))


def acted(done: Executed, *, invite: str | None = None) -> Response:
    """Answers an accepted action: 201 if it is done, 202 if others are asked. ``invite`` is that of a new private match."""
    command_done(done.commit.command_id)
    if done.repeated:
        not_counted()
    body = accepted(done.match, done.commit, service().signer, invite)
    where = f"/api/v1/matches/{done.match.id}/replay/{done.match.version}"
    return respond(body, 202 if isinstance(done.commit.events[-1], ASKS_OTHERS) else 201, {"Location": where})
