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

# Each web process leaves its counts in a file of its own here, and a scrape adds them up.
counts = settings.data / METRICS

CONNECTIONS = 6000
GC_THRESHOLDS = (20_000, 20, 50)
FILES = 4 * CONNECTIONS
"""More than connections: each may wait for a connection to the store, and the kernel's queues hold some."""

bind = f"[{settings.host}]:{settings.port}" if ":" in settings.host else f"{settings.host}:{settings.port}"
workers = settings.web_workers
worker_class = "gevent"
# Each open stream of a match holds a connection; the system's limit of open files is the other bound.
worker_connections = CONNECTIONS
keepalive = 30
# Live streams never end by themselves, so a stop cuts them off; their readers come back with Last-Event-ID.
graceful_timeout = 2
accesslog = None
logconfig_dict = logs.gunicorn_logging(settings.log_level)
control_socket_disable = True


def _refuse(client: socket.socket, status: int, _reason: str, message: str) -> None:
    """Answers what gunicorn itself refuses, which never becomes a request of the app, with a problem."""
    from service.web import error_handlers  # counts what it refuses, and where is known only from here on

    util.write_nonblock(client, error_handlers.unread(status, message))


# Its own would be a page of HTML.
util.write_error = _refuse


def on_starting(_server: Any) -> None:
    """Counts begin at nothing, and the key is there, if ``foldtable serve`` has not seen to that."""
    counts.mkdir(mode=0o700, parents=True, exist_ok=True)
    telemetry.clear(counts)
    take_up_key(settings.signing_key, settings.data / HISTORY, SystemClock().now())


def child_exit(_server: Any, worker: Any) -> None:
    """Drops the gauges of a web process that has ended."""
    telemetry.mark_ended(counts, worker.pid)


def when_ready(_server: Any) -> None:
    """Lets web processes, which inherit it, open as many files as the system allows and they may need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if resource.RLIM_INFINITY != soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def post_worker_init(worker: Any) -> None:
    """A web process whose supervisor was killed stops at once, and with it the port is free again."""
    # What the process is made of stays; and matches in memory hold few cycles, so it need not look for them so often.
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    telemetry.write_regularly(counts)
    if settings.lifeline is not None:
        parent_watch.watch(settings.lifeline, lambda: os.kill(worker.ppid, signal.SIGQUIT))
