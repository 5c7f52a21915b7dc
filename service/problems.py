"""Problems: every refusal of the API as one table, and the exception that carries one (RFC 9457).

``CODES`` is the whole table: stable code → HTTP status and title. A ``ProblemError`` is raised anywhere in the service;
``error_handlers`` makes the HTTP answer of it. This module knows no Flask, so that the worker can raise problems too. The
domain knows codes only as the ``code`` of ``Refused``.

    400 unreadable            the body, a header or the query cannot be read
    401 unauthenticated       no token, or a wrong one
    403 not yours             not_seated, not_your_seat, not_visible
    404 not there             also for what you may not know of
    409 not in this state     not_open, not_live, not_your_turn, …
    412 stale                 If-Match names an older version
    422 refused               by a rule (illegal_move) or by a shape (invalid)
    500 internal, log_damaged, lists_damaged
    503 unavailable           the log cannot be reached just now
"""

from __future__ import annotations

from domain.errors import FoldtableError
from domain.match import Refused

PROBLEM_TYPE = "application/problem+json"

CODES: dict[str, tuple[int, str]] = {
    "unreadable": (400, "The request cannot be read"),
    "unauthenticated": (401, "A valid token is needed"),
    "forbidden": (403, "That is not yours to see or do"),
    "not_seated": (403, "You have no seat at this match"),
    "not_asked": (403, "It is not you who is asked"),
    "not_your_seat": (403, "That seat is not yours"),
    "not_arbiter": (403, "That is the arbiter's to do"),
    "not_found": (404, "There is nothing here"),
    "match_not_found": (404, "There is no such match"),
    "game_not_found": (404, "There is no such game"),
    "player_not_found": (404, "There is no such player"),
    "dispute_not_found": (404, "There is no such dispute"),
    "record_not_found": (404, "There is no such record"),
    "version_not_found": (404, "The match has no such version"),
    "method_not_allowed": (405, "That method is not allowed here"),
    "not_acceptable": (406, "None of the accepted types can be given"),
    "not_open": (409, "The match is not open"),
    "not_live": (409, "The match is not running"),
    "already_seated": (409, "You already sit at this match"),
    "seat_taken": (409, "The seat is taken"),
    "seat_empty": (409, "Nobody sits there"),
    "not_your_turn": (409, "It is not your turn"),
    "final": (409, "The match has ended"),
    "in_force": (409, "That version is in force"),
    "not_in_force": (409, "That version was undone"),
    "ruled_out": (409, "A ruling has taken that back"),
    "undo_refused": (409, "That may not be taken back"),
    "nothing_to_undo": (409, "Nothing has changed since then"),
    "no_request": (409, "There is no such request"),
    "request_lapsed": (409, "The request is not open any more"),
    "request_open": (409, "A request is open already"),
    "already_answered": (409, "That is answered already"),
    "requests_blocked": (409, "Requests of yours are blocked"),
    "too_many_requests": (409, "You have asked often enough in this turn"),
    "not_yet": (409, "It is too early for that"),
    "decided": (409, "The match was decided there"),
    "not_finished": (409, "The match is not finished"),
    "is_arbiter": (409, "The arbiter of a match does not sit at it"),
    "dispute_open": (409, "A dispute is open already"),
    "dispute_closed": (409, "The dispute is settled"),
    "too_many_disputes": (409, "You have disputed too much"),
    "already_looked": (409, "You have looked already"),
    "already_backed": (409, "You are for that already"),
    "ruling_impossible": (409, "That cannot be the ruling here"),
    "stale_version": (412, "The match has moved on"),
    "body_too_large": (413, "The body is too large"),
    "unsupported_type": (415, "The body's type is not supported"),
    "illegal_move": (422, "The rules do not allow this move"),
    "record_refused": (422, "The record does not hold"),
    "record_incomplete": (422, "Only the record of an ended match can be taken in"),
    "invalid": (422, "A field is not as it should be"),
    "key_reused": (422, "The idempotency key was used for something else"),
    "archived": (409, "The match has been archived"),
    "busy": (429, "Too many at once"),
    "internal": (500, "Something went wrong here"),
    "log_damaged": (500, "The stored match cannot be read"),
    "lists_damaged": (500, "The lists cannot be read"),
    "not_ready": (503, "That is still being built"),
    "unavailable": (503, "The log cannot be reached just now"),
}


class ProblemError(FoldtableError):
    """An answer that refuses: a code of ``CODES``, a sentence, and the rule or field where there is one."""

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        rule: str | None = None,
        field: str | None = None,
        version: int | None = None,
        fault: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.rule = rule
        self.field = field
        self.version = version
        self.fault = fault
        self.headers = headers or {}

    @property
    def status(self) -> int:
        return CODES[self.code][0]


def refusal(refused: Refused) -> ProblemError:
    return ProblemError(refused.code, refused.message, rule=refused.rule, field=refused.field)
