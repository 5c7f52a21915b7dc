"""Error handlers: every error of the app becomes a problem (RFC 9457, ``application/problem+json``)."""

from __future__ import annotations

import json
import logging
import os
from http import HTTPStatus

from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from domain.errors import NewerReleaseError
from domain.store import ArchivedError, DamagedError, QuarantinedError, UnavailableError
from domain.validation import MalformedError
from domain.wire import UnreadableError
from service import telemetry
from service.ports.readmodels import ForeignDataError
from service.problems import PROBLEM_TYPE, ProblemError, newer_release
from service.web import evenly
from service.web.bodies.body import plain
from service.web.bodies.problems import problem_body
from service.web.context import service
from service.web.encoding import HARDENING, address

RETRY_AFTER = "1"
"""Seconds."""

_BY_STATUS = {400: "unreadable", 404: "not_found", 405: "method_not_allowed", 406: "not_acceptable"} | {
    413: "body_too_large",
    415: "unsupported_type",
}

_log = logging.getLogger(__name__)


def answer(problem: ProblemError) -> Response:
    """Returns the response to a problem, and counts it."""
    telemetry.REFUSALS.add(problem.code)
    if problem.code == "match_not_found":
        evenly.wait(service().grid)
    headers = {"Cache-Control": "no-store"} | problem.headers
    if problem.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(
        json.dumps(plain(problem_body(problem, address("")))), problem.status, headers, content_type=PROBLEM_TYPE
    )


def unread(problem: ProblemError) -> bytes:
    """Returns the whole HTTP response to what never becomes a request. The connection ends with it."""
    # gunicorn reads this variable too, and makes the prefix of each request of it.
    body = json.dumps(plain(problem_body(problem, os.environ.get("SCRIPT_NAME", "").rstrip("/")))).encode()
    head = f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}\r\nConnection: close\r\n"
    head += f"Content-Type: {PROBLEM_TYPE}\r\nContent-Length: {len(body)}\r\nCache-Control: no-store\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in (HARDENING | problem.headers).items()) + "\r\n"
    return head.encode() + body


def register(app: Flask) -> None:
    """Registers a handler for every error of the app, also for Flask's own."""
    app.register_error_handler(ProblemError, answer)
    app.register_error_handler(MalformedError, _malformed)
    app.register_error_handler(UnavailableError, _unavailable)
    app.register_error_handler(UnreadableError, _damaged)
    app.register_error_handler(DamagedError, _damaged)
    app.register_error_handler(QuarantinedError, _quarantined)
    app.register_error_handler(ForeignDataError, _misfit)
    app.register_error_handler(NewerReleaseError, lambda fault: answer(newer_release(fault)))
    app.register_error_handler(ArchivedError, lambda _fault: answer(ProblemError("archived")))
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def _malformed(fault: MalformedError) -> Response:
    return answer(ProblemError("invalid", f"{fault.field or 'the body'} {fault.message}.", field=fault.field or None))


def _unavailable(_fault: UnavailableError) -> Response:
    # The append may have been written although its reply was lost; with the same key the client learns which it was.
    detail = "The log cannot be reached now. Send the same request again with the same Idempotency-Key."
    return answer(ProblemError("unavailable", detail, headers={"Retry-After": RETRY_AFTER}))


def _damaged(fault: UnreadableError | DamagedError) -> Response:
    _log.error("log damaged: %s", fault)
    return answer(ProblemError("log_damaged", "A stored commit of this match cannot be read. The audit names it."))


def _quarantined(_fault: QuarantinedError) -> Response:
    # Not logged here: it was when the damage was found, and players may go on to ask for a long time.
    return answer(
        ProblemError(
            "log_damaged", "The log of this match was found damaged. The match is stopped; the audit says where."
        )
    )


def _misfit(fault: ForeignDataError) -> Response:
    _log.error("read models damaged: %s", fault)
    return answer(
        ProblemError("lists_damaged", "Queries across matches fail now. The matches themselves are not affected.")
    )


def _http(error: HTTPException) -> Response:
    code = _BY_STATUS.get(error.code or 500)
    if code is None:
        code = "internal" if (error.code or 500) >= 500 else "unreadable"
    headers = {name: value for name, value in error.get_headers() if name == "Allow"}
    return answer(ProblemError(code, headers=headers))


def _unexpected(error: Exception) -> Response:
    # The traceback goes to the log only. It may quote a player's input but no secret: no error message formats a state.
    _log.error("unexpected %s", type(error).__name__, exc_info=error)
    return answer(ProblemError("internal"))
