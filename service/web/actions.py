"""Parts that routes share: the response to an accepted action, and the problem codes of each kind of route."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from flask import Response

from domain import events
from service.matches.handler import Executed
from service.problems import ProblemError
from service.web.bodies.actions import accepted
from service.web.bodies.receipts import receipt
from service.web.context import command_request, service
from service.web.encoding import address, respond
from service.web.metrics import mark_repeated
from service.web.request_log import note_command

SEEING = (
    "unauthenticated",
    "match_not_found",
    "archived",
    "log_damaged",
    "newer_protocol",
    "newer_rules",
    "rules_missing",
)
"""Problems of a route that reads a match."""
READING = ("unreadable", "body_too_slow", "body_too_large", "unsupported_type", "invalid")
"""Problems of a route that reads a request body."""
ACTING = (*SEEING, "stale_version", "key_reused", "busy", "time_up")
"""Problems of a route that changes a match."""
PLAYING = ("not_seated", "not_live", "retired")
"""Problems of a route for seats of a running match."""

SITTING = "too_many_matches"
"""The problem of a route that takes a seat."""

MOST_INVITATIONS = 10
"""The most open matches of one host whose arbiter has not answered: otherwise one host could fill anybody's list."""

ASKS_OTHERS = (events.UndoAsked, events.RulingBacked, events.RulesProposed)
"""Events of an action that is only asked for: other seats have to agree (status 202)."""


def act(match_id: str, command: Any) -> Response:
    """Executes a command or a draft of one for the caller, and returns the response. Raises ``ProblemError``."""
    return action_response(service().handler.execute(match_id, command_request(), command))


def check_seats(player: str, match_id: str | None) -> None:
    """Raises ``ProblemError`` if this player sits at as many matches as an account may, this one not counted.

    ``match_id``: the match at which a seat is asked for, ``None`` for a new one without an Idempotency-Key. Counts what the
    read models include, so seats taken at the same moment may exceed the bound by a few.
    """
    parts = service()
    if parts.queries is None or not parts.queries.are_ready:
        return
    if parts.queries.seated(player, parts.games) < parts.max_matches or _is_seated(player, match_id):
        return
    detail = f"An account may sit at {parts.max_matches} open and running matches. Finish or leave one first."
    raise ProblemError(SITTING, detail)


def check_invitations(host: str, match_id: str | None) -> None:
    """Raises ``ProblemError`` if this host waits for as many arbiters as a host may. ``match_id`` as in ``check_seats``."""
    read = service().queries
    if read is None or not read.are_ready:
        return
    if read.waits_for_arbiters(host) < MOST_INVITATIONS or _is_seated(host, match_id):
        return
    detail = f"At most {MOST_INVITATIONS} open matches of a host wait for their arbiter. Start or leave one first."
    raise ProblemError("too_many_invitations", detail)


def _is_seated(player: str, match_id: str | None) -> bool:
    """Returns whether the player has that seat already, so that the request is a repeated one."""
    if match_id is None:
        return False
    with suppress(ProblemError):
        return service().matches.current(match_id, player).table.seat_of(player) is not None
    return False


def action_response(done: Executed, *, invite: str | None = None) -> Response:
    """Returns the response to an accepted action: 201 if it is done, 202 if other seats are asked.

    ``invite`` is the invite of a new private match.
    """
    note_command(done.commit.command_id)
    if done.repeated:
        mark_repeated()
    proof = receipt(service().signer, done.match.id, done.match.version, done.match.head, done.signature)
    body = accepted(done.match, done.commit, proof, invite)
    location = address(f"/api/v1/matches/{done.match.id}/replay/{done.match.version}")
    return respond(body, 202 if isinstance(done.commit.events[-1], ASKS_OTHERS) else 201, {"Location": location})
