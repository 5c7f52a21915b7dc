"""Problems: every refusal of the API in one table, and the exception that carries one (RFC 9457).

``CODES`` is the whole table: stable code → HTTP status and title. A ``ProblemError`` is raised anywhere in the service;
``web.error_handlers`` turns it into a response. This module does not load Flask, so that the worker can raise problems too.
The domain knows codes only as the ``code`` of ``Refused``.

    400 unreadable            the body, a header or the query cannot be read
    401 unauthenticated       no token, or a wrong one
    403 not yours             not_seated, not_your_seat, not_visible
    404 not found             also for a match that the caller may not know of
    408 body_too_slow
    409 wrong state           not_open, not_live, not_your_turn, …
    412 stale                 If-Match names an older version
    422 refused               by a rule (illegal_move) or by validation (invalid)
    429 too many          at once or in a short time; with Retry-After
    500 internal, log_damaged, record_damaged, lists_damaged
    503 unavailable           the database does not answer; newer_protocol, newer_rules: only a newer release can do it
"""

from __future__ import annotations

from domain.errors import FoldtableError, NewerReleaseError
from domain.match import Refused

PROBLEM_TYPE = "application/problem+json"

CODES: dict[str, tuple[int, str]] = {
    "unreadable": (400, "The request is malformed"),
    "unauthenticated": (401, "Authentication required"),
    "forbidden": (403, "You may not do this"),
    "not_seated": (403, "You have no seat at this match"),
    "not_asked": (403, "This request was not addressed to you"),
    "not_your_seat": (403, "This is not your seat"),
    "not_arbiter": (403, "Only the arbiter may do this"),
    "not_found": (404, "Resource not found"),
    "match_not_found": (404, "Match not found"),
    "game_not_found": (404, "Game not found"),
    "player_not_found": (404, "Player not found"),
    "dispute_not_found": (404, "Dispute not found"),
    "token_not_found": (404, "Token not found"),
    "record_not_found": (404, "Record not found"),
    "version_not_found": (404, "Version not found"),
    "method_not_allowed": (405, "Method not allowed"),
    "not_acceptable": (406, "No acceptable response format"),
    "body_too_slow": (408, "The body arrives too slowly"),
    "not_open": (409, "The match is not open"),
    "not_private": (409, "The match is not private"),
    "not_live": (409, "The match is not running"),
    "already_seated": (409, "You already have a seat at this match"),
    "seat_taken": (409, "The seat is taken"),
    "seat_empty": (409, "The seat is empty"),
    "not_your_turn": (409, "It is not your turn"),
    "final": (409, "The match has ended"),
    "in_force": (409, "The version is in force"),
    "not_in_force": (409, "The version was undone"),
    "ruled_out": (409, "A ruling has taken this version back"),
    "undo_refused": (409, "This may not be undone"),
    "nothing_to_undo": (409, "There is nothing to undo"),
    "no_request": (409, "No such request"),
    "request_lapsed": (409, "The request is no longer open"),
    "request_open": (409, "A request is already open"),
    "already_answered": (409, "The request is already answered"),
    "requests_blocked": (409, "Your requests are blocked"),
    "too_many_requests": (409, "Too many requests in this turn"),
    "too_many_returns": (409, "Too many returns in this match"),
    "change_refused": (409, "The match cannot change to these rules"),
    "rules_missing": (409, "The rules of this match are not installed"),
    "time_up": (409, "The time has run out"),
    "retired": (409, "You have retired from this match"),
    "ready_check": (409, "A ready check is open"),
    "not_yet": (409, "It is too early for this"),
    "decided": (409, "The match was already decided"),
    "not_finished": (409, "The match is not finished"),
    "removed": (409, "You have lost your seat at this match"),
    "is_arbiter": (409, "The arbiter cannot take a seat"),
    "arbiter_not_named": (409, "Players who join agree to the arbiter"),
    "too_many_invitations": (409, "You wait for too many arbiters"),
    "too_many_matches": (409, "You sit at too many matches"),
    "name_taken": (409, "The name is taken"),
    "too_many_renewals": (409, "The invite was renewed too often"),
    "too_many_tokens": (409, "Too many tokens"),
    "last_token": (409, "This is the last way into the account"),
    "too_many_records": (409, "You have imported too many records"),
    "dispute_open": (409, "A dispute is already open"),
    "dispute_closed": (409, "The dispute is closed"),
    "too_many_disputes": (409, "Too many disputes"),
    "dispute_too_late": (409, "It is too late for a dispute"),
    "already_looked": (409, "You have already looked"),
    "already_backed": (409, "You already support this ruling"),
    "ruling_impossible": (409, "This ruling is not possible here"),
    "stale_version": (412, "The match has changed"),
    "body_too_large": (413, "The body is too large"),
    "unsupported_type": (415, "Unsupported content type"),
    "illegal_move": (422, "Illegal move"),
    "record_refused": (422, "Record verification failed"),
    "record_incomplete": (422, "The match of the record has not ended"),
    "invalid": (422, "Validation failed"),
    "key_reused": (422, "The idempotency key was already used"),
    "archived": (409, "The match has been archived"),
    "rate_limited": (429, "Too many requests in a short time"),
    "too_many_streams": (429, "You have too many live streams"),
    "too_many_connections": (429, "Your address has too many connections"),
    "busy": (429, "Too many requests at once"),
    "internal": (500, "Internal server error"),
    "log_damaged": (500, "The stored match is damaged"),
    "record_damaged": (500, "The stored record is damaged"),
    "lists_damaged": (500, "The read models are damaged"),
    "not_ready": (503, "The read models are being built"),
    "newer_protocol": (503, "Only a newer release can play this match"),
    "newer_rules": (503, "Only a newer release has the rules of this match"),
    "unavailable": (503, "The database does not answer"),
}


class ProblemError(FoldtableError):
    """A refusal: a code of ``CODES``, a sentence, and the rule or the field that it is about, if there is one."""

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


def newer_release(fault: NewerReleaseError) -> ProblemError:
    """The problem of a match that another process, of a newer release, may serve."""
    return ProblemError(fault.code, f"Here {fault}.", headers={"Retry-After": "10"})
