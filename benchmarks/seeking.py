"""Travelling to any version of a match over HTTP: the slowest in a hundred, for a long match and one ten times as long."""

from __future__ import annotations

import json
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.client import Connection, enter
from benchmarks.http_moves import gunicorn
from service.adapters.embedded_server.server import EmbeddedServer
from service.integrity.receipts import ensure_key

LENGTHS = (1_000, 10_000)
ASKED = 1_000
STRETCH = 40
"""After so many moves the host goes back to the start of play, so that the match gets long and wide."""


def call(connection: Connection, method: str, path: str, body: Any = None) -> Any:
    path = f"/api/v1{path}"
    status, data = connection.get(path) if method == "GET" else connection.post(path, body or {})
    if status not in (200, 201):
        raise RuntimeError(f"{path}: {data!r}")
    return json.loads(data)


def grown(clients: list[Connection], match: str, version: int, length: int) -> None:
    """More moves, and returns to the start of play, until the match has so many versions."""
    moves = 0
    state = call(clients[0], "GET", match)
    while version < length:
        if moves == STRETCH:
            state, moves = call(clients[0], "POST", f"{match}/undo", {"to": 2}), 0
        else:
            mover = clients[state["to_move"][0]]
            move = random.choice(call(mover, "GET", f"{match}/moves")["moves"])
            state, moves = call(mover, "POST", f"{match}/moves", {"move": move}), moves + 1
        version = state["version"]


def seek(client: Connection, match: str, length: int) -> list[float]:
    """Milliseconds of each of many versions at random."""
    times = []
    for _ in range(ASKED):
        start = time.perf_counter()
        call(client, "GET", f"{match}/replay/{random.randint(1, length)}")
        times.append((time.perf_counter() - start) * 1000)
    return times


def main() -> None:
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder, EmbeddedServer(Path(folder) / "valkey", fsync="no") as server:
        ensure_key(Path(folder) / "signing.key")
        with gunicorn("service.web.app:create_app()", server.url, Path(folder)) as port:
            clients = [Connection(port, enter(port, name)) for name in ("Ann", "Ben")]
            opened = call(clients[0], "POST", "/matches", {"game": "blockers", "seats": 2, "undo": "host"})
            match = f"/matches/{opened['match_id']}"
            call(clients[1], "POST", f"{match}/seats")
            version = 2
            for length in LENGTHS:
                grown(clients, match, version, length)
                version = length
                times = seek(clients[0], match, length)
                p50, p99 = statistics.median(times), statistics.quantiles(times, n=100)[98]
                print(f"any version of {length:6,} commits: median {p50:5.2f} ms, p99 {p99:5.2f} ms over HTTP")


if __name__ == "__main__":
    main()
