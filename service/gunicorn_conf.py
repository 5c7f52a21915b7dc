"""How the web process serves. Read by gunicorn; run it through the Procfile."""

from __future__ import annotations

import os
import signal
import socket
from typing import Any

from gunicorn import util

from service import errors, lifeline
from service.config import read

settings = read(os.environ)

bind = f"[{settings.host}]:{settings.port}" if ":" in settings.host else f"{settings.host}:{settings.port}"
workers = settings.web_workers
worker_class = "gevent"
# Each open stream of a match holds a connection; the system's limit of open files is the other bound.
worker_connections = 6000
keepalive = 30
# Live streams never end by themselves, so a stop cuts them off; their readers come back with Last-Event-ID.
graceful_timeout = 2
accesslog = None
loglevel = "warning"
control_socket_disable = True


def _refuse(client: socket.socket, status: int, _reason: str, message: str) -> None:
    """What gunicorn itself refuses, as it never becomes a request of the app, is a problem like all others."""
    util.write_nonblock(client, errors.unread(status, message))


# Its own would be a page of HTML.
util.write_error = _refuse


def post_worker_init(worker: Any) -> None:
    """A web process whose supervisor was killed stops at once, and with it the port is free again."""
    if settings.lifeline is not None:
        lifeline.watch(settings.lifeline, lambda: os.kill(worker.ppid, signal.SIGQUIT))
