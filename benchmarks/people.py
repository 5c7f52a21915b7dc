"""Who plays and who watches over HTTP, whatever becomes of the house, and what they remember of its answers."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any

from benchmarks.house import FROZEN, PATIENCE
from domain.games import all_games
from tests.support.sse import events

WATCHERS = 2
"""Of each match."""
TAKEN_BACK = 0.05
"""How often the host does not let a move stand."""
SILENCE = 20.0
"""Longer than a heartbeat takes."""
AGAIN = 0.1


class BrokenPromiseError(Exception):
    """A promise that was not kept."""


class Person:
    """Somebody with a token, who asks until there is an answer."""

    def __init__(self, port: int, name: str) -> None:
        self._port = port
        self._connection: HTTPConnection | None = None
        self._headers = {"Content-Type": "application/json"}
        self.sent_again = 0
        self._headers["Authorization"] = f"Bearer {self._enter(name)}"

    def _enter(self, name: str) -> str:
        while True:
            try:
                made = self.ask("POST", "/players", {"name": f"{name} {random.getrandbits(40)}"})
            except BrokenPromiseError as fault:
                # The request was sent again because its answer got lost, and the name is that account's.
                if "name_taken" not in str(fault):
                    raise
            else:
                return str(made["token"])

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Raises ``BrokenPromiseError`` for a refusal, for no request here deserves one, and if no answer comes."""
        raw = None if body is None else json.dumps(body)
        headers = self._headers | {"Idempotency-Key": f"{random.getrandbits(64):x}"}
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                status, answer = self._asked(method, path, raw, headers)
            except (OSError, HTTPException):
                self._connection = None
            else:
                if status < 300:
                    return json.loads(answer)
                if status not in (429, 503):
                    raise BrokenPromiseError(f"{method} {path} was answered {status}: {answer[:300]!r}")
            self.sent_again += 1
            time.sleep(AGAIN)
        raise BrokenPromiseError(f"{method} {path} was not answered for {PATIENCE:.0f} s")

    def _asked(self, method: str, path: str, raw: str | None, headers: dict[str, str]) -> tuple[int, bytes]:
        if self._connection is None:
            self._connection = HTTPConnection("127.0.0.1", self._port, timeout=FROZEN * 3)
        self._connection.request(method, f"/api/v1{path}", raw, headers)
        answer = self._connection.getresponse()
        return answer.status, answer.read()


@dataclass(slots=True)
class Watcher:
    """A viewer of a match that comes back wherever its stream broke off."""

    port: int
    path: str
    version: int
    returns: int = 0

    def has(self, version: int) -> bool:
        return self.version == version

    def watch(self, done: threading.Event) -> None:
        while not done.is_set():
            with suppress(OSError, HTTPException):
                self._follow(done)
            self.returns += 1
            time.sleep(AGAIN)

    def _follow(self, done: threading.Event) -> None:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=SILENCE)
        connection.request("GET", f"/api/v1{self.path}/stream", headers={"Last-Event-ID": str(self.version)})
        answer = connection.getresponse()
        if answer.status != 200:
            return
        for event in events(iter(lambda: answer.read1(65536), b"")):
            if event.name != "commit" or event.id != self.version + 1:
                raise BrokenPromiseError(
                    f"{self.path}: a viewer of version {self.version} was sent {event.name} {event.id}"
                )
            self.version = event.id
            if done.is_set():
                return


@dataclass(slots=True)
class Book:
    """What was answered, as those who played remember it."""

    heads: dict[str, dict[int, str]] = field(default_factory=dict)
    """By match, the hash that the receipt of each version names."""
    watchers: list[Watcher] = field(default_factory=list)
    faults: list[BaseException] = field(default_factory=list)
    sent_again: int = 0

    def note(self, answer: Any) -> Any:
        receipt = answer["receipt"]
        self.heads.setdefault(receipt["match"], {})[receipt["version"]] = receipt["head"]
        return answer

    @property
    def actions(self) -> int:
        return sum(map(len, self.heads.values()))

    @contextmanager
    def noting_faults(self) -> Iterator[None]:
        try:
            yield
        except BaseException as fault:
            self.faults.append(fault)


def play(port: int, number: int, book: Book, playing: threading.Event, watching: threading.Event) -> None:
    """One match after another, of all games, until there is enough."""
    dice, games = random.Random(number), all_games()
    with book.noting_faults():
        seats = [Person(port, f"Seat {seat}") for seat in range(2)]
        while playing.is_set():
            game = dice.choice(sorted(games))
            opened = book.note(seats[0].ask("POST", "/matches", {"game": game, "seats": 2, "undo": "host"}))
            path = f"/matches/{opened['match_id']}"
            for _ in range(WATCHERS):
                book.watchers.append(Watcher(port, path, 0))
                threading.Thread(target=watch, args=(book, book.watchers[-1], watching), daemon=True).start()
            answer = book.note(seats[1].ask("POST", f"{path}/seats", {}))
            while playing.is_set() and answer["status"] == "live":
                answer = book.note(act(seats, path, answer, dice))
        book.sent_again += sum(person.sent_again for person in seats)


def watch(book: Book, watcher: Watcher, watching: threading.Event) -> None:
    with book.noting_faults():
        watcher.watch(watching)


def act(seats: list[Person], path: str, answer: Any, dice: random.Random) -> Any:
    """A move; now and then the host takes something back."""
    moved = answer["events"][0]["type"] not in ("joined", "rewound")
    if moved and dice.random() < TAKEN_BACK:
        return seats[0].ask("POST", f"{path}/undo", {"to": answer["version"] - 1})
    seat = seats[answer["to_move"][0]]
    moves = seat.ask("GET", f"{path}/moves")["moves"]
    return seat.ask("POST", f"{path}/moves", {"move": dice.choice(moves)})
