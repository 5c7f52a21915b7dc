"""Many viewers of one match: how soon each has a commit, whether all have all, and what a delivery costs the server.

The service runs as in production on two web processes; the viewers are sockets of this process, which only looks for the
``id`` of each event and checks that it follows the one before. A viewer's delay is counted from the sending of the move.
Run it with ``python -m benchmarks.streams [viewers …]``.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import select
import socket
import sys
import tempfile
import time
from array import array
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any

from benchmarks.client import Connection
from service.adapters.embedded_server.server import EmbeddedServer
from tests.support.serving import served

VIEWERS = (3000, 5000)
RATE = 20
SECONDS = 10
SEATS = 3
PATIENCE = 10.0


def cpu_seconds(pids: list[int]) -> float:
    """What these processes have used so far, in user and kernel."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Viewer:
    socket: socket.socket
    version: int
    rest: bytes = b""
    opened: bool = False


@dataclass(slots=True)
class Audience:
    """All viewers, and what they have seen."""

    port: int
    path: str
    versions: array[int] = field(default_factory=lambda: array("q"))
    times: array[float] = field(default_factory=lambda: array("d"))
    """What came when, one after the other."""
    gaps: int = 0
    viewers: dict[int, Viewer] = field(default_factory=dict)
    poll: Any = field(default_factory=select.epoll)

    def join(self, count: int, version: int) -> None:
        head = f"GET {self.path} HTTP/1.1\r\nHost: x\r\nLast-Event-ID: {version}\r\n\r\n".encode()
        for number in range(count):
            connection = socket.create_connection(("127.0.0.1", self.port))
            connection.sendall(head)
            connection.setblocking(False)
            self.viewers[connection.fileno()] = Viewer(connection, version)
            self.poll.register(connection.fileno(), select.EPOLLIN)
            if number % 50 == 0:
                self.read(0.02)
        while not all(viewer.opened for viewer in self.viewers.values()):
            self.read(0.05)

    def read(self, timeout: float) -> None:
        ready = self.poll.poll(timeout, 512)
        for fd, _event in ready:
            self._take(self.viewers[fd])

    def _take(self, viewer: Viewer) -> None:
        data = viewer.socket.recv(65536)
        if not data:
            raise ConnectionError("a stream broke off")
        now = time.monotonic()
        viewer.opened = viewer.opened or b"retry: " in data
        data = viewer.rest + data
        at = data.find(b"id: ")
        while at >= 0 and (end := data.find(b"\n", at)) >= 0:
            version = int(data[at + 4 : end].partition(b"-")[0])
            self.gaps += version != viewer.version + 1
            viewer.version = version
            self.versions.append(version)
            self.times.append(now)
            at = data.find(b"id: ", end)
        viewer.rest = data[at:] if at >= 0 else data[-3:]

    def behind(self, version: int) -> int:
        return sum(viewer.version < version for viewer in self.viewers.values())

    def leave(self) -> None:
        for viewer in self.viewers.values():
            viewer.socket.close()
        self.poll.close()


class Players:
    """Three seats that play on for ever: the host takes everything back when the match is nearly over."""

    def __init__(self, port: int) -> None:
        anonymous = Connection(port)
        made = [json.loads(anonymous.post("/api/v1/players", {"name": f"Seat {n}"})[1]) for n in range(SEATS)]
        self._seats = [Connection(port, player["token"]) for player in made]
        opened = json.loads(
            self._seats[0].post("/api/v1/matches", {"game": "blockers", "seats": SEATS, "undo": "host"})[1]
        )
        self.path = f"/api/v1/matches/{opened['match_id']}"
        for seat in self._seats[1:]:
            status, body = seat.post(f"{self.path}/seats", {})
            assert status == 201, body
        self._answer = json.loads(body)
        self._first = self.version
        self._next: tuple[Connection, str, Any] = self._chosen(0)

    @property
    def version(self) -> int:
        return int(self._answer["version"])

    def act(self) -> tuple[int, float]:
        """The next action, which was chosen before so that only its own time is counted: its version, when it was sent."""
        connection, path, body = self._next
        sent = time.monotonic()
        status, answer = connection.post(self.path + path, body)
        if status != 201:
            raise RuntimeError(f"refused: {answer!r}")
        self._answer = json.loads(answer)
        self._next = self._chosen(self.version)
        return self.version, sent

    def _chosen(self, version: int) -> tuple[Connection, str, Any]:
        if version and (version - self._first) % 30 == 0:
            return self._seats[0], "/undo", {"to": self._first}
        (seat,) = self._answer["to_move"]
        moves = json.loads(self._seats[seat].get(f"{self.path}/moves")[1])["moves"]
        return self._seats[seat], "/moves", {"move": moves[0]}


def play(port: int, pipe: Pipe) -> None:
    """A process of its own: tells the match, waits for a word, plays, tells when each version was sent."""
    players = Players(port)
    pipe.send((players.path, players.version))
    pipe.recv()
    began, sent = time.monotonic(), dict[int, float]()
    for number in range(RATE * SECONDS):
        time.sleep(max(0.0, began + number / RATE - time.monotonic()))
        version, at = players.act()
        sent[version] = at
    pipe.send(sent)


def measure(port: int, workers: list[int], count: int) -> None:
    pipe, others = multiprocessing.Pipe()
    playing = multiprocessing.Process(target=play, args=(port, others))
    playing.start()
    path, version = pipe.recv()
    audience = Audience(port, f"{path}/stream")
    audience.join(count, version)
    before, own, began = cpu_seconds(workers), time.process_time(), time.monotonic()
    pipe.send("go")
    while not pipe.poll():
        audience.read(0.05)
    sent, ended = pipe.recv(), time.monotonic()
    while audience.behind(max(sent)) and time.monotonic() < ended + PATIENCE:
        audience.read(0.05)
    used, took = cpu_seconds(workers) - before, time.monotonic() - began
    delays = sorted(at - sent[version] for version, at in zip(audience.versions, audience.times, strict=True))
    p50, p99 = delays[len(delays) // 2] * 1000, delays[len(delays) * 99 // 100] * 1000
    print(
        f"{count} viewers: {len(sent) / (ended - began):.1f} commits/s, {len(delays) / took:.0f} deliveries/s, "
        f"p50 {p50:.0f} ms, p99 {p99:.0f} ms, {used / len(delays) * 1e6:.1f} µs of server CPU each "
        f"(and {(time.process_time() - own) / len(delays) * 1e6:.1f} µs of this process); "
        f"{audience.gaps} gaps, {audience.behind(max(sent))} viewers behind"
    )
    playing.join()
    audience.leave()


def main(counts: tuple[int, ...] = VIEWERS) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedServer(Path(folder) / "valkey") as server,
        served(Path(folder), server.url) as (port, workers),
    ):
        for count in counts:
            measure(port, workers, count)


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or VIEWERS)
