"""Quotas in Redis: the adapter of the port ``Quotas``. One key for each caller, which expires when its bucket is full."""

from __future__ import annotations

from typing import Any

import redis

from service.adapters.redis.client import translated_errors
from service.ports import Rate

TAKE = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local one, all = tonumber(ARGV[1]), tonumber(ARGV[2])
local full_at = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + one
local wait = full_at - now - all
if wait > 0 then return wait end
redis.call('SET', KEYS[1], string.format('%.0f', full_at), 'PX', math.ceil((full_at - now) / 1000))
return 0
"""
"""The generic cell rate algorithm, in microseconds of the server's clock, which all web processes share."""


class RedisQuotas:
    def __init__(self, client: redis.Redis) -> None:
        self._take = client.register_script(TAKE)

    def take(self, key: str, rate: Rate) -> float:
        whole = rate.seconds * 1_000_000
        with translated_errors():
            wait: Any = self._take(keys=[f"quota:{{{key}}}"], args=[max(1, whole // rate.amount), whole])
        return int(wait) / 1_000_000
