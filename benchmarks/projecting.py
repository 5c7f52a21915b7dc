"""How fast a read model is made anew from the log, beside merely reading and unpacking the same log.

Both run alternately over generated matches on the embedded server; the figure is the best of some rounds, and the ratio that
of the two bests. ``python -m benchmarks.projecting 14000`` does a million commits.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgpack

from domain.games import all_games
from domain.hashchain import GENESIS, link
from domain.store import SHARDS
from projections import PROJECTIONS, REVISIONS
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from service.adapters.redis.readmodels import RedisReadModels
from service.adapters.redis.store import RedisStore, stream_key
from service.ports.readmodels import ReadModels
from service.readmodels.projector import Projector, tune_garbage_collection
from service.readmodels.ratings import settle
from tests.support.playing import Playing, Setup, played

MATCHES = 600
DIFFERENT = 20
ROUNDS = 3
MANY = 2000
"""From so many matches on one round tells enough."""


def filled(store: RedisStore, matches: int) -> int:
    """Writes so many matches of Blockers!, of which few are different; how many commits."""
    game = all_games()["blockers"]
    playings = [played(Setup(game, 3, game.options(), seed, undo="consent")) for seed in range(min(matches, DIFFERENT))]
    return sum(_written(store, playings[number % len(playings)], number) for number in range(matches))


def _written(store: RedisStore, playing: Playing, number: int) -> int:
    """The playing under an id of its own, chained anew. Its commitments are of another one, which nobody here looks at."""
    match_id, previous = f"{number % SHARDS:02x}{number:014d}", GENESIS
    for entry in playing.entries:
        chained = replace(entry, hash=link(match_id, entry.version, previous, entry.public))
        store.append(match_id, chained, previous, playing.seed if entry.version == 1 else None)
        previous = chained.hash
    return len(playing.entries)


def bare(store: RedisStore, url: str) -> None:
    """XRANGE of every match and msgpack of every part: nothing less could read the log."""
    client = connect(url)
    for shard in range(SHARDS):
        for changed in store.changes(shard):
            entries: Any = client.xrange(stream_key(changed.match_id))
            for _name, fields in entries:
                for part in (fields[b"p"], fields[b"s"]):
                    if part:
                        msgpack.unpackb(part)


def project(store: RedisStore, views: ReadModels, names: Sequence[str]) -> None:
    """New generations of these read models, which are deleted again."""
    lease = views.claim("bench", 60_000)
    assert lease is not None
    targets = [views.next_generation(name) for name in names]
    projector = Projector(store, views, all_games(), lease)
    projector.set_targets(targets)
    projector.catch_up()
    for target in targets:
        assert not views.parked(target), f"{target} could not fold everything"
        settle(views, target, lease)
    views.release(lease)


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main(matches: int = MATCHES) -> None:
    tune_garbage_collection()
    with tempfile.TemporaryDirectory() as folder, EmbeddedServer(Path(folder) / "valkey", fsync="everysec") as server:
        client = connect(server.url)
        store, views = RedisStore(client), RedisReadModels(client, REVISIONS)
        commits = filled(store, matches)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        reading = timed(lambda: bare(store, server.url))
        print(
            f"XRANGE and msgpack alone  {commits / reading:8.0f} commits/s   ({commits} commits of {matches} matches)"
        )
        for names in (("lobby",), tuple(PROJECTIONS)):
            rounds = [
                (timed(lambda: bare(store, server.url)), timed(partial(project, store, views, names)))
                for _ in range(1 if matches > MANY else ROUNDS)
            ]
            least, mine = min(one for one, _other in rounds), min(other for _one, other in rounds)
            shown = names[0] if len(names) == 1 else f"all {len(names)} read models"
            print(f"{shown:24}  {commits / mine:8.0f} commits/s   ratio {least / mine:.2f}")
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
        print(f"memory grew by {grown / 1024:.0f} MB at most")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
