"""Work that runs beside the requests for as long as the process lives."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gevent import sleep, spawn
from gevent.lock import RLock

REST_SECONDS = 1.0
"""The pause before ended work starts again, so that a fault that stays does not fill the log or the processor."""

WORK_SECONDS = 0.002
PAUSE_SECONDS = 0.001
LONG = 500
"""The commits from which on work that is linear in a match waits for its turn."""

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


class _Pauses:
    """The pauses in long work: most only let other greenlets run; now and then there is a real one.

    On a busy machine a process that never rests is the last to run when a move wakes it. With one millisecond of rest after
    two of work, moves among four readers of the longest match took a third of the time.
    """

    def __init__(self) -> None:
        self._rested = time.perf_counter()

    def pause(self) -> None:
        sleep(0)
        if time.perf_counter() - self._rested > WORK_SECONDS:
            sleep(PAUSE_SECONDS)
            self._rested = time.perf_counter()


pause = _Pauses().pause
"""Lets other greenlets run. Linear work calls it after every few commits, which take about 100 µs."""


class Turns:
    """Lets one request of a process at a time do long work; the others wait.

    Work that pauses after every few commits delays other requests by a fraction of a millisecond each time, but so does every
    request that does such work. With this, a hundred of them delay a move no more than one.
    """

    def __init__(self) -> None:
        # May be taken again by the request that has it: long work reads long logs, which is long work too.
        self._lock = RLock()

    @contextmanager
    def turn(self, commits: int) -> Iterator[None]:
        """Waits for the turn if work on that many commits is long."""
        if commits < LONG:
            yield
            return
        with self._lock:
            yield
