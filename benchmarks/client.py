"""A client that costs as little as it can: one keep-alive socket, one request at a time, so that the server is measured."""

from __future__ import annotations

import json
import secrets
import socket
from typing import Any


class Connection:
    """One keep-alive connection to the service, with a player's token if there is one."""

    def __init__(self, port: int, token: str | None = None, source: str = "127.0.0.1") -> None:
        """``source`` is the client's own address."""
        self._source = source
        self._socket = socket.create_connection(("127.0.0.1", port), source_address=(source, 0))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._given = token
        self._host = f"Host: 127.0.0.1:{port}\r\n"
        self._token = f"Authorization: Bearer {token}\r\n" if token else ""
        self._rest = b""

    def post(self, path: str, body: Any, key: str | None = None) -> tuple[int, bytes]:
        return self.post_raw(path, json.dumps(body).encode(), key)

    def post_raw(self, path: str, content: bytes, key: str | None = None) -> tuple[int, bytes]:
        """Sends JSON as it is written."""
        return self._send("POST", path, content, key)

    def patch(self, path: str, body: Any) -> tuple[int, bytes]:
        return self._send("PATCH", path, json.dumps(body).encode())

    def _send(self, method: str, path: str, content: bytes, key: str | None = None) -> tuple[int, bytes]:
        head = f"{method} {path} HTTP/1.1\r\n{self._host}{self._token}Content-Type: application/json\r\n"
        head += "" if key is None else f"Idempotency-Key: {key}\r\n"
        self._socket.sendall(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        return self._answer()

    def get(self, path: str) -> tuple[int, bytes]:
        self._socket.sendall(f"GET {path} HTTP/1.1\r\n{self._host}{self._token}\r\n".encode())
        return self._answer()

    def delete(self, path: str) -> tuple[int, bytes]:
        self._socket.sendall(f"DELETE {path} HTTP/1.1\r\n{self._host}{self._token}\r\n".encode())
        return self._answer()

    def again(self, port: int) -> Connection:
        """A new connection of the same player."""
        return Connection(port, self._given, self._source)

    def close(self) -> None:
        self._socket.close()

    def __del__(self) -> None:
        # Tests and loads make connections by the hundred and let go of them; an open socket would be a warning each time.
        if hasattr(self, "_socket"):
            self._socket.close()

    def _answer(self) -> tuple[int, bytes]:
        data = self._rest
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self._more()
        head = data[:end].lower()
        start = head.index(b"content-length:") + 15
        length = int(head[start : head.find(b"\r\n", start) if b"\r\n" in head[start:] else len(head)])
        while len(data) < end + 4 + length:
            data += self._more()
        self._rest = data[end + 4 + length :]
        return int(head[9:12]), data[end + 4 : end + 4 + length]

    def _more(self) -> bytes:
        data = self._socket.recv(65536)
        if not data:
            raise ConnectionError("the server closed the connection")
        return data


def enter(port: int, name: str, source: str = "127.0.0.1") -> str:
    """Creates an account with this name, or with a number behind it if it is taken; returns its token."""
    connection = Connection(port, source=source)
    status, answer = connection.post("/api/v1/players", {"name": name})
    while status == 409:
        status, answer = connection.post("/api/v1/players", {"name": f"{name} {secrets.randbelow(10**9)}"})
    connection.close()
    if status != 201:
        raise RuntimeError(f"no account: {status} {answer!r}")
    return str(json.loads(answer)["token"])
