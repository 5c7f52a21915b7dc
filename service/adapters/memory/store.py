"""The log in memory, for tests and tools. Behaves as ``adapters.redis.store`` does; everything is lost with the process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence

from domain.hashchain import GENESIS, HASH_BYTES
from domain.protocol import PROTOCOL
from domain.store import (
    SHARDS,
    Appended,
    ArchivedError,
    Changed,
    Conflict,
    Entry,
    QuarantinedError,
    Seal,
    Sealing,
    Stored,
    Unsealed,
    is_sharded,
    shard_of,
)

SEED_BYTES = 32


def microseconds() -> int:
    """Returns microseconds since the epoch."""
    return time.time_ns() // 1000


class MemoryStore:
    """A ``Store`` made of dictionaries. ``now`` returns microseconds; ``archives`` holds the pointers of archived matches."""

    def __init__(self, now: Callable[[], int] = microseconds) -> None:
        self.archives: dict[str, str] = {}
        self._now = now
        self._lock = threading.Lock()
        self._logs: dict[str, list[Entry]] = {}
        self._seeds: dict[str, bytes] = {}
        self._changes: list[dict[str, int]] = [{} for _ in range(SHARDS)]
        self._tops = [0] * SHARDS
        self._protocol: int | None = None
        self._seals: dict[str, Seal] = {}
        self._quarantined: dict[str, bytes] = {}
        self._sealed_since: int | None = None
        self._sealers = frozenset[str]()

    def append(
        self,
        match_id: str,
        entry: Entry,
        previous: bytes,
        seed: bytes | None = None,
        sealing: Sealing | None = None,
    ) -> Appended | Conflict | Unsealed:
        shard = shard_of(match_id)
        _check(entry, previous, seed)
        with self._lock:
            if match_id in self.archives:
                raise ArchivedError(match_id)
            if match_id in self._quarantined:
                raise QuarantinedError(match_id)
            log = self._logs.get(match_id, [])
            if (len(log), log[-1].hash if log else GENESIS) != (entry.version - 1, previous):
                missing = tuple(log[entry.version - 1 :])
                return Appended() if entry in missing[:1] else Conflict(missing)
            seal = self._seals.get(match_id, Seal())
            if sealing is not None and log and seal.mac != sealing.before:
                return Unsealed(seal)
            self._write(shard, match_id, entry, seed)
            if sealing is not None:
                self._seals[match_id] = sealing.seal
        return Appended()

    def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        shard_of(match_id)
        with self._lock:
            tail = self._logs.get(match_id, [])[after:]
        return tuple(tail[:limit])

    def read_each(self, after: Mapping[str, int], limit: int) -> Mapping[str, Sequence[Entry]]:
        return {
            match_id: self.read(match_id, version, limit) for match_id, version in after.items() if is_sharded(match_id)
        }

    def seed(self, match_id: str) -> bytes | None:
        shard_of(match_id)
        return self._seeds.get(match_id)

    def whole(self, match_id: str, after: int = 0) -> Stored:
        shard_of(match_id)
        with self._lock:
            seal = self._seals.get(match_id, Seal())
            reason = self._quarantined.get(match_id)
            return Stored(tuple(self._logs.get(match_id, [])[after:]), self._seeds.get(match_id), seal, reason)

    def seal(self, match_id: str, head: bytes, seal: Seal) -> bool:
        with self._lock:
            log = self._logs.get(match_id)
            if not log or log[-1].hash != head:
                return False
            self._seals[match_id] = seal
        return True

    def changes(self, shard: int, since: int = 0, limit: int | None = None) -> Sequence[Changed]:
        with self._lock:
            rows = [Changed(match_id, at) for match_id, at in self._changes[shard].items() if at > since]
        return tuple(sorted(rows, key=lambda row: row.at)[:limit])

    def newest(self, limit: int) -> Sequence[Changed]:
        with self._lock:
            rows = [Changed(match_id, at) for shard in self._changes for match_id, at in shard.items()]
        return tuple(sorted(rows, key=lambda row: -row.at)[:limit])

    def protocol(self) -> int:
        with self._lock:
            if self._protocol is None:
                self._protocol = 1 if self._logs else PROTOCOL
            return self._protocol

    def raise_protocol(self, protocol: int) -> None:
        present = self.protocol()
        with self._lock:
            self._protocol = max(present, protocol)

    def quarantine(self, match_id: str, reason: bytes) -> bool:
        shard_of(match_id)
        return self._quarantined.setdefault(match_id, reason) is reason

    def release(self, match_id: str) -> bool:
        return self._quarantined.pop(match_id, None) is not None

    def quarantined(self) -> Mapping[str, bytes]:
        return dict(self._quarantined)

    def sealed_since(self) -> int | None:
        return self._sealed_since

    def note_sealed(self, at: int) -> None:
        self._sealed_since = at

    def sealers(self) -> frozenset[str]:
        return self._sealers

    def set_sealers(self, key_ids: Collection[str]) -> None:
        self._sealers = frozenset(key_ids)

    def _write(self, shard: int, match_id: str, entry: Entry, seed: bytes | None) -> None:
        self._logs.setdefault(match_id, []).append(entry)
        if seed is not None:
            self._seeds[match_id] = seed
        self._tops[shard] = max(self._now(), self._tops[shard] + 1)
        self._changes[shard][match_id] = self._tops[shard]


def _check(entry: Entry, previous: bytes, seed: bytes | None) -> None:
    """Raises ``ValueError`` for what ``append.lua`` calls malformed."""
    if type(entry.version) is not int or not 1 <= entry.version < 10**15:
        raise ValueError("a version is a whole number from 1")
    if len(previous) != HASH_BYTES or len(entry.hash) != HASH_BYTES:
        raise ValueError("a hash is 32 bytes")
    if not entry.public:
        raise ValueError("the public part is empty")
    if entry.version == 1 and (seed is None or len(seed) != SEED_BYTES):
        raise ValueError("version 1 needs a seed of 32 bytes")
    if entry.version != 1 and seed:
        raise ValueError("a seed goes with version 1 only")
