"""Settings of gunicorn for the web process. The Procfile starts it."""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
from typing import Any

from gunicorn import util

from service import logs, telemetry
from service.adapters import parent_watch
from service.adapters.system import SystemClock
from service.config import METRICS, read
from service.integrity.keys import HISTORY
from service.integrity.receipts import take_up_key

settings = read(os.environ)

# Each web process writes its counts to a file of its own here, and a scrape adds them up.
counts = settings.data / METRICS

CONNECTIONS = 6000
GC_THRESHOLDS = (10_000, 5, 400)
"""Allocations before a collection of the youngest generation, and collections before the next older one.

The middle one looks at most at 50,000 objects: about 3 ms, during which this process answers nobody.
"""
FILES = 4 * CONNECTIONS
"""More than connections: each may also hold one to the database, and the kernel's queues hold some."""

bind = f"[{settings.host}]:{settings.port}" if ":" in settings.host else f"{settings.host}:{settings.port}"
workers = settings.web_workers
worker_class = "gevent"
# Each open stream holds a connection. The system's limit of open files bounds them too; see ``when_ready``.
worker_connections = CONNECTIONS
keepalive = 30
# Live streams never end by themselves, so a stop need not wait for them: clients come back with Last-Event-ID.
graceful_timeout = 2
accesslog = None
logconfig_dict = logs.gunicorn_logging(settings.log_level)
control_socket_disable = True


def _refuse(client: socket.socket, status: int, _reason: str, message: str) -> None:
    """Answers with a problem to bytes that gunicorn refuses by itself, which never become a request of the app."""
    # Imported in the web process only: the process that starts the others reads this file too, and needs no Flask.
    from service.web import error_handlers

    util.write_nonblock(client, error_handlers.unread(status, message))


# gunicorn has no setting for this; its own function writes a page of HTML.
util.write_error = _refuse


def on_starting(_server: Any) -> None:
    """Clears the counts, and makes the signing key or lets the next one take over, unless ``foldtable serve`` has."""
    counts.mkdir(mode=0o700, parents=True, exist_ok=True)
    telemetry.clear(counts)
    take_up_key(settings.signing_key, settings.data / HISTORY, SystemClock().now())


def child_exit(_server: Any, worker: Any) -> None:
    """Drops the gauges of a web process that has ended."""
    telemetry.mark_ended(counts, worker.pid)


def when_ready(_server: Any) -> None:
    """Raises the limit of open files, which web processes inherit, to what they may need or the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if resource.RLIM_INFINITY != soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def post_worker_init(worker: Any) -> None:
    """Prepares a web process: garbage collection, counts, and an end with its supervisor, which frees the port."""
    # The collector would look for garbage in places where there is none: everything loaded by now stays for ever (freeze),
    # and requests and cached matches make hardly any cycles (higher thresholds).
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    telemetry.write_regularly(counts)
    if settings.lifeline is not None:
        parent_watch.watch(settings.lifeline, lambda: os.kill(worker.ppid, signal.SIGQUIT))
