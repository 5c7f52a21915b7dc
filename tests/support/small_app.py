"""Processes as small as can be, to start and kill in place of the real ones.

As a web application it counts its visitors in the store; run as a program it waits for its supervisor to be gone.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

import gevent
import redis

from service.adapters import parent_watch
from service.config import read


def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
    """``/`` answers the number of the visitor and the pid; ``/stream`` never ends."""
    client = redis.Redis.from_url(os.environ["FOLDTABLE_REDIS_URL"])
    start_response("200 OK", [("Content-Type", "text/plain")])
    yield f"{client.incr('visitors')} {os.getpid()}\n".encode()
    while environ["PATH_INFO"] == "/stream":
        gevent.sleep(0.1)
        yield b":\n"


def main() -> None:
    line = read(os.environ).lifeline
    assert line is not None
    parent_watch.watch(line, lambda: os.kill(os.getpid(), signal.SIGTERM))
    signal.pause()


if __name__ == "__main__":
    main()
