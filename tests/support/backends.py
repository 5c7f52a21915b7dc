"""The places a log can be kept in, each with what the tests must do to it behind its back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import redis

from domain.store import Store
from service.adapters.memory.players import MemoryPlayers
from service.adapters.memory.store import MemoryStore
from service.adapters.redis.players import RedisPlayers
from service.adapters.redis.store import RedisStore, meta_key, stream_key
from service.adapters.system import SystemClock
from service.ports.players import Players


@dataclass(frozen=True, slots=True)
class Backend:
    store: Store
    players: Players
    archive: Callable[[str], None]
    """Moves a match's log away, as archiving will."""
    advance_index: Callable[[str, int], None]
    """Gives a match a change time (microseconds), as if the clock had once stood there."""
    dump: Callable[[], object]
    """Everything that is kept, for comparison."""
    client: redis.Redis | None = None
    """``None`` in memory."""


def in_memory() -> Backend:
    clock = [0]
    store = MemoryStore(now=lambda: clock[0])

    def archive(match_id: str) -> None:
        store.archives[match_id] = "somewhere"

    def advance_index(match_id: str, at: int) -> None:
        shard = int(match_id[:2], 16)
        store._changes[shard][match_id] = store._tops[shard] = at

    def dump() -> object:
        return ({key: tuple(log) for key, log in store._logs.items()}, dict(store._seeds), [*map(dict, store._changes)])

    return Backend(store, MemoryPlayers(), archive, advance_index, dump)


def on_server(client: redis.Redis) -> Backend:
    def archive(match_id: str) -> None:
        client.hset(meta_key(match_id), "archive", "somewhere")
        client.delete(stream_key(match_id))

    def advance_index(match_id: str, at: int) -> None:
        client.zadd(f"{{s{match_id[:2]}}}:matches", {match_id: at})

    def dump() -> object:
        return {key: contents(client, key) for key in cast(list[bytes], client.keys())}

    return Backend(RedisStore(client), RedisPlayers(client, SystemClock()), archive, advance_index, dump, client)


def contents(client: redis.Redis, key: bytes) -> Any:
    readers: dict[bytes, Callable[[], Any]] = {
        b"stream": lambda: client.xrange(key),
        b"string": lambda: client.get(key),
        b"hash": lambda: client.hgetall(key),
        b"zset": lambda: client.zrange(key, 0, -1, withscores=True),
    }
    return readers[cast(bytes, client.type(key))]()
