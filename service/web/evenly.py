"""Even times for refusals, so that the time of an answer reveals nothing that the answer itself conceals.

To refuse a private match takes about 30 µs longer than to find that there is none, and more while it is not in memory. So
that nobody can measure it, such an answer waits for the next point of a grid that begins with the request.
"""

from __future__ import annotations

import time

from flask import request
from gevent import get_hub, sleep

from service.web.context import service

BEGAN = "foldtable.even_from"
"""The time at which a request began, in the WSGI environment."""


def begin() -> None:
    """Notes when the request began. Called before every request."""
    request.environ[BEGAN] = time.perf_counter()


def wait() -> None:
    """Waits for the next point of the request's grid. Does nothing where the grid is 0, as in most tests."""
    grid = service().grid
    if grid <= 0:
        return
    now = time.perf_counter()
    left = grid - (now - request.environ.get(BEGAN, now)) % grid
    # gevent counts from when its loop last looked at the clock. Without this, the wait would end earlier by the time of the
    # work done since, and would reveal it.
    get_hub().loop.update_now()
    sleep(left)
