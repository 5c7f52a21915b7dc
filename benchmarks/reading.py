"""Milliseconds until a move is answered, alone and while others read the heaviest audit, records and explanations.

The service runs as ``serve`` runs it: gunicorn with two workers, on the embedded server. One client plays. Four others ask
for everything about one long match that takes work in proportion to its length, each as soon as it has its answer.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.client import Connection
from benchmarks.http_moves import Player, gunicorn, play
from domain import commands
from domain.drafts import draft
from domain.games import all_games
from domain.hidden import redact
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from service.adapters.redis.players import RedisPlayers
from service.adapters.redis.records import RedisRecords
from service.adapters.redis.store import RedisStore
from service.adapters.system import SystemClock, SystemEntropy
from service.integrity.receipts import Signer, ensure_key, read_key
from service.matches.handler import CommandRequest
from service.players.tokens import Caller
from service.web.app import Parts, build_service
from service.web.context import Service

VERSIONS = 8_003
READERS = 4
SECONDS = 12.0
WARM_SECONDS = 3.0
BETWEEN = 36
"""The moves between two returns to the start, so that many versions are on branches that were undone."""
MOST_MS = 50.0
"""The p99 of a move among the readers that the service promises."""


def long_match(parts: Service, versions: int = VERSIONS) -> str:
    """Plays a match of this many versions through the command handler, and returns its id."""
    game, dice = all_games()["blockers"], random.Random(5)
    host, guest = (CommandRequest(Caller(name, "t0")) for name in ("reading0", "reading1"))
    command = commands.Open("blockers", 2, {}, undo="host")
    match = parts.handler.open(host, game, command).match
    match = parts.handler.execute(match.id, guest, commands.Join(1)).match
    start = match.version
    while match.version < versions - 1:
        if match.version % BETWEEN or match.status != "live":
            (seat,) = match.to_move
            legal = game.legal(redact(match.state, frozenset({seat})), seat)
            asked: Any = commands.Move(seat, dice.choice(list(legal)))
            match = parts.handler.execute(match.id, (host, guest)[seat], asked).match
        else:
            match = parts.handler.execute(match.id, host, draft(commands.Undo, to=start, reason="")).match
    return parts.handler.execute(match.id, host, commands.Resign(0)).match.id


def parts_on(url: str, data: Path) -> Service:
    """The service in this process, without notifications: what a test of the command handler needs."""
    client = connect(url)
    signer = Signer(read_key((data / "signing.key").read_text()))
    parts = Parts(
        store=RedisStore(client),
        players=RedisPlayers(client, SystemClock()),
        clock=SystemClock(),
        entropy=SystemEntropy(),
        signer=signer,
        ready=lambda: True,
        records=RedisRecords(client),
    )
    return build_service(parts, all_games())


def asked_for(match_id: str, record_id: str) -> Sequence[Callable[[Connection], tuple[int, bytes]]]:
    """The requests of a reader, all of them about the long match."""
    match, record = f"/api/v1/matches/{match_id}", f"/api/v1/records/{record_id}"
    move = {"version": VERSIONS - 100, "seat": 0, "move": {"type": "pass"}}
    paths = (
        f"{match}/audit",
        f"{match}/audit/{VERSIONS}",
        f"{match}/record",
        f"{match}/replay?after=20&limit=500",
        record,
        f"{record}/record",
        f"{record}/replay?after=20&limit=500",
        f"{record}/replay/{VERSIONS - 100}",
    )
    reads = [lambda connection, path=path: connection.get(path) for path in paths]
    return [*reads, lambda connection: connection.post(f"{match}/audit/explain", move)]


def read_on(port: int, match_id: str, record_id: str, number: int) -> None:
    """Reads for ever, beginning with another request than the other readers."""
    requests, connection = asked_for(match_id, record_id), Connection(port)
    turn = number * 2
    while True:
        status, body = requests[turn % len(requests)](connection)
        if status not in (200, 422):
            raise RuntimeError(f"{status}: {body[:200]!r}")
        turn += 1


@contextmanager
def readers(port: int, match_id: str, record_id: str) -> Iterator[None]:
    """Four readers, in processes of their own so that they take nothing from the one that measures."""
    code = (
        "import sys; from benchmarks.reading import read_on; p, m, r, n = sys.argv[1:]; read_on(int(p), m, r, int(n))"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(port), match_id, record_id, str(number)])
        for number in range(READERS)
    ]
    try:
        yield
        if any(process.poll() is not None for process in started):
            raise RuntimeError("a reader has stopped")
    finally:
        for process in started:
            process.kill()
            process.wait()


def timed_moves(port: int, seconds: float) -> list[float]:
    """Plays for so long; the milliseconds that each move took, sorted."""
    took: list[float] = []
    end = time.monotonic() + seconds
    post = Connection.post

    def timing(connection: Connection, path: str, body: Any, key: str | None = None) -> tuple[int, bytes]:
        started = time.perf_counter()
        answer = post(connection, path, body, key)
        if path.endswith("/moves"):
            took.append((time.perf_counter() - started) * 1000)
        return answer

    Connection.post = timing  # type: ignore[method-assign,assignment]
    try:
        play(port, lambda: time.monotonic() > end)
    finally:
        Connection.post = post  # type: ignore[method-assign]
    return sorted(took)


def imported(port: int, match_id: str) -> str:
    """Imports the record of a match, and returns the record's id."""
    someone = Player(port, "Reader").connection
    _status, raw = someone.get(f"/api/v1/matches/{match_id}/record")
    status, body = someone.post_raw("/api/v1/records", raw)
    someone.close()
    if status != 201:
        raise RuntimeError(body)
    return str(json.loads(body)["record_id"])


def shown(name: str, took: Sequence[float]) -> float:
    p99 = took[int(len(took) * 0.99)]
    print(f"{name:30} p50 {took[len(took) // 2]:6.1f} ms   p99 {p99:6.1f} ms   most {took[-1]:6.1f} ms   ({len(took)})")
    return p99


def main() -> float:
    """Prints how long moves took; returns the p99 among readers, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedServer(Path(folder) / "valkey") as server:
        data = Path(folder)
        ensure_key(data / "signing.key")
        match_id = long_match(parts_on(server.url, data))
        with gunicorn("service.web.app:create_app()", server.url, data) as port:
            record_id = imported(port, match_id)
            quiet = timed_moves(port, SECONDS / 2)
            with readers(port, match_id, record_id):
                time.sleep(WARM_SECONDS)
                busy = timed_moves(port, SECONDS)
    shown("a move", quiet)
    return shown(f"a move among {READERS} readers", busy)


if __name__ == "__main__":
    print(f"p99 {main():.1f} ms, at most {MOST_MS:.0f}")
