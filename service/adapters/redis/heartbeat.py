"""The worker's heartbeat in Redis: the adapter of the port ``Heartbeat``."""

from __future__ import annotations

from typing import Any

import redis

from service.adapters.redis.client import translated_errors

KEY = "foldtable:heartbeat"


class RedisHeartbeat:
    def __init__(self, client: redis.Redis) -> None:
        self._client = client

    def last(self) -> int | None:
        with translated_errors():
            found: Any = self._client.get(KEY)
        return int(found) if found is not None and bytes(found).isdigit() else None

    def beat(self, now: int) -> None:
        with translated_errors():
            self._client.set(KEY, now)
