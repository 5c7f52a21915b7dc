"""Ports: the outside world as protocols. ``adapters`` implements them, ``tests/contracts`` tests every implementation.

Law: this package imports types of the domain and nothing else of the project.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    """Hints from other processes: a stream has grown, a read model has changed, an account has changed. Some may be lost."""

    def heard(self) -> Iterator[str | None]:
        """Yields messages for ever, such as the ids of matches that were appended to.

        Yields ``None`` now and then when idle, and ``""`` whenever some may have been missed.
        """
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
    """The amounts that callers have left of a rate. Shared by the processes that share the store."""

    def take(self, key: str, rate: Rate) -> float:
        """Takes one. Returns 0, or the seconds after which there is one again; then nothing is taken.

        Raises ``UnavailableError``. The key is stored until the caller has its whole rate again.
        """
        ...


class Heartbeat(Protocol):
    """The time at which a worker last recorded everything that was due. Both methods raise ``UnavailableError``."""

    def last(self) -> int | None:
        """Returns that time, in milliseconds since 1970-01-01 UTC; ``None`` before the first."""
        ...

    def beat(self, now: int) -> None: ...
