"""Who plays: the adapter in Redis of the ports ``Players`` and ``DeletedAccounts``.

One hash a player, ``player:{<id>}``, with name, at, token_id and token_hash. Forgetting leaves ``at`` alone, so that the id
is not given away again and old matches show a seat without a name. It is noted for ``DeletedAccounts``, too.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any

import redis

from service.adapters.redis.client import answering
from service.adapters.redis.notifications import PLAYERS_WAKE
from service.ports import Player

CREATE = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'name', ARGV[1], 'at', ARGV[2], 'token_id', ARGV[3], 'token_hash', ARGV[4])
return 1
"""
LEFT, LEAVING = "{players}:left", "{players}:leaving"
"""Player → when (ms), of those who have left lately: whose name may stand in a file, who may sit somewhere."""
FIELDS = ("name", "at", "token_id", "token_hash")


class RedisPlayers:
    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._create = client.register_script(CREATE)

    def create(self, player_id: str, name: str, token_id: str, token_hash: bytes, at: int) -> Player:
        with answering():
            made = self._create(keys=[_key(player_id)], args=[name, at, token_id, token_hash])
        if not made:
            raise ValueError("this player id is taken")
        return Player(player_id, name, at, token_id, token_hash)

    def get(self, player_id: str) -> Player | None:
        with answering():
            row: Any = self._client.hmget(_key(player_id), FIELDS)
        if row[0] is None:
            return None
        name, at, token_id, token_hash = row
        return Player(player_id, name.decode(), int(at), token_id.decode(), token_hash)

    def names(self, ids: Collection[str]) -> dict[str, str]:
        with answering(), self._client.pipeline(transaction=False) as pipe:
            for player_id in ids:
                pipe.hget(_key(player_id), "name")
            found: list[bytes | None] = pipe.execute()
        pairs = zip(ids, found, strict=True)
        return {player_id: name.decode() for player_id, name in pairs if name is not None}

    def was_here(self, player_id: str) -> bool:
        with answering():
            return bool(self._client.exists(_key(player_id)))

    def forget(self, player_id: str) -> bool:
        with answering():
            # Noted first, so that who is forgotten is noted wherever this is cut off; and once more, for that may take time.
            self._note_leaving(player_id)
            there = bool(self._client.hdel(_key(player_id), "name", "token_id", "token_hash"))
            self._note_leaving(player_id)
            self._client.publish(PLAYERS_WAKE, player_id)
        return there

    # -- the port DeletedAccounts

    def newest_in_file(self) -> int | None:
        with answering():
            newest: Any = self._client.zrange(LEFT, -1, -1, withscores=True)
        return int(newest[0][1]) if newest else None

    def not_in_file(self, until: int) -> None:
        with answering():
            self._client.zremrangebyscore(LEFT, "-inf", until)

    def seated(self, until: int) -> list[tuple[str, int]]:
        with answering():
            found: Any = self._client.zrangebyscore(LEAVING, "-inf", until, withscores=True)
        return [(player.decode(), int(when)) for player, when in found]

    def not_seated(self, player_id: str) -> None:
        with answering():
            self._client.zrem(LEAVING, player_id)

    def _note_leaving(self, player_id: str) -> None:
        for key in (LEFT, LEAVING):
            self._client.zadd(key, {player_id: time.time_ns() // 1_000_000})


def _key(player_id: str) -> str:
    return f"player:{{{player_id}}}"
