"""Work that goes on beside the requests for as long as the process lives."""

from __future__ import annotations

import logging
from collections.abc import Callable

from gevent import sleep, spawn

REST_SECONDS = 1.0

_log = logging.getLogger(__name__)


def keep_on(what: str, work: Callable[[], None], rest: float = REST_SECONDS) -> None:
    """Does the work in a greenlet of its own, again whenever it has ended, by whatever fault: that is logged."""
    spawn(_for_ever, what, work, rest)


def _for_ever(what: str, work: Callable[[], None], rest: float) -> None:
    while True:
        try:
            work()
        except Exception:
            _log.exception("%s stopped after an unexpected error and starts again", what)
        sleep(rest)


def pause() -> None:
    """Lets other requests run: after each commit, some 100 µs of work."""
    sleep(0)
