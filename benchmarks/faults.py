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
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import redis

from benchmarks.house import PATIENCE, House, trouble
from benchmarks.people import AGAIN, Book, BrokenPromiseError, play
from domain.games import all_games
from projections import PROJECTIONS
from service.adapters.redis.client import connect
from service.adapters.redis.store import RedisStore
from service.integrity.audit import audit_stored
from tests.support.serving import await_port
from tests.support.views import contents, expected, read_models, stored

SECONDS = 300.0
TABLES = 6


def held_to(url: str, book: Book) -> None:
    """Raises ``BrokenPromiseError`` if the house of this database, which works again, does not stand by what it answered."""
    client = connect(url)
    store = RedisStore(client)
    for match_id, heads in book.heads.items():
        logged = {entry.version: entry.hash.hex() for entry in store.read(match_id)}
        if logged != heads:
            wrong = sorted(logged.items() ^ heads.items())[0][0]
            raise BrokenPromiseError(f"{match_id}: version {wrong} in the log is not what was acknowledged")
        for audited in audit_stored(store, all_games(), None, match_id):
            if audited is not None and not audited.ok:
                raise BrokenPromiseError(f"{match_id}: {audited.fault}")
    for watcher in book.watchers:
        wanted = max(book.heads[watcher.path.removeprefix("/matches/")])
        if not _soon(partial(watcher.has, wanted)):
            raise BrokenPromiseError(f"{watcher.path}: a viewer has had {watcher.version} of {wanted} versions")
    for name in PROJECTIONS:
        if not _soon(partial(_is_told, client, name)):
            raise BrokenPromiseError(f"the read model {name} is not what the log gives")


def _is_told(client: redis.Redis, name: str) -> bool:
    store, target = RedisStore(client), read_models(client).serving(name)
    return target is not None and stored(contents(client, target)) == expected(store, all_games(), name)


def _soon(holds: Callable[[], bool]) -> bool:
    """Whether it does before patience ends."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(AGAIN)
    return False


def run(folder: Path, seconds: float, seed: int, tables: int = TABLES) -> tuple[Book, Counter[str]]:
    """Plays under faults for so long. What was acknowledged, and what was done. Raises ``BrokenPromiseError``."""
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
            raise BrokenPromiseError("; ".join(f"{type(fault).__name__}: {fault}" for fault in book.faults[:5]))
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
        except BrokenPromiseError as fault:
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
