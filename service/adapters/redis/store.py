"""The log on a Valkey or Redis server: one stream per match, one change index per shard, one script that appends.

Keys of a shard share the hash tag ``{s<shard>}``, the first two hexadecimal characters of a match id:
``{s0a}:m:<id>`` stream, ``{s0a}:meta:<id>`` hash (``seed``, ``archive``, ``signed``, ``mac``), ``{s0a}:matches`` change
index, ``{s0a}:quarantined`` hash of the matches that take no entries.
After each append the match id is published on the shard's channel (see ``notifications``); that is a hint, the truth is the
stream.

A usual append is one command. After a lost connection it is sent once more, which is safe because append is idempotent: an
identical entry that is in the log already counts as appended, and any other entry of that version is a conflict.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

import redis
from redis.exceptions import NoScriptError

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
    UnavailableError,
    Unsealed,
    is_sharded,
    shard_of,
)
from service.adapters.redis.client import translated_errors

log = logging.getLogger(__name__)

SCRIPT = files(__package__).joinpath("append.lua").read_text(encoding="utf-8")
SCRIPT_SHA = hashlib.sha1(SCRIPT.encode(), usedforsecurity=False).hexdigest()

REPLICA_MS = 2000

SEAL = files(__package__).joinpath("seal.lua").read_text(encoding="utf-8")

PROTOCOL_KEY = "foldtable:protocol"
SEALED_KEY = "foldtable:sealed"
SEALERS_KEY = "foldtable:sealers"
UNSEALED = Sealing(b"", Seal())

FIELDS = (b"p", b"s", b"h")
"""The fields of an entry, always written in this order."""


class RedisStore:
    """A ``Store`` on a server. Cheap; safe to share between threads and greenlets, as its client is.

    With ``replicas``, an append returns only when that many replicas have the entry. If they do not within ``replica_ms``,
    it raises ``UnavailableError`` although the entry is in the log of the primary.
    """

    def __init__(self, client: redis.Redis, replicas: int = 0, replica_ms: int = REPLICA_MS) -> None:
        self._client = client
        self._replicas = replicas
        self._replica_ms = replica_ms
        self._seal = client.register_script(SEAL)

    def append(
        self,
        match_id: str,
        entry: Entry,
        previous: bytes,
        seed: bytes | None = None,
        sealing: Sealing | None = None,
    ) -> Appended | Conflict | Unsealed:
        tag, sealed = tag_of(match_id), sealing or UNSEALED
        keys = (stream_key(match_id), meta_key(match_id), f"{tag}:matches", f"{tag}:quarantined")
        parts = (entry.version, previous, entry.public, entry.secrets, entry.hash, seed or b"")
        seal = (sealed.before, sealed.seal.signed, sealed.seal.mac)
        code, *rest = self._run(len(keys), *keys, *parts, match_id, f"{tag}:wake", *seal)
        match code:
            case b"ok":
                return Appended()
            case b"conflict":
                missing = tuple(_entry(name, tuple(pairs[::2]), pairs[1::2]) for name, pairs in rest[0])
                if entry not in missing[:1]:
                    return Conflict(missing)
                self._settle(tag)
                return Appended()
            case b"unsealed":
                return Unsealed(Seal(*rest))
            case b"archived":
                raise ArchivedError(match_id)
            case b"quarantined":
                raise QuarantinedError(match_id)
            case _:
                raise ValueError(rest[0].decode())

    def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        with translated_errors():
            rows: Any = self._client.xrange(stream_key(match_id), f"({after}-0", "+", count=limit)
        return _entries(rows)

    def read_each(self, after: Mapping[str, int], limit: int) -> Mapping[str, Sequence[Entry]]:
        asked = [match_id for match_id in after if is_sharded(match_id)]
        with translated_errors(), self._client.pipeline(transaction=False) as pipe:
            for match_id in asked:
                pipe.xrange(stream_key(match_id), f"({after[match_id]}-0", "+", count=limit)
            found = pipe.execute(raise_on_error=False)
        # One damaged match must not fail the others: it is left out, and reading it alone raises its error.
        return {match_id: _entries(rows) for match_id, rows in zip(asked, found, strict=True) if isinstance(rows, list)}

    def seed(self, match_id: str) -> bytes | None:
        with translated_errors():
            found: Any = self._client.hget(meta_key(match_id), "seed")
        return found  # type: ignore[no-any-return]

    def whole(self, match_id: str, after: int = 0) -> Stored:
        # A transaction, because entries and seal must be of one moment.
        with translated_errors(), self._client.pipeline(transaction=True) as pipe:
            pipe.xrange(stream_key(match_id), f"({after}-0")
            pipe.hmget(meta_key(match_id), "seed", "signed", "mac")
            pipe.hget(f"{tag_of(match_id)}:quarantined", match_id)
            rows, (seed, signed, mac), reason = pipe.execute()
        return Stored(_entries(rows), seed, Seal(signed or b"", mac or b""), reason)

    def seal(self, match_id: str, head: bytes, seal: Seal) -> bool:
        with translated_errors():
            keys = [stream_key(match_id), meta_key(match_id)]
            return bool(self._seal(keys=keys, args=[head, seal.signed, seal.mac]))

    def changes(self, shard: int, since: int = 0, limit: int | None = None) -> Sequence[Changed]:
        key = f"{{s{shard:02x}}}:matches"
        most = -1 if limit is None else limit
        with translated_errors():
            rows: Any = self._client.zrangebyscore(key, f"({since}", "+inf", 0, most, withscores=True)
        return tuple(_changed(shard, rows))

    def newest(self, limit: int) -> Sequence[Changed]:
        with translated_errors(), self._client.pipeline(transaction=False) as pipe:
            for shard in range(SHARDS):
                pipe.zrevrange(f"{{s{shard:02x}}}:matches", 0, limit - 1, withscores=True)
            found: Any = pipe.execute()
        rows = [row for shard, shard_rows in enumerate(found) for row in _changed(shard, shard_rows)]
        return tuple(sorted(rows, key=lambda row: -row.at)[:limit])

    def protocol(self) -> int:
        with translated_errors():
            stored: Any = self._client.get(PROTOCOL_KEY)
        if stored is None:
            # A store of before this setting has matches, and perhaps processes that know protocol 1 only.
            first = 1 if self.newest(1) else PROTOCOL
            with translated_errors():
                self._client.set(PROTOCOL_KEY, first, nx=True)
                stored = self._client.get(PROTOCOL_KEY) or first
        return int(stored)

    def raise_protocol(self, protocol: int) -> None:
        if protocol > self.protocol():
            with translated_errors():
                self._client.set(PROTOCOL_KEY, protocol)

    def quarantine(self, match_id: str, reason: bytes) -> bool:
        tag = tag_of(match_id)
        with translated_errors(), self._client.pipeline(transaction=True) as pipe:
            pipe.hsetnx(f"{tag}:quarantined", match_id, reason)
            pipe.publish(f"{tag}:quarantine", match_id)
            return bool(pipe.execute()[0])

    def release(self, match_id: str) -> bool:
        tag = tag_of(match_id)
        with translated_errors(), self._client.pipeline(transaction=True) as pipe:
            pipe.hdel(f"{tag}:quarantined", match_id)
            pipe.publish(f"{tag}:quarantine", match_id)
            return bool(pipe.execute()[0])

    def quarantined(self) -> Mapping[str, bytes]:
        with translated_errors(), self._client.pipeline(transaction=False) as pipe:
            for shard in range(SHARDS):
                pipe.hgetall(f"{{s{shard:02x}}}:quarantined")
            found: list[dict[bytes, bytes]] = pipe.execute()
        return {match_id.decode(): reason for shard in found for match_id, reason in shard.items()}

    def sealed_since(self) -> int | None:
        with translated_errors():
            found: Any = self._client.get(SEALED_KEY)
        return None if found is None else int(found)

    def note_sealed(self, at: int) -> None:
        with translated_errors():
            self._client.set(SEALED_KEY, at)

    def sealers(self) -> frozenset[str]:
        with translated_errors():
            found: Any = self._client.smembers(SEALERS_KEY)
        return frozenset(key_id.decode() for key_id in found)

    def set_sealers(self, key_ids: Collection[str]) -> None:
        with translated_errors(), self._client.pipeline(transaction=True) as pipe:
            pipe.delete(SEALERS_KEY)
            pipe.sadd(SEALERS_KEY, *key_ids)
            pipe.execute()

    def _run(self, *arguments: Any) -> list[Any]:
        """Runs the script and returns its reply. Sends its text only to a server that does not (or no longer) know it."""
        with translated_errors():
            try:
                return self._send("EVALSHA", SCRIPT_SHA, *arguments)
            except NoScriptError:
                return self._send("EVAL", SCRIPT, *arguments)

    def _send(self, *command: Any) -> list[Any]:
        if not self._replicas:
            return self._client.execute_command(*command)  # type: ignore[no-any-return,no-untyped-call]
        with self._client.pipeline(transaction=False) as pipe:
            pipe.execute_command(*command)  # type: ignore[no-untyped-call]
            pipe.wait(self._replicas, self._replica_ms)
            answer, reached = pipe.execute()
        if answer[0] == b"ok":
            self._check_reached(reached)
        return answer  # type: ignore[no-any-return]

    def _settle(self, tag: str) -> None:
        """Waits until the replicas have everything written so far. ``WAIT`` covers writes of its own connection, so it writes."""
        if self._replicas:
            with translated_errors(), self._client.pipeline(transaction=False) as pipe:
                pipe.set(f"{tag}:settled", 1)
                pipe.wait(self._replicas, self._replica_ms)
                self._check_reached(pipe.execute()[1])

    def _check_reached(self, reached: int) -> None:
        if reached < self._replicas:
            raise UnavailableError(f"{reached} of {self._replicas} replicas confirmed within {self._replica_ms} ms")


def tag_of(match_id: str) -> str:
    """Returns the hash tag that all keys of a match's shard share. Raises ``ValueError`` for anything but a match id."""
    return f"{{s{shard_of(match_id):02x}}}"


def stream_key(match_id: str) -> str:
    return f"{tag_of(match_id)}:m:{match_id}"


def meta_key(match_id: str) -> str:
    return f"{tag_of(match_id)}:meta:{match_id}"


def _entries(rows: Iterable[tuple[bytes, dict[bytes, bytes]]]) -> tuple[Entry, ...]:
    return tuple(_entry(name, tuple(fields), tuple(fields.values())) for name, fields in rows)


def _entry(name: bytes, fields: tuple[bytes, ...], values: Sequence[bytes]) -> Entry:
    """Makes an entry of a stream's item. One with other fields becomes an empty entry, which no hash chain accepts."""
    version = int(name.partition(b"-")[0])
    return Entry(version, *values) if fields == FIELDS else Entry(version, b"", b"", b"")


def _changed(shard: int, rows: Iterable[tuple[bytes, float]]) -> Iterator[Changed]:
    """Yields the rows of a change index; leaves out foreign members, which are not ids of matches of this shard."""
    for name, score in rows:
        if name.startswith(b"%02x" % shard) and name.isascii() and name.decode().isprintable():
            yield Changed(name.decode(), int(score))
