"""Imported records in Redis, of matches played here or elsewhere: the adapter of the port ``Records``.

One hash a record, ``record:{<id>}``: its canonical bytes, when it was imported (ms), and the player who imported it. Records
are kept apart from the logs, so that no query, rating or statistic counts them.
"""

from __future__ import annotations

from typing import Any

import redis

from service.adapters.redis.client import translated_errors
from service.ports import Imported

PUT = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'raw', ARGV[1], 'at', ARGV[2], 'by', ARGV[3])
return 1
"""


class RedisRecords:
    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._put = client.register_script(PUT)

    def put(self, record: Imported) -> Imported:
        with translated_errors():
            made = self._put(keys=[_key(record.id)], args=[record.raw, record.at, record.by])
        return record if made else self.get(record.id) or record

    def get(self, record_id: str) -> Imported | None:
        with translated_errors():
            row: Any = self._client.hmget(_key(record_id), ("raw", "at", "by"))
        return None if row[0] is None else Imported(record_id, row[0], int(row[1]), row[2].decode())


def _key(record_id: str) -> str:
    return f"record:{{{record_id}}}"
