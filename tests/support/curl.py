"""Players and viewers over real sockets."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from benchmarks.client import Connection, enter
from tests.support.sse import Event, events


class Seat:
    def __init__(self, port: int, name: str) -> None:
        self.port = port
        self.token = enter(port, name)
        self._connection = Connection(port, self.token)

    def post(self, path: str, body: Any) -> Any:
        status, answer = self._connection.post(f"/api/v1{path}", body)
        assert status == 201, answer
        return json.loads(answer)

    def move(self, path: str) -> Any:
        moves = json.loads(self._connection.get(f"/api/v1{path}/moves")[1])["moves"]
        return self.post(f"{path}/moves", {"move": moves[0]})


class Curl:
    """``curl -N``: an open socket and what comes over it."""

    def __init__(self, port: int, path: str, token: str = "", last: int | None = None, receive: int = 0) -> None:
        self._socket = socket.socket()
        if receive:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        self._socket.settimeout(20)
        self._socket.connect(("127.0.0.1", port))
        lines = [f"GET /api/v1{path}/stream HTTP/1.1", "Host: x"]
        lines += [f"Authorization: Bearer {token}"] if token else []
        lines += [f"Last-Event-ID: {last}"] if last is not None else []
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self._file = self._socket.makefile("rb")
        self._events = events(self._chunks())

    def take(self, count: int = 1) -> list[Event]:
        return list(islice(self._events, count))

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def close(self) -> None:
        with suppress(OSError):  # The service may have closed it first.
            self._socket.shutdown(socket.SHUT_RDWR)
        self._release()

    def __del__(self) -> None:
        # A test that ends early leaves it open, which would be a warning in whatever test runs by then.
        if hasattr(self, "_file"):
            self._release()

    def _release(self) -> None:
        # The socket stays open as long as its file is.
        self._file.close()
        self._socket.close()

    def _chunks(self) -> Iterator[bytes]:
        file = self._file
        assert file.readline().split()[1] == b"200"
        while file.readline().strip():
            continue
        while length := int(file.readline(), 16):
            yield file.read(length)
            assert file.readline() == b"\r\n"


def opened(seats: list[Seat]) -> tuple[str, list[int]]:
    made = seats[0].post("/matches", {"game": "blockers", "seats": 2, "undo": "host"})
    path = f"/matches/{made['match_id']}"
    return path, seats[1].post(f"{path}/seats", {})["to_move"]
