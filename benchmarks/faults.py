"""People play and watch over HTTP while processes are killed and frozen; then the house is held to what it has promised.

``python -m benchmarks.faults [seconds]`` runs the product as ``foldtable serve`` does, with a supervisor that starts it again
when it has ended. Every few seconds something is done to one of its processes. Who plays sends every action under an
``Idempotency-Key`` until it is answered; who watches comes back and says how far it was. In the end

* every action that was acknowledged stands in the log, with the hash of its receipt, once, and nothing else does,
* every viewer has had every version, in order,
* the whole log holds, every decision made again,
* every read model is what a fold from the first entry gives.

The faults follow from ``--seed``, their exact moments do not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from domain.games import all_games
from projections import PROJECTIONS
from service.adapters.embedded import free_port
from service.adapters.redis_store import RedisStore, connect
from service.adapters.redis_views import RedisViews
from service.serving import ROOT
from service.verdicts import audit_stored
from tests.support.serving import await_port, children
from tests.support.sse import events
from tests.support.views import expected, stored

SECONDS = 300.0
BETWEEN = 4.0
"""Seconds between two faults, about."""
TABLES = 6
WATCHERS = 2
"""Of each match."""
PATIENCE = 40.0
"""Seconds after which something that should come back has not."""
FROZEN = 2.0
TAKEN_BACK = 0.05
"""How often the host does not let a move stand."""
SILENCE = 20.0
"""Longer than a heartbeat takes."""
AGAIN = 0.1


class Broken(Exception):
    """A promise that was not kept."""


# -- the house --------------------------------------------------------------------------------------------------------


class House:
    """``foldtable serve`` on a folder, started again whenever it has ended."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._folder = folder
        self._stopping = False
        self._process = self._started()
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self._keeper.start()

    @property
    def url(self) -> str:
        """Of its database."""
        return str(self._recorded()["url"])

    def _started(self) -> subprocess.Popen[bytes]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
        places = {
            "FOLDTABLE_DATA": str(self._folder / "data"),
            "FOLDTABLE_PORT": str(self.port),
            "PYTHONPATH": str(ROOT),
        }
        with (self._folder / "output").open("ab") as output:
            command = [sys.executable, "-m", "service.cli", "serve"]
            return subprocess.Popen(command, env=kept | places, stdout=output, stderr=output, cwd=self._folder)

    def _keep(self) -> None:
        while not self._stopping:
            self._process.wait()
            if not self._stopping:
                self._process = self._started()

    def stop(self) -> None:
        self._stopping = True
        self._process.terminate()
        self._process.wait(PATIENCE)

    def _recorded(self) -> Any:
        return json.loads((self._folder / "data/store/server.json").read_text())

    def supervisor(self) -> int:
        return self._process.pid

    def database(self) -> int:
        return int(self._recorded()["pid"])

    def web(self, dice: random.Random) -> int:
        """One of the web processes."""
        return dice.choice(children(self._named("gunicorn")))

    def worker(self) -> int:
        return self._named("service.worker")

    def _named(self, what: str) -> int:
        """The process of the Procfile that runs this; between it and the supervisor there is one that passes on output."""
        for relay in children(self._process.pid):
            for pid in children(relay):
                if what in _command(pid):
                    return pid
        raise LookupError(what)


def _command(pid: int) -> str:
    return subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout


# -- what is done to it -----------------------------------------------------------------------------------------------


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def freeze(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)
    time.sleep(FROZEN)
    os.kill(pid, signal.SIGCONT)


FAULTS: dict[str, Callable[[House, random.Random], None]] = {
    "a web process is killed": lambda house, dice: kill(house.web(dice)),
    "a web process is frozen": lambda house, dice: freeze(house.web(dice)),
    "the database is killed": lambda house, dice: kill(house.database()),
    "the database is frozen": lambda house, dice: freeze(house.database()),
    "the worker is killed": lambda house, dice: kill(house.worker()),
    "the worker is frozen": lambda house, dice: freeze(house.worker()),
    "the supervisor is killed": lambda house, dice: kill(house.supervisor()),
    "the house is told to stop": lambda house, dice: os.kill(house.supervisor(), signal.SIGTERM),
}


def trouble(house: House, seconds: float, dice: random.Random) -> Counter[str]:
    """Does one thing after another, each as often as the others, for so long; how often each."""
    end, done, waiting = time.monotonic() + seconds, Counter[str](), list[str]()
    while time.monotonic() < end:
        waiting = waiting or dice.sample(sorted(FAULTS), len(FAULTS))
        name = waiting.pop()
        # Something that has just ended cannot be harmed; that is no reason to stop.
        with suppress(OSError, LookupError, IndexError, ValueError, KeyError):
            FAULTS[name](house, dice)
            done[name] += 1
        time.sleep(dice.uniform(0.5, 1.5) * BETWEEN)
    return done


