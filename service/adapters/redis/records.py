"""Imported records in Redis, of matches played here or elsewhere: the adapter of the port ``Records``.

One hash a record, ``record:{<id>}``: its canonical bytes, when it was imported (ms), the player who imported it, and the
public key that signed it. One hash a player, ``records-of:{<player>}``: the bytes of each record that the player imported,
and their sum under an empty name. Records are kept apart from the logs, so that no query, rating or statistic counts them.
"""

from __future__ import annotations

from typing import Any

import redis

from service.adapters.redis.client import translated_errors
from service.ports import Imported, ImportFacts

# The record and the sum of its owner may lie on different nodes of a cluster, so no script writes both. The bytes are
# counted first: a process that dies in between leaves a count too high, which the same import sets right, and never too low.
COUNT = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 1 end
local sum = tonumber(redis.call('HGET', KEYS[1], '') or '0')
if sum + tonumber(ARGV[2]) > tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2], '', string.format('%.0f', sum + tonumber(ARGV[2])))
return 1
"""
UNCOUNT = """
local size = redis.call('HGET', KEYS[1], ARGV[1])
if size then redis.call('HINCRBY', KEYS[1], '', -tonumber(size)) redis.call('HDEL', KEYS[1], ARGV[1]) end
return 1
"""
PUT = """
if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('HGET', KEYS[1], 'by') == ARGV[3] and 1 or 0 end
redis.call('HSET', KEYS[1], 'raw', ARGV[1], 'at', ARGV[2], 'by', ARGV[3], 'key', ARGV[4])
return 1
"""


class RedisRecords:
    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._count = client.register_script(COUNT)
        self._uncount = client.register_script(UNCOUNT)
        self._put = client.register_script(PUT)

    def put(self, record: Imported, most: int) -> bool:
        facts = record.facts
        owner = f"records-of:{{{facts.by}}}"
        with translated_errors():
            if self._client.exists(_key(record.id)):
                return True
            if not self._count(keys=[owner], args=[record.id, len(record.raw), most]):
                return False
            own = self._put(keys=[_key(record.id)], args=[record.raw, facts.at, facts.by, facts.key])
            if not own:
                self._uncount(keys=[owner], args=[record.id])
        return True

    def replace(self, record: Imported) -> None:
        with translated_errors():
            self._client.hset(_key(record.id), mapping={"raw": record.raw, "key": record.facts.key})

    def get(self, record_id: str) -> Imported | None:
        with translated_errors():
            row: Any = self._client.hmget(_key(record_id), ("raw", "at", "by", "key"))
        return None if row[0] is None else Imported(record_id, row[0], _facts(row[1:]))

    def facts(self, record_id: str) -> ImportFacts | None:
        with translated_errors():
            row: Any = self._client.hmget(_key(record_id), ("at", "by", "key"))
        return None if row[0] is None else _facts(row)


def _facts(row: list[Any]) -> ImportFacts:
    at, by, key = row
    return ImportFacts(int(at), by.decode(), "" if key is None else key.decode())


def _key(record_id: str) -> str:
    return f"record:{{{record_id}}}"
