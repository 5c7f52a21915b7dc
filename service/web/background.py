"""Work that runs beside the requests for as long as the process lives."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gevent import sleep, spawn
from gevent.lock import BoundedSemaphore

REST_SECONDS = 1.0
"""The pause before ended work starts again, so that a fault that stays does not fill the log or the processor."""

LONG = 500
"""The commits from which on work that is linear in a match waits for its turn."""
TURNS = 2
"""The requests of one process that do long work at once."""

_log = logging.getLogger(__name__)


def keep_running(name: str, work: Callable[[], None], rest: float = REST_SECONDS) -> None:
    """Runs the work in a greenlet of its own, and again after each end. Logs errors. ``rest`` is in seconds."""
    spawn(_run_for_ever, name, work, rest)


def _run_for_ever(name: str, work: Callable[[], None], rest: float) -> None:
    while True:
        try:
            work()
        except Exception:
            _log.exception("%s stopped after an unexpected error and starts again", name)
        sleep(rest)


def pause() -> None:
    """Lets other greenlets run. Linear work calls it after each commit, which takes about 100 µs."""
    sleep(0)


class Turns:
    """Lets only a few requests of a process do long work at once; the others wait.

    Work that pauses after every few commits delays other requests by a fraction of a millisecond, but so does each of the
    requests that do such work. With this, a hundred of them delay a move no more than two.
    """

    def __init__(self, most: int = TURNS) -> None:
        self._free = BoundedSemaphore(most)

    @contextmanager
    def turn(self, commits: int) -> Iterator[None]:
        """Waits for a turn if work on that many commits is long. Must not be nested."""
        if commits < LONG:
            yield
            return
        with self._free:
            yield