# -- who plays and who watches ----------------------------------------------------------------------------------------


class Person:
    """Somebody with a token, who asks until there is an answer."""

    def __init__(self, port: int, name: str) -> None:
        self._port = port
        self._connection: HTTPConnection | None = None
        self._headers = {"Content-Type": "application/json"}
        self.sent_again = 0
        self._headers["Authorization"] = f"Bearer {self.ask('POST', '/players', {'name': name})['token']}"

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Raises ``Broken`` for a refusal, which nothing that is asked here deserves, and if no answer comes for long."""
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
                    raise Broken(f"{method} {path} was answered {status}: {answer[:300]!r}")
            self.sent_again += 1
            time.sleep(AGAIN)
        raise Broken(f"{method} {path} was not answered for {PATIENCE:.0f} s")

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
                raise Broken(f"{self.path}: a viewer of version {self.version} was sent {event.name} {event.id}")
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


# -- what must hold ---------------------------------------------------------------------------------------------------


def held_to(url: str, book: Book) -> None:
    """Raises ``Broken`` if the house of this database, which works again, does not stand by what it answered."""
    client = connect(url)
    store, views = RedisStore(client), RedisViews(client)
    for match_id, heads in book.heads.items():
        logged = {entry.version: entry.hash.hex() for entry in store.read(match_id)}
        if logged != heads:
            wrong = sorted(logged.items() ^ heads.items())[0][0]
            raise Broken(f"{match_id}: version {wrong} in the log is not what was acknowledged")
        for fault in audit_stored(store, all_games(), match_id):
            if fault is not None:
                raise Broken(f"{match_id}: {fault}")
    for watcher in book.watchers:
        wanted = max(book.heads[watcher.path.removeprefix("/matches/")])
        if not _soon(partial(watcher.has, wanted)):
            raise Broken(f"{watcher.path}: a viewer has had {watcher.version} of {wanted} versions")
    for name in PROJECTIONS:
        if not _soon(partial(_is_told, store, views, name)):
            raise Broken(f"the read model {name} is not what the log gives")


def _is_told(store: RedisStore, views: RedisViews, name: str) -> bool:
    target = views.serving(name)
    return target is not None and stored(views.contents(target)) == expected(store, all_games(), name)


def _soon(holds: Callable[[], bool]) -> bool:
    """Whether it does before patience ends."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(AGAIN)
    return False


def run(folder: Path, seconds: float, seed: int, tables: int = TABLES) -> tuple[Book, Counter[str]]:
    """Plays under faults for so long. What was acknowledged, and what was done. Raises ``Broken``."""
    house, book = House(folder), Book()
    playing, watching = threading.Event(), threading.Event()
    try:
        await_port(house.port)
        playing.set()
        players = [
            threading.Thread(target=play, args=(house.port, number, book, playing, watching), daemon=True)
            for number in range(tables)
        ]
        for player in players:
            player.start()
        done = trouble(house, seconds, random.Random(seed))
        playing.clear()
        for player in players:
            player.join(2 * PATIENCE)
        if book.faults:
            raise Broken("; ".join(f"{type(fault).__name__}: {fault}" for fault in book.faults[:5]))
        held_to(house.url, book)
        return book, done
    finally:
        watching.set()
        house.stop()


def main() -> int:
    reader = argparse.ArgumentParser(prog="python -m benchmarks.faults", description="Plays while things break.")
    reader.add_argument("seconds", nargs="?", type=float, default=SECONDS)
    reader.add_argument("--seed", type=int, default=random.randrange(1000))
    asked = reader.parse_args()
    print(f"seed {asked.seed}, {asked.seconds:.0f} s", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        try:
            book, done = run(Path(folder), asked.seconds, asked.seed)
        except Broken as fault:
            log = Path(tempfile.gettempdir()) / f"foldtable-faults-{asked.seed}.log"
            log.write_text((Path(folder) / "output").read_text())
            print(f"BROKEN: {fault}\nWhat the house said is in {log}.")
            return 1
    for name, count in sorted(done.items()):
        print(f"  {count:3} × {name}")
    print(
        f"{book.actions} actions of {len(book.heads)} matches were acknowledged, after {book.sent_again} times of asking again; "
        f"all stand in the log once, the log holds, {len(book.watchers)} viewers came back "
        f"{sum(watcher.returns for watcher in book.watchers)} times and missed nothing, the read models are right."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
