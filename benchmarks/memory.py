"""Bytes of server memory a commit, all keys included, after whole matches of each game on the embedded server."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import redis

from domain.game import AnyGame
from domain.games import all_games
from domain.hashchain import GENESIS
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from service.adapters.redis.store import RedisStore
from service.matches import ids
from tests.support.playing import Setup, played

MATCHES = 20


def stored(store: RedisStore, game: AnyGame) -> int:
    """Whole matches into the store; how many commits."""
    commits = 0
    for seed in range(MATCHES):
        playing = played(Setup(game, game.seats[seed % len(game.seats)], game.options(), seed), limit=500)
        match_id, previous = ids.match_id(game.id, str(seed)), GENESIS
        for entry in playing.entries:
            # A copy under a real match id: the sizes are what counts here, not whether the hashes fit the id.
            store.append(match_id, entry, previous, playing.seed if entry.version == 1 else None)
            previous = entry.hash
        commits += len(playing.entries)
    return commits


def used(client: redis.Redis) -> int:
    sizes: Any = [client.memory_usage(key, samples=0) for key in client.scan_iter(count=1000)]
    return sum(sizes)


def main() -> None:
    for game in all_games().values():
        with tempfile.TemporaryDirectory() as folder, EmbeddedServer(Path(folder) / "valkey", fsync="no") as server:
            client = connect(server.url)
            commits = stored(RedisStore(client), game)
            print(f"{game.id:12} {used(client) / commits:6.0f} bytes a commit ({commits} commits, all keys)")


if __name__ == "__main__":
    main()
