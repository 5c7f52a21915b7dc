"""The service's own log: one JSON object a line, on standard error.

Lines written during a request carry its ``request_id`` (the sender's ``X-Request-ID``, which the response returns, or a new
one, which responses of 500 return) and its ``command_id`` if there is one. At level ``info`` every request has a line. No
line contains a body, query, header or name, so none contains a token, an invite, a seed or a hand.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

CURRENT: ContextVar[dict[str, str]] = ContextVar("foldtable.request", default={})  # noqa: B039
"""The fields that identify the current request."""


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "logger": record.name, "pid": os.getpid()}
        line |= {"message": record.getMessage()} | CURRENT.get() | getattr(record, "fields", {})
        if record.exc_info:
            # Code places and the class of the error, but not its text, which may contain a request's data.
            kind, _error, trace = record.exc_info
            line["error"] = None if kind is None else kind.__name__
            line["trace"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
        return json.dumps(line, ensure_ascii=False)


def configure(level: str) -> None:
    """Sets up logging for this process; ``level`` is one of ``config.LEVELS``."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    sys.excepthook = _log_uncaught


def _log_uncaught(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
    """Logs an uncaught exception, so that the end of a process is a JSON line too."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, fault, trace)
    else:
        logging.getLogger("foldtable").critical("process ended by an uncaught error", exc_info=(kind, fault, trace))


def gunicorn_logging(level: str) -> dict[str, Any]:
    """Returns gunicorn's ``logconfig_dict`` for the same format."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "service.logs.JsonLines"}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"level": level.upper(), "handlers": ["lines"]},
        "loggers": {
            # Never at debug: those lines hold whole URLs and what arrived of broken requests, tokens among it.
            "gunicorn.error": {"level": ("info" if level == "debug" else level).upper(), "handlers": ["lines"]}
            | {"propagate": False, "qualname": "gunicorn.error"}
        }
        # Off: gunicorn's own access lines contain whole URLs, and a mistaken client may have put a token into one.
        | {"gunicorn.access": {"level": "CRITICAL", "handlers": [], "propagate": False, "qualname": "gunicorn.access"}},
    }
