"""Settings of gunicorn for the web process. The Procfile starts it."""

from __future__ import annotations

import gc
import os
import resource
import secrets
import signal
from typing import Any

from service import logs, telemetry
from service.adapters import parent_watch
from service.adapters.system import SystemClock
from service.config import METRICS, read
from service.integrity.keys import HISTORY
from service.integrity.receipts import take_up_key, write_once
from service.web.limits.connections import Connections, Pace
from service.web.limits.tally import Tally

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
worker_class = "service.web.limits.worker.Worker"
# Each open stream holds a connection. The system's limit of open files bounds them too; see ``when_ready``.
worker_connections = CONNECTIONS
keepalive = 30
# Live streams never end by themselves, so a stop need not wait for them: clients come back with Last-Event-ID.
graceful_timeout = 2
accesslog = None
logconfig_dict = logs.gunicorn_logging(settings.log_level)
control_socket_disable = True
# By default a client on this machine, or behind a proxy there, may change the path of its request by these headers.
forwarder_headers = ""


# Made before web processes are forked, so that these share them. A reload runs old and new ones for a moment.
tallies = Tally(2 * workers + 2), Tally(2 * workers + 2)
"""Connections and live streams that are open, by address or account."""


def on_starting(_server: Any) -> None:
    """Clears the counts, and makes the signing key or lets the next one take over, unless ``foldtable serve`` has."""
    counts.mkdir(mode=0o700, parents=True, exist_ok=True)
    telemetry.clear(counts)
    take_up_key(settings.signing_key, settings.data / HISTORY, SystemClock().now())
    if not settings.operator_token.exists():
        write_once(settings.operator_token, secrets.token_urlsafe(32))


def pre_fork(_server: Any, worker: Any) -> None:
    """Reserves the places in which a web process counts."""
    worker.rows = [tally.reserve() for tally in tallies]


def post_fork(_server: Any, worker: Any) -> None:
    """Makes a web process count in its places, and limits its connections."""
    for tally, row in zip(tallies, worker.rows, strict=True):
        tally.use(row)
    if settings.limits:
        connections = Connections(tallies[0], settings.max_connections, settings.forwarded_hops)
        worker.limited = connections, Pace(settings.body_seconds, settings.body_rate)


def child_exit(_server: Any, worker: Any) -> None:
    """Drops the gauges of a web process that has ended, and what it had open."""
    telemetry.mark_ended(counts, worker.pid)
    for tally, row in zip(tallies, worker.rows, strict=True):
        if row is not None:
            tally.release(row)


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
    service = getattr(worker.wsgi, "extensions", {}).get("foldtable")
    if worker.limited is not None and service is not None and service.limits is not None:
        service.limits.streams = tallies[1]
        worker.limited[0].share(service.limits.addresses)
    if settings.lifeline is not None:
        parent_watch.watch(settings.lifeline, lambda: os.kill(worker.ppid, signal.SIGQUIT))
