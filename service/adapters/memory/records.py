"""Imported records in memory."""

from __future__ import annotations

import threading
from dataclasses import replace

from service.ports import Imported, ImportFacts


class MemoryRecords:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._records: dict[str, Imported] = {}

    def put(self, record: Imported, most: int) -> bool:
        with self._lock:
            if record.id in self._records:
                return True
            kept = sum(len(each.raw) for each in self._records.values() if each.facts.by == record.facts.by)
            if kept + len(record.raw) > most:
                return False
            self._records[record.id] = record
            return True

    def replace(self, record: Imported) -> None:
        with self._lock:
            kept = self._records[record.id]
            self._records[record.id] = replace(record, facts=replace(kept.facts, key=record.facts.key))

    def get(self, record_id: str) -> Imported | None:
        return self._records.get(record_id)

    def facts(self, record_id: str) -> ImportFacts | None:
        found = self._records.get(record_id)
        return None if found is None else found.facts
