"""A log line for each request; see ``logs``."""

from __future__ import annotations

import logging
import os
import re
import time
from http import HTTPStatus

from flask import Flask, Response, request

from service.logs import CURRENT

SANE_ID = re.compile(r"[A-Za-z0-9._:/+=@-]{1,64}")
"""The form of a request id that is taken from a client: the usual characters, and not too long."""
_BEGAN = "foldtable.began_at"

_log = logging.getLogger("foldtable.requests")


def note_command(command_id: str) -> None:
    """Adds the command id to the log lines of the current request."""
    CURRENT.set({**CURRENT.get(), "command_id": command_id})


def log_requests(app: Flask) -> None:
    """Writes a log line for each request of an app, at level ``info``."""
    app.before_request(_begin)
    app.after_request(_end)
    app.teardown_request(_forget)


def _begin() -> None:
    request.environ[_BEGAN] = time.perf_counter()
    CURRENT.set({"request_id": _given_id() or os.urandom(8).hex()})


def _end(response: Response) -> Response:
    # Our own id is sent only with errors, which somebody may report. All other responses to equal requests stay equal.
    if _given_id() is not None or response.status_code == HTTPStatus.INTERNAL_SERVER_ERROR:
        response.headers["X-Request-ID"] = CURRENT.get()["request_id"]
    if _log.isEnabledFor(logging.INFO):
        _log.info("request", extra={"fields": _facts(response)})
    return response


def _facts(response: Response) -> dict[str, object]:
    took = time.perf_counter() - request.environ.get(_BEGAN, time.perf_counter())
    fields = {
        "method": request.method,
        "endpoint": request.endpoint,
        "match_id": (request.view_args or {}).get("match_id"),
        "status": response.status_code,
        "ms": round(took * 1000, 2),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _forget(_error: BaseException | None) -> None:
    CURRENT.set({})


def _given_id() -> str | None:
    given: str | None = request.environ.get("HTTP_X_REQUEST_ID")
    return given if given is not None and SANE_ID.fullmatch(given) else None
