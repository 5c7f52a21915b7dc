"""Even times for refusals, so that the time of an answer reveals nothing that the answer itself conceals.

To refuse a private match takes about 30 µs longer than to find that there is none, and more while it is not in memory. So
that nobody can measure it, such an answer waits for the next point of a grid that begins with the request.
"""

from __future__ import annotations

import time

from flask import request
from gevent import get_hub, sleep
from gevent.monkey import get_original

BEGAN = "foldtable.even_from"
"""The time at which a request began, in the WSGI environment."""
FINE_SECONDS = 0.003
"""The last part of a wait, which is waited for exactly."""


def begin() -> None:
    """Notes when the request began. Called before every request."""
    request.environ[BEGAN] = time.perf_counter()


def wait(grid: float) -> None:
    """Waits for the next point of the grid of so many seconds. Does nothing where it is 0, as in most tests."""
    if grid <= 0:
        return
    now = time.perf_counter()
    began = request.environ.get(BEGAN, now)
    until = began + grid * ((now - began + FINE_SECONDS) // grid + 1)
    sleep(until - now - FINE_SECONDS)
    # gevent's timers end whole milliseconds after they were started, so the end would still tell when that was. A sleeping
    # thread of the system wakes at the point itself.
    get_hub().threadpool.apply(_sleep_until, (until,))


def _sleep_until(until: float) -> None:
    left = until - time.perf_counter()
    if left > 0:
        get_original("time", "sleep")(left)
