"""The port to the log, and what goes through it. Adapters live in ``service.adapters``; tests ask all of them the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

SHARDS = 64


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit as stored: bytes that are kept as written."""

    version: int
    public: bytes
    secrets: bytes
    """The values that the public part only commits to; empty if there are none."""
    hash: bytes


@dataclass(frozen=True, slots=True)
class Appended:
    """The entry is in the log, as durably as the store promises."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Nothing is written. ``missing`` is every entry behind the expected version, ``entry.version - 1``.

    It is empty if the log is shorter than the writer believes, or as long but with another hash. Then, and when the
    entries do not continue the writer's own chain, what the writer knows is not this log: read it from 0.
    """

    missing: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """A row of the change index: when a match was last appended to, in microseconds, strictly increasing in a shard."""

    match_id: str
    at: int


class Damaged(Exception):
    """What is stored is not what a log is made of: somebody else has written there."""


class Unavailable(Exception):
    """The store cannot be reached or refuses to work just now. It is not known whether an append went through."""


class Archived(Exception):
    """The match was moved to an archive: its log takes no entry any more."""


class Store(Protocol):
    """The log of every match. All methods raise ``Unavailable`` when the server cannot answer.

    An entry that is stored in another way than it was written, say under other names, is read as one of empty parts, which no
    hash fits; where not even that can be said, reading raises ``Damaged``.
    """

    def append(self, match_id: str, entry: Entry, previous: bytes, seed: bytes | None = None) -> Appended | Conflict:
        """Appends the entry if the log ends at ``entry.version - 1`` with the hash ``previous``; one round trip.

        An entry that stands there already, as it is, counts as appended: so after ``Unavailable``, when nobody knows
        whether it went through, it can be sent again. ``seed`` goes with version 1 only and is kept beside the log.
        Raises ``ValueError`` for a malformed entry, which writes nothing, and ``Archived``.
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
        """The matches of a shard that changed after ``since`` (microseconds), oldest change first."""
        ...

    def newest(self, limit: int) -> Sequence[Changed]:
        """The matches of all shards that changed last, newest first."""
        ...


def is_sharded(match_id: str) -> bool:
    """Whether ``shard_of`` gives a shard."""
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
