"""A move of one client while another one holds all that it can get: half-open bodies and live streams from one address.

The service runs as in production, with its limits. Both clients are processes of their own; the victim plays alone first and
then during the attack, on connections that it made before and on new ones. ``FOLDTABLE_LIMITS=off`` in the environment shows
the same without limits.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import select
import socket
import sys
import tempfile
import time
from collections import Counter, deque
from contextlib import suppress
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any

from benchmarks.client import Connection
from service.adapters.embedded_server.server import EmbeddedServer
from tests.support.serving import served

BODIES, STREAMS = 12_000, 1_000
SECONDS = 10.0
MOVES_PER_SECOND = 20
SEATS = 2
SPARE_FILES = 500
RATIO = 3.0
"""The victim's p99 during the attack may be so many times its quiet one."""
VICTIM, ATTACKER = "127.0.0.2", "127.0.0.3"
TIMEOUT = 5.0
RETRY_SECONDS = 10.0
"""A connection that has ended is made again after so long, as ``Retry-After`` asks; 0 makes it again at once."""

HALF_BODY = (
    b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"
)


def affordable(wanted: int) -> int:
    """Returns how many connections this process may hold, after it has raised its limit of open files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    need = wanted + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < need:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (need, max(need, hard)))
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(need, hard), hard))
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if soft == resource.RLIM_INFINITY else max(0, min(wanted, soft - SPARE_FILES))


# -- the attacker -----------------------------------------------------------------------------------------------------


class Attacker:
    """Holds so many connections, each with its half of a body or its stream; one that ends is made again after a while."""

    def __init__(self, port: int, path: str, bodies: int, streams: int) -> None:
        self._port = port
        stream = f"GET {path}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        self._first = bodies + streams
        self._waiting = deque((0.0, sent) for sent in [HALF_BODY] * bodies + [stream] * streams)
        """What to send on new connections, and from when on."""
        self._open: dict[int, tuple[socket.socket, bytes]] = {}
        self._poll = select.epoll()
        self.seen: Counter[str] = Counter()

    def run(self, pipe: Pipe) -> None:
        """Attacks until it is told to stop; says when everything was tried once."""
        while not pipe.poll():
            for _ in range(50):
                if not self._waiting or self._waiting[0][0] > time.monotonic():
                    break
                self._connect(self._waiting.popleft()[1])
                self._first -= 1
                if self._first == 0:
                    pipe.send("all tried")
            self._read()
        pipe.send((len(self._open), dict(self.seen)))
        pipe.recv()
        for one, _sent in self._open.values():
            one.close()
        self._poll.close()

    def _connect(self, sent: bytes) -> None:
        one = socket.socket()
        one.settimeout(TIMEOUT)
        try:
            one.bind((ATTACKER, 0))
            one.connect(("127.0.0.1", self._port))
            one.sendall(sent)
        except OSError:
            one.close()
            self.seen["failed"] += 1
            self._again(sent)
            return
        one.setblocking(False)
        self._open[one.fileno()] = one, sent
        self._poll.register(one.fileno(), select.EPOLLIN)

    def _read(self) -> None:
        for fd, _event in self._poll.poll(0.02, 4096):
            one, sent = self._open[fd]
            try:
                data = one.recv(65536)
            except OSError:
                data = b""
            if data:
                self.seen[data[9:12].decode("latin-1") if data.startswith(b"HTTP") else "more"] += 1
                continue
            self._poll.unregister(fd)
            del self._open[fd]
            one.close()
            self.seen["closed"] += 1
            self._again(sent)

    def _again(self, sent: bytes) -> None:
        self._waiting.append((time.monotonic() + RETRY_SECONDS, sent))


def attack(port: int, path: str, bodies: int, streams: int, pipe: Pipe) -> None:
    affordable(bodies + streams)
    Attacker(port, path, bodies, streams).run(pipe)


# -- the victim -------------------------------------------------------------------------------------------------------


class Victim:
    """Two seats of one match that play at an even pace and take everything back now and then."""

    def __init__(self, port: int) -> None:
        self._port = port
        anonymous = Connection(port, source=VICTIM)
        self._tokens = [
            json.loads(anonymous.post("/api/v1/players", {"name": f"Seat {n}"})[1])["token"] for n in range(SEATS)
        ]
        self._seats = [Connection(port, token, VICTIM) for token in self._tokens]
        body = {"game": "blockers", "seats": SEATS, "undo": "host"}
        self.path = f"/api/v1/matches/{json.loads(self._seats[0].post('/api/v1/matches', body)[1])['match_id']}"
        self._answer = json.loads(self._seats[1].post(f"{self.path}/seats", {})[1])
        self._first = int(self._answer["version"])

    def play(self, seconds: float, *, anew: bool) -> list[float]:
        """Returns the seconds of each move, in order of size. ``anew``: on a new connection each."""
        began, taken = time.monotonic(), list[float]()
        for number in range(int(seconds * MOVES_PER_SECOND)):
            time.sleep(max(0.0, began + number / MOVES_PER_SECOND - time.monotonic()))
            if time.monotonic() > began + 3 * seconds:
                break
            taken.append(self._move(anew))
        return sorted(taken)

    def _move(self, anew: bool) -> float:
        if int(self._answer["version"]) - self._first >= 30 or not self._answer["to_move"]:
            self._answer = json.loads(self._seats[0].post(f"{self.path}/undo", {"to": self._first})[1])
            self._first = int(self._answer["version"])
        (seat,) = self._answer["to_move"]
        move = json.loads(self._seats[seat].get(f"{self.path}/moves")[1])["moves"][0]
        started = time.monotonic()
        connection = Connection(self._port, self._tokens[seat], VICTIM) if anew else self._seats[seat]
        status, answer = connection.post(f"{self.path}/moves", {"move": move})
        taken = time.monotonic() - started
        if status != 201:
            raise RuntimeError(f"refused: {answer!r}")
        self._answer = json.loads(answer)
        return taken


def p99(taken: list[float]) -> float:
    """In milliseconds."""
    return taken[min(len(taken) - 1, len(taken) * 99 // 100)] * 1000


def _victim(port: int, pipe: Pipe) -> None:
    victim = Victim(port)
    pipe.send(victim.path)
    while (anew := pipe.recv()) is not None:
        try:
            pipe.send(victim.play(SECONDS, anew=anew))
        except (OSError, RuntimeError) as fault:
            pipe.send(f"{type(fault).__name__}: {fault}")


def measure(port: int, bodies: int, streams: int) -> None:
    pipe, others = multiprocessing.Pipe()
    playing = multiprocessing.Process(target=_victim, args=(port, others), daemon=True)
    playing.start()
    path = pipe.recv()
    quiet = {anew: _asked(pipe, anew) for anew in (False, True)}
    attacks, theirs = multiprocessing.Pipe()
    attacking = multiprocessing.Process(target=attack, args=(port, path, bodies, streams, theirs), daemon=True)
    attacking.start()
    started = time.monotonic()
    tried = attacks.poll(60)
    print(
        f"  everything was tried once after {time.monotonic() - started:.1f} s"
        if tried
        else "  not all was tried in 60 s"
    )
    attacked = {anew: _asked(pipe, anew) for anew in (False, True)}
    attacks.send("stop")
    while not isinstance(held := attacks.recv(), tuple):
        continue
    for anew, about in ((False, "kept connections"), (True, "new connections")):
        print(f"  {about}: {_compared(quiet[anew], attacked[anew])}")
    print(f"  the attacker holds {held[0]} connections at the end; it saw {held[1]}")
    attacks.send("end")
    pipe.send(None)
    for process in (attacking, playing):
        process.join(10)
        process.kill()


def _asked(pipe: Pipe, anew: bool) -> Any:
    pipe.send(anew)
    return pipe.recv() if pipe.poll(6 * SECONDS) else "no answer"


def _compared(quiet: Any, attacked: Any) -> str:
    if isinstance(quiet, str) or isinstance(attacked, str):
        return f"quiet {quiet if isinstance(quiet, str) else 'well'}, attacked {attacked}"
    ratio = p99(attacked) / p99(quiet)
    verdict = "within" if ratio <= RATIO else "MORE THAN"
    return (
        f"p50 {quiet[len(quiet) // 2] * 1000:.1f} → {attacked[len(attacked) // 2] * 1000:.1f} ms, "
        f"p99 {p99(quiet):.1f} → {p99(attacked):.1f} ms, {ratio:.1f} times ({verdict} {RATIO:.0f}), {len(attacked)} moves"
    )


def main(bodies: int = BODIES, streams: int = STREAMS) -> None:
    held = affordable(bodies + streams)
    if held < bodies + streams:
        print(f"only {held} open files are allowed here, so there are fewer half-open bodies")
        bodies = max(0, held - streams)
    limits = os.environ.get("FOLDTABLE_LIMITS", "on")
    print(f"crowding: {bodies} half-open bodies and {streams} streams from one address, limits {limits}")
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedServer(Path(folder) / "valkey") as server,
        # All moves of the victim are by two accounts, faster than people play.
        served(Path(folder), server.url, FOLDTABLE_LIMITS=limits, FOLDTABLE_RATE_MOVES="1000 per second") as (
            port,
            _pids,
        ),
    ):
        measure(port, bodies, streams)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
