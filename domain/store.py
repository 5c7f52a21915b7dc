"""The port to the log, and the values that pass through it.

Adapters live in ``service.adapters``; the same contract tests run over all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from domain.errors import FoldtableError

SHARDS = 64


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit as stored. The bytes are kept exactly as they were written."""

    version: int
    public: bytes
    secrets: bytes
    """The values that the public part only commits to, as msgpack; empty without any."""
    hash: bytes


@dataclass(frozen=True, slots=True)
class Appended:
    """The entry is in the log, as durably as the store promises."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The append wrote nothing. ``missing`` holds every entry behind the expected version, ``entry.version - 1``.

    It is empty if the log is shorter than the writer believes, or as long but with another hash. Then, and when the
    entries do not continue the writer's own chain, the writer's copy is not of this log: read the log from 0.
    """

    missing: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Seal:
    """The proof that this server wrote the newest entry of a log. It is kept beside the log; the store only compares bytes."""

    signed: bytes = b""
    """Names the version and carries the signature; empty if the entry was never sealed."""
    mac: bytes = b""
    """The same proof for the server itself, which holds the key: a hundred times faster to make and to check."""


@dataclass(frozen=True, slots=True)
class Sealing:
    """The seal of an entry to append, and the MAC of the seal that the entry before it must have."""

    before: bytes
    seal: Seal


@dataclass(frozen=True, slots=True)
class Unsealed:
    """The append wrote nothing: the log ends where it should, but beside it is another seal than expected: this one."""

    seal: Seal


@dataclass(frozen=True, slots=True)
class Stored:
    """Everything that is stored about a match, as of one moment."""

    entries: Sequence[Entry]
    seed: bytes | None
    seal: Seal
    quarantine: bytes | None
    """The reason why the match takes no entries, in the form in which it was given; ``None`` if it takes them."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A row of the change index: a match, and the time of its newest append in microseconds, strictly increasing in a shard."""

    match_id: str
    at: int


class DamagedError(FoldtableError):
    """The stored data is not what a log is made of: another program has written there."""


class QuarantinedError(DamagedError):
    """The match was found damaged and is in quarantine: its log accepts no further entry until it is released."""


class UnavailableError(FoldtableError):
    """The store cannot be reached, or refuses to work at present. An append may or may not have gone through."""


class ArchivedError(FoldtableError):
    """The match was moved to an archive: its log accepts no further entry."""


class Store(Protocol):
    """The log of every match. All methods raise ``UnavailableError`` when the server cannot answer.

    An entry that is not stored in the form in which it was written, for example under other names, is read as one with empty
    parts, which no hash fits. If even that is impossible, reading raises ``DamagedError``.
    """

    def append(
        self,
        match_id: str,
        entry: Entry,
        previous: bytes,
        seed: bytes | None = None,
        sealing: Sealing | None = None,
    ) -> Appended | Conflict | Unsealed:
        """Appends the entry if the log ends at ``entry.version - 1`` with the hash ``previous``; one round trip.

        Idempotent: an identical entry that is already there counts as appended. So an entry can be sent again after
        ``UnavailableError``, which leaves open whether it went through. ``seed`` goes with version 1 only and is kept beside the
        log. With ``sealing``, the entry before must have the seal that it names, and this entry gets its seal in the same
        write. Raises ``ValueError`` for a malformed entry, which writes nothing, ``ArchivedError`` and ``QuarantinedError``.
        """
        ...

    def whole(self, match_id: str, after: int = 0) -> Stored:
        """Everything about a match, as of one moment; one round trip. Without the entries up to version ``after``.

        A match that does not exist has no entries.
        """
        ...

    def seal(self, match_id: str, head: bytes, seal: Seal) -> bool:
        """Replaces the seal beside a log, if the hash of its newest entry is ``head``; returns whether it is."""
        ...

    def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        """The entries behind version ``after``, in order; none for a match that does not exist."""
        ...

    def read_each(self, after: Mapping[str, int], limit: int) -> Mapping[str, Sequence[Entry]]:
        """The entries of several matches, each behind its version, at most ``limit`` of each; one round trip.

        Matches that ``read`` would raise for are left out.
        """
        ...

    def seed(self, match_id: str) -> bytes | None:
        """The seed of a match, ``None`` if it does not exist."""
        ...

    def changes(self, shard: int, since: int = 0, limit: int | None = None) -> Sequence[Changed]:
        """The matches of a shard that changed after ``since`` (in microseconds), oldest change first."""
        ...

    def newest(self, limit: int) -> Sequence[Changed]:
        """The ``limit`` matches of all shards that changed last, newest first."""
        ...

    def protocol(self) -> int:
        """The protocol by which matches may be opened (``domain.protocol``): the newest on a store without any match."""
        ...

    def raise_protocol(self, protocol: int) -> None:
        """Lets matches be opened by this protocol. Never lowers it. Every process that uses the store must know it."""
        ...

    def quarantine(self, match_id: str, reason: bytes) -> bool:
        """Puts a match into quarantine and notifies every process. Keeps the first reason; returns whether this one is it."""
        ...

    def release(self, match_id: str) -> bool:
        """Ends the quarantine of a match and notifies every process. Returns whether it was in quarantine."""
        ...

    def quarantined(self) -> Mapping[str, bytes]:
        """The matches in quarantine, with the reasons."""
        ...

    def sealed_since(self) -> int | None:
        """The time (ms) from which on every log has a seal; ``None`` as long as logs of older releases may have none."""
        ...

    def note_sealed(self, at: int) -> None:
        """Notes that every log has a seal from now on (ms)."""
        ...

    def sealers(self) -> frozenset[str]:
        """The ids of the keys that seals beside the logs may be made with."""
        ...

    def set_sealers(self, key_ids: Collection[str]) -> None:
        """Replaces the ids of these keys; at least one."""
        ...


def is_sharded(match_id: str) -> bool:
    """True if the match id names a shard, so that ``shard_of`` does not raise."""
    try:
        return shard_of(match_id) >= 0
    except ValueError:
        return False


def shard_of(match_id: str) -> int:
    """The shard that a match id names in its first two characters (hexadecimal). Raises ``ValueError``."""
    shard = int(match_id[:2], 16)
    if not 0 <= shard < SHARDS:
        raise ValueError("a match id starts with its shard")
    return shard
