"""Ports: the outside world as protocols. ``adapters`` implements them, ``tests/contracts`` tests every implementation.

Law: this package imports types of the domain and nothing else of the project.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Protocol

from domain.errors import FoldtableError


class Clock(Protocol):
    def now(self) -> int:
        """Returns milliseconds since 1970-01-01 UTC. May go back."""
        ...


class FineClock(Clock, Protocol):
    def micros(self) -> int:
        """Returns microseconds since 1970-01-01 UTC, the unit of the change index."""
        ...


class Entropy(Protocol):
    def bytes(self, count: int) -> bytes:
        """Returns unpredictable bytes."""
        ...


class Notifications(Protocol):
    """Hints from other processes: a stream has grown, a read model has changed, an account was deleted. Some may be lost."""

    def heard(self) -> Iterator[str | None]:
        """Yields messages for ever, such as the ids of matches that were appended to.

        Yields ``None`` now and then when idle, and ``""`` whenever some may have been missed.
        """
        ...


@dataclass(frozen=True, slots=True)
class Player:
    """An account. ``at``: when it was created (ms). Only the hash of the token is kept."""

    id: str
    name: str
    at: int
    token_id: str
    token_hash: bytes


class Players(Protocol):
    """Accounts: names and tokens. All methods raise ``UnavailableError`` when the server cannot answer."""

    def create(self, player_id: str, name: str, token_id: str, token_hash: bytes, at: int) -> Player:
        """Creates an account. Raises ``ValueError``, and changes nothing, if the id was ever issued."""
        ...

    def get(self, player_id: str) -> Player | None:
        """Returns the account; ``None`` if the id was never issued or the account is deleted."""
        ...

    def names(self, ids: Collection[str]) -> dict[str, str]:
        """Returns player id → name of the accounts that exist. One round trip."""
        ...

    def was_issued(self, player_id: str) -> bool:
        """Returns whether the id was ever issued, to an account that may be deleted by now."""
        ...

    def forget(self, player_id: str) -> bool:
        """Deletes the name and the token, and notifies every process. Returns whether there was such an account."""
        ...


class DeletedAccounts(Protocol):
    """Accounts whose traces are still to be removed. Times are in milliseconds; all methods raise ``UnavailableError``."""

    def newest_in_aof(self) -> int | None:
        """Returns when the last account was deleted whose name may stand in the append-only file; ``None`` for none."""
        ...

    def note_rewritten(self, until: int) -> None:
        """Notes that the append-only file holds no name of an account deleted up to ``until``."""
        ...

    def awaiting_release(self, until: int) -> list[tuple[str, int]]:
        """Returns the accounts deleted up to ``until`` that may still hold seats, and when each was deleted."""
        ...

    def note_released(self, player_id: str) -> None:
        """Notes that all seats of a deleted account are released."""
        ...


@dataclass(frozen=True, slots=True)
class FileState:
    """The state of the append-only file. ``run`` names this run of the server; ``succeeded`` is about the last ended rewrite."""

    run: str
    enabled: bool
    rewriting: bool
    succeeded: bool


class RewriteRefusedError(FoldtableError):
    """The server answers but refuses to rewrite its append-only file; the message is its error code."""


class AppendOnlyFile(Protocol):
    """The server's append-only file. Both methods raise ``UnavailableError`` and ``RewriteRefusedError``."""

    def state(self) -> FileState: ...

    def rewrite(self) -> None:
        """Makes the server start to rewrite the file without deleted data. Returns at once; ``state`` shows the progress."""
        ...


@dataclass(frozen=True, slots=True)
class ImportFacts:
    """The facts about an imported record. ``at``: when it was imported (ms); ``by``: the player who imported it."""

    at: int
    by: str
    key: str
    """The public key that signed it, in hexadecimal; empty if it was imported by a release that did not note it."""


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported record, which was verified when it was imported."""

    id: str
    raw: bytes
    facts: ImportFacts


class Records(Protocol):
    """Imported records. All methods raise ``UnavailableError`` when the server cannot answer."""

    def put(self, record: Imported, most: int) -> bool:
        """Stores a record unless one with this id exists. Returns ``False``, having stored nothing, if the player who
        imports it would then have imported more than ``most`` bytes. One with this id counts for nobody else.
        """
        ...

    def replace(self, record: Imported) -> None:
        """Replaces the bytes and the key of an existing record: the same content, signed by another key."""
        ...

    def get(self, record_id: str) -> Imported | None: ...

    def facts(self, record_id: str) -> ImportFacts | None:
        """Returns the facts alone, which are small."""
        ...


@dataclass(frozen=True, slots=True)
class Rate:
    """``amount`` at once, and as many again in every ``seconds``."""

    amount: int
    seconds: int

    def __str__(self) -> str:
        return f"{self.amount} in {self.seconds} s"


class Quotas(Protocol):
    """What callers have left of a rate. Shared by the processes that share the store."""

    def take(self, key: str, rate: Rate) -> float:
        """Takes one. Returns 0, or the seconds after which there is one again; then nothing is taken.

        Raises ``UnavailableError``. The key is stored until the caller has its whole rate again.
        """
        ...
