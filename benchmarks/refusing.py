"""Microseconds by which the refusal of a private match takes longer than that of a match that does not exist.

Pairs of requests, one for each, in turn first and second, over gunicorn; the figure is the median of the differences.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.client import Connection
from benchmarks.http_moves import Player, gunicorn
from service.adapters.embedded_server.server import EmbeddedServer
from service.integrity.receipts import ensure_key

PAIRS = 200
PATHS = ("", "/log", "/audit", "/record", "/replay/1")


def microseconds(connection: Connection, path: str) -> float:
    started = time.perf_counter()
    status, _body = connection.get(path)
    took = time.perf_counter() - started
    if status != 404:
        raise RuntimeError(f"{path}: {status}")
    return took * 1e6


def difference(port: int, private: str, path: str) -> float:
    connection, none = Connection(port), private[:2] + "a" * 14
    found = []
    for number in range(PAIRS):
        order = (private, none) if number % 2 else (none, private)
        took = {match_id: microseconds(connection, f"/api/v1/matches/{match_id}{path}") for match_id in order}
        found.append(took[private] - took[none])
    connection.close()
    return statistics.median(found)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, EmbeddedServer(Path(folder) / "valkey") as server:
        ensure_key(Path(folder) / "signing.key")
        with gunicorn("service.web.app:create_app()", server.url, Path(folder)) as port:
            body = {"game": "blockers", "seats": 2, "private": True}
            opened = json.loads(Player(port, "Ann").connection.post("/api/v1/matches", body)[1])
            for path in PATHS:
                took = difference(port, opened["match_id"], path)
                print(f"GET …{path or '/':10} a private match is refused {took:+6.1f} µs later than none")


if __name__ == "__main__":
    main()
