"""The service's own log: one JSON object a line, on standard error.

Lines that are written while a request is handled say which: ``request_id`` (the ``X-Request-ID`` of the sender, who gets it
back, or a new one, which goes with answers of 500) and ``command_id`` where there is one. At level ``info`` every
request has a line. Bodies, queries, headers and names are in none, so tokens, invites, seeds and hands are not either.
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
"""What the present request is known by."""


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "logger": record.name, "pid": os.getpid()}
        line |= {"message": record.getMessage()} | CURRENT.get() | getattr(record, "fields", {})
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
    sys.excepthook = _ended


def _ended(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
    """What ends a process is a line, too."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, fault, trace)
    else:
        logging.getLogger("foldtable").critical("the process ends", exc_info=(kind, fault, trace))


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
            for name in ("gunicorn.error",)
        }
        # Its own lines of requests hold whole addresses, and there may be a token in one, however wrong that is.
        | {"gunicorn.access": {"level": "CRITICAL", "handlers": [], "propagate": False, "qualname": "gunicorn.access"}},
    }
