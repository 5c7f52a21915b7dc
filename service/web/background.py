"""Work that runs beside the requests for as long as the process lives."""

from __future__ import annotations

import logging
from collections.abc import Callable

from gevent import sleep, spawn

REST_SECONDS = 1.0
"""The pause before ended work starts again, so that a fault that stays does not fill the log or the processor."""

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
