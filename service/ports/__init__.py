"""Ports: what the service needs from outside, as protocols. ``adapters`` implements them, ``tests/contracts`` holds them to it.

Law: this package imports types of the domain and nothing else of the project.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Protocol

from domain.errors import FoldtableError


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since 1970-01-01 UTC."""
        ...


class FineClock(Clock, Protocol):
    def micros(self) -> int:
        """Microseconds since 1970-01-01 UTC, as the change index counts them."""
        ...


class Entropy(Protocol):
    def bytes(self, count: int) -> bytes:
        """Unpredictable bytes."""
        ...


class Notifications(Protocol):
    """Hints from other processes: that a stream has grown, that an account was deleted."""

    def heard(self) -> Iterator[str | None]:
        """What is said, as it comes, such as the ids of matches that were appended to; ``None`` now and then when idle, and
        ``""`` whenever some may have been missed.
        """
        ...


@dataclass(frozen=True, slots=True)
class Player:
    """``at`` is when the player came, in milliseconds; of the token only its hash is kept."""

    id: str
    name: str
    at: int
    token_id: str
    token_hash: bytes


class Players(Protocol):
    """All methods raise ``UnavailableError`` when the server cannot answer."""

    def create(self, player_id: str, name: str, token_id: str, token_hash: bytes, at: int) -> Player:
        """Raises ``ValueError`` if the id was ever given away; the player that has it stays as it is."""
        ...

    def get(self, player_id: str) -> Player | None:
        """``None`` for who never was here or is forgotten."""
        ...

    def names(self, ids: Collection[str]) -> dict[str, str]:
        """The names of those that there are, in one round trip."""
        ...

    def was_here(self, player_id: str) -> bool:
        """Whether the id was ever given away."""
        ...

    def forget(self, player_id: str) -> bool:
        """Removes name and token, which is then good for nothing, and tells every process. Whether there was such a player."""
        ...


class DeletedAccounts(Protocol):
    """Accounts whose traces are still to be removed. Times are in milliseconds; all methods raise ``UnavailableError``."""

    def newest_in_file(self) -> int | None:
        """When the last account was deleted whose name may stand in the server's append-only file."""
        ...

    def not_in_file(self, until: int) -> None:
        """Notes that the append-only file holds no name of an account deleted until then."""
        ...

    def seated(self, until: int) -> list[tuple[str, int]]:
        """The accounts deleted until then that may hold seats, each with when it was deleted."""
        ...

    def not_seated(self, player_id: str) -> None:
        """Notes that all seats of a deleted account are released."""
        ...


@dataclass(frozen=True, slots=True)
class FileState:
    """``run`` names this run of the server; ``succeeded`` is of the last rewrite that has ended."""

    run: str
    enabled: bool
    rewriting: bool
    succeeded: bool


class RewriteRefusedError(FoldtableError):
    """The server answers but does not rewrite its append-only file on request; the message is its error code."""


class AppendOnlyFile(Protocol):
    """Both methods raise ``UnavailableError`` and ``RewriteRefusedError``."""

    def state(self) -> FileState: ...

    def rewrite(self) -> None:
        """Has the server begin to rewrite the file without what was deleted since."""
        ...


@dataclass(frozen=True, slots=True)
class Imported:
    """A record as it was brought in, verified. ``at`` is in milliseconds, ``by`` a player id."""

    id: str
    raw: bytes
    at: int
    by: str


class Records(Protocol):
    """Both methods raise ``UnavailableError`` when the server cannot answer."""

    def put(self, record: Imported) -> Imported:
        """Keeps the record; one that is there already, under the same id, stays as it is and is given back."""
        ...

    def get(self, record_id: str) -> Imported | None: ...
