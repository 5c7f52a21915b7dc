"""The port to the log, and the values that pass through it.

Adapters live in ``service.adapters``; the same contract tests run over all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
class Changed:
    """A row of the change index: a match, and the time of its newest append in microseconds, strictly increasing in a shard."""

    match_id: str
    at: int


class DamagedError(FoldtableError):
    """The stored data is not what a log is made of: another program has written there."""


class UnavailableError(FoldtableError):
    """The store cannot be reached, or refuses to work at present. An append may or may not have gone through."""


class ArchivedError(FoldtableError):
    """The match was moved to an archive: its log accepts no further entry."""


class Store(Protocol):
    """The log of every match. All methods raise ``UnavailableError`` when the server cannot answer.

    An entry that is not stored in the form in which it was written, for example under other names, is read as one with empty
    parts, which no hash fits. If even that is impossible, reading raises ``DamagedError``.
    """

    def append(self, match_id: str, entry: Entry, previous: bytes, seed: bytes | None = None) -> Appended | Conflict:
        """Appends the entry if the log ends at ``entry.version - 1`` with the hash ``previous``; one round trip.

        Idempotent: an identical entry that is already there counts as appended. So an entry can be sent again after
        ``UnavailableError``, which leaves open whether it went through. ``seed`` goes with version 1 only and is kept beside the
        log. Raises ``ValueError`` for a malformed entry, which writes nothing, and ``ArchivedError``.
        """
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
