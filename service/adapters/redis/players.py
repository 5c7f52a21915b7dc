"""Players in Redis: the adapter of the ports ``Players`` and ``DeletedAccounts``.

One hash a player, ``player:{<id>}``, with name, at, token_id and token_hash. A deletion keeps ``at``, so that the id is not
issued again and old matches show a seat without a name. It is noted for ``DeletedAccounts``, too.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any

import redis

from service.adapters.redis.client import translated_errors
from service.adapters.redis.notifications import DELETIONS_CHANNEL
from service.ports import Player

CREATE = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'name', ARGV[1], 'at', ARGV[2], 'token_id', ARGV[3], 'token_hash', ARGV[4])
return 1
"""
IN_AOF, MAY_HOLD_SEATS = "{players}:left", "{players}:leaving"
"""Deleted player → when (ms): those whose name may stand in the append-only file, and those who may still hold seats."""
FIELDS = ("name", "at", "token_id", "token_hash")


class RedisPlayers:
    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._create = client.register_script(CREATE)

    def create(self, player_id: str, name: str, token_id: str, token_hash: bytes, at: int) -> Player:
        with translated_errors():
            made = self._create(keys=[_key(player_id)], args=[name, at, token_id, token_hash])
        if not made:
            raise ValueError("this player id is taken")
        return Player(player_id, name, at, token_id, token_hash)

    def get(self, player_id: str) -> Player | None:
        with translated_errors():
            row: Any = self._client.hmget(_key(player_id), FIELDS)
        if row[0] is None:
            return None
        name, at, token_id, token_hash = row
        return Player(player_id, name.decode(), int(at), token_id.decode(), token_hash)

    def names(self, ids: Collection[str]) -> dict[str, str]:
        with translated_errors(), self._client.pipeline(transaction=False) as pipe:
            for player_id in ids:
                pipe.hget(_key(player_id), "name")
            found: list[bytes | None] = pipe.execute()
        pairs = zip(ids, found, strict=True)
        return {player_id: name.decode() for player_id, name in pairs if name is not None}

    def was_issued(self, player_id: str) -> bool:
        with translated_errors():
            return bool(self._client.exists(_key(player_id)))

    def forget(self, player_id: str) -> bool:
        with translated_errors():
            # Noted before the deletion, so that a crash at any point leaves a note; and again after it, so that the time noted is
            # not earlier than the deletion, however long that took.
            self._note_deletion(player_id)
            there = bool(self._client.hdel(_key(player_id), "name", "token_id", "token_hash"))
            self._note_deletion(player_id)
            self._client.publish(DELETIONS_CHANNEL, player_id)
        return there

    # -- the port DeletedAccounts

    def newest_in_aof(self) -> int | None:
        with translated_errors():
            newest: Any = self._client.zrange(IN_AOF, -1, -1, withscores=True)
        return int(newest[0][1]) if newest else None

    def note_rewritten(self, until: int) -> None:
        with translated_errors():
            self._client.zremrangebyscore(IN_AOF, "-inf", until)

    def awaiting_release(self, until: int) -> list[tuple[str, int]]:
        with translated_errors():
            found: Any = self._client.zrangebyscore(MAY_HOLD_SEATS, "-inf", until, withscores=True)
        return [(player.decode(), int(when)) for player, when in found]

    def note_released(self, player_id: str) -> None:
        with translated_errors():
            self._client.zrem(MAY_HOLD_SEATS, player_id)

    def _note_deletion(self, player_id: str) -> None:
        for key in (IN_AOF, MAY_HOLD_SEATS):
            self._client.zadd(key, {player_id: time.time_ns() // 1_000_000})


def _key(player_id: str) -> str:
    return f"player:{{{player_id}}}"
