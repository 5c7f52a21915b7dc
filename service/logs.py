"""The service's own log: one JSON object a line, on standard error.

Lines that are written while a request is handled say which: ``request_id`` (the ``X-Request-ID`` of the sender, who gets it
back, or a new one) and ``command_id`` where there is one. At level ``info`` every request has a line. Bodies, queries,
headers and names are in none, so tokens, invites, seeds and hands are not either.
"""

from __future__ import annotations

import json
import logging
import os
import time
import traceback
from datetime import UTC, datetime
from typing import Any

from flask import Flask, Response, has_request_context, request

MAX_ID = 64

_log = logging.getLogger("foldtable.requests")

_ID, _COMMAND, _BEGAN = "foldtable.request_id", "foldtable.command_id", "foldtable.began_at"


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "logger": record.name, "pid": os.getpid()}
        line |= {"message": record.getMessage()} | _request() | getattr(record, "fields", {})
        if record.exc_info:
            # Code places and the kind of error, not its text: that may hold what somebody sent.
            kind, _error, trace = record.exc_info
            line["error"] = None if kind is None else kind.__name__
            line["trace"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
        return json.dumps(line, ensure_ascii=False)


def configure(level: str) -> None:
    """For this process; ``level`` is one of ``config.LEVELS``."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())


def gunicorn_logging(level: str) -> dict[str, Any]:
    """The same for gunicorn's own lines, as its ``logconfig_dict``."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "service.logs.JsonLines"}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"level": level.upper(), "handlers": ["lines"]},
        "loggers": {
            name: {"level": level.upper(), "handlers": ["lines"], "propagate": False, "qualname": name}
            for name in ("gunicorn.error", "gunicorn.access")
        },
    }


def command_done(command_id: str) -> None:
    """Notes which command the present request was."""
    request.environ[_COMMAND] = command_id


def log_requests(app: Flask) -> None:
    """Writes a line for each request of an app, if its level is wanted."""
    app.before_request(_begin)
    app.after_request(_end)


def _begin() -> None:
    request.environ[_BEGAN] = time.perf_counter()


def _end(response: Response) -> Response:
    given = _given_id()
    if given is not None:
        response.headers["X-Request-ID"] = given
    if _log.isEnabledFor(logging.INFO):
        took = time.perf_counter() - request.environ.get(_BEGAN, time.perf_counter())
        fields = {
            "method": request.method,
            "endpoint": request.endpoint,
            "match_id": (request.view_args or {}).get("match_id"),
            "status": response.status_code,
            "ms": round(took * 1000, 2),
        }
        _log.info("request", extra={"fields": {name: value for name, value in fields.items() if value is not None}})
    return response


def _request() -> dict[str, str]:
    """Which request it is about, if it is about one."""
    if not has_request_context():
        return {}
    made = {"request_id": _request_id()}
    command = request.environ.get(_COMMAND)
    return made if command is None else made | {"command_id": command}


def _request_id() -> str:
    known: str | None = request.environ.get(_ID)
    if known is None:
        known = request.environ[_ID] = _given_id() or os.urandom(8).hex()
    return known


def _given_id() -> str | None:
    given: str | None = request.environ.get("HTTP_X_REQUEST_ID")
    fits = given is not None and 0 < len(given) <= MAX_ID and given.isascii() and given.isprintable()
    return given if fits else None
