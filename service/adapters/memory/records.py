"""Imported records in memory."""

from __future__ import annotations

import threading

from service.ports import Imported


class MemoryRecords:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._records: dict[str, Imported] = {}

    def put(self, record: Imported) -> Imported:
        with self._lock:
            return self._records.setdefault(record.id, record)

    def get(self, record_id: str) -> Imported | None:
        return self._records.get(record_id)
