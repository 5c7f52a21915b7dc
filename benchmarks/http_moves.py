"""Moves per second over HTTP, beside the bare endpoint: gunicorn with two workers, the embedded server, real sockets.

Both run alternately in short rounds, so that the machine's moods hit both; the figure is the median of the rounds.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.client import Connection
from service.adapters.embedded_server.server import EmbeddedServer, free_port
from service.integrity.receipts import ensure_key

MATCHES = 6
SEATS = 3
ROUNDS = 5
SECONDS = 3.0
COLOURS = ("red", "blue", "green")
COLUMNS, ROWS = "123456789", "ABCDEFGHI"
SYMBOLS = ("triangle", "cross", "star", "clover", "circle", "diamond", "moon", "heart", "square")


@contextmanager
def gunicorn(app: str, url: str, data: Path) -> Iterator[int]:
    """The app on two workers and with the settings of production; gives the port."""
    port = free_port()
    environment = os.environ | {
        "FOLDTABLE_REDIS_URL": url,
        "FOLDTABLE_DATA": str(data),
        "FOLDTABLE_PORT": str(port),
        # All clients have one address, and play faster than people.
        "FOLDTABLE_LIMITS": "off",
    }
    command = [sys.executable, "-m", "gunicorn", "--config", "python:service.web.gunicorn_conf", app]
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    try:
        _await(port)
        yield port
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _await(port: int) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            Connection(port).close()
            time.sleep(1.0)
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("gunicorn does not start")


# -- playing ----------------------------------------------------------------------------------------------------------


class Player:
    """A seat's connection, and its rack as the last answer showed it."""

    def __init__(self, port: int, name: str) -> None:
        anonymous = Connection(port)
        made = json.loads(anonymous.post("/api/v1/players", {"name": name})[1])
        anonymous.close()
        self.connection = Connection(port, made["token"])


def play(port: int, until: Callable[[], bool]) -> int:
    """Plays matches of Blockers! one after the other; how many moves were accepted."""
    players = [Player(port, f"Player {seat}") for seat in range(SEATS)]
    moves = 0
    while not until():
        moves += _match(players, until)
    for player in players:
        player.connection.close()
    return moves


def _match(players: list[Player], until: Callable[[], bool]) -> int:
    host = players[0].connection
    match_id = json.loads(host.post("/api/v1/matches", {"game": "blockers", "seats": SEATS})[1])["match_id"]
    for player in players[1:]:
        _status, body = player.connection.post(f"/api/v1/matches/{match_id}/seats", {})
    to_move, moves, board = json.loads(body)["to_move"], 0, dict[str, str]()
    racks: list[list[str]] = [[] for _ in players]
    while to_move and not until():
        (seat,) = to_move
        connection = players[seat].connection
        move = _chosen(racks[seat], board, COLOURS[seat]) or _listed(connection, match_id)
        status, body = connection.post(f"/api/v1/matches/{match_id}/moves", {"move": move})
        if status != 201:
            raise RuntimeError(f"refused: {body!r}")
        answer = json.loads(body)
        to_move, moves = answer["to_move"], moves + 1
        board[move["at"]] = COLOURS[seat]
        racks[seat] = answer["state"]["racks"][COLOURS[seat]]["cards"]
    return moves


def _chosen(rack: list[str], board: dict[str, str], colour: str) -> dict[str, Any] | None:
    """A tile of the rack on an empty space or on a tile that can surely be taken, worked out without asking."""
    for tile in rack:
        for space in SPACES[tile]:
            if space not in board or (board[space] != colour and _loose(board, space)):
                return {"type": "place", "tile": tile, "at": space}
    return None


def _loose(board: dict[str, str], space: str) -> bool:
    """Whether at most one neighbour has the same colour: then taking the tile cannot split its group."""
    return sum(board.get(near) == board[space] for near in NEIGHBOURS[space]) <= 1


def _spaces(tile: str) -> Iterator[str]:
    for r, row in enumerate(ROWS):
        for c, column in enumerate(COLUMNS):
            if tile in ("wild", row, column, SYMBOLS[r // 3 * 3 + c // 3]):
                yield row + column


def _neighbours(space: str) -> Iterator[str]:
    row, column = ord(space[0]), int(space[1])
    for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        yield f"{chr(r)}{c}"


SPACES = {tile: tuple(_spaces(tile)) for tile in (*COLUMNS, *ROWS, *SYMBOLS, "wild")}
NEIGHBOURS = {space: tuple(_neighbours(space)) for space in SPACES["wild"]}


def _listed(connection: Connection, match_id: str) -> dict[str, Any]:
    moves = json.loads(connection.get(f"/api/v1/matches/{match_id}/moves")[1])["moves"]
    return dict(moves[0])


def ask_bare(port: int, until: Callable[[], bool]) -> int:
    """The same number of connections and requests of the same size, one after the other as the seats of a match."""
    connections = [Connection(port) for _ in range(SEATS)]
    asked = 0
    while not until():
        body = {"move": {"type": "place", "tile": "5", "at": "C5"}}
        status, _body = connections[asked % SEATS].post(f"/matches/{asked // 72}/moves", body)
        if status != 201:
            raise RuntimeError("the bare endpoint fails")
        asked += 1
    return asked


def rate(work: Callable[[int, Callable[[], bool]], int], port: int) -> float:
    """Accepted requests per second of ``MATCHES`` clients at once."""
    start = time.monotonic()
    with ThreadPoolExecutor(MATCHES) as clients:
        running = [clients.submit(work, port, lambda: time.monotonic() > start + SECONDS) for _ in range(MATCHES)]
        count = sum(client.result() for client in running)
    return count / (time.monotonic() - start)


def main() -> float:
    """Prints both rates; returns their ratio."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedServer(Path(folder) / "valkey") as server:
        data = Path(folder)
        ensure_key(data / "signing.key")
        with (
            gunicorn("service.web.app:create_app()", server.url, data) as ours,
            gunicorn("benchmarks.bare:create_app()", server.url, data) as bare,
        ):
            rounds = [(rate(play, ours), rate(ask_bare, bare)) for _ in range(ROUNDS)]
    moves = statistics.median(mine for mine, _theirs in rounds)
    requests = statistics.median(theirs for _mine, theirs in rounds)
    ratio = statistics.median(mine / theirs for mine, theirs in rounds)
    print(f"moves over HTTP           {moves:8.0f} /s   (median of {ROUNDS} rounds, {MATCHES} matches at once)")
    print(f"bare endpoint, one XADD   {requests:8.0f} /s")
    return ratio


if __name__ == "__main__":
    print(f"ratio {main():.2f}")
