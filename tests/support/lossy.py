"""A way to a server that loses answers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def swallowing_answers(path: str, place: Path, times: int) -> Iterator[str]:
    """A way to the server that passes on what is asked and, so many times, hangs up instead of giving the script's answer."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(place))
    listener.listen()
    left = [times]

    def serve() -> None:
        with suppress(OSError):
            while True:
                asking, _ = listener.accept()
                with asking, socket.socket(socket.AF_UNIX) as server:
                    server.connect(path)
                    pump(asking, server)

    def pump(asking: socket.socket, server: socket.socket) -> None:
        while request := asking.recv(1 << 20):
            server.sendall(request)
            answer = server.recv(1 << 20)
            if b"EVAL" in request and left[0]:
                left[0] -= 1
                return
            asking.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    yield f"unix://{place}"
    listener.close()
