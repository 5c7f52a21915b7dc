"""The ports of accounts: names, tokens, recovery codes, and what is left to do for deleted accounts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Player:
    """An account. ``at``: when it was created (ms)."""

    id: str
    name: str
    at: int


@dataclass(frozen=True, slots=True)
class Credential:
    """The record of a token or of a recovery code. ``at``: when it was made (ms)."""

    id: str
    hash: bytes = field(repr=False)
    """The SHA-256 of the token or code, which itself is not stored."""
    at: int
    label: str = ""
    mac: bytes = field(default=b"", repr=False)
    """The keyed MAC of the record; empty in records of version 0.2 and before, which had none."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account with its credentials, the oldest token first."""

    player: Player
    tokens: tuple[Credential, ...]
    recovery: Credential | None
    keys: tuple[str, ...] = ()
    """The keys that its name claims; none for an account of version 0.2 and before that was not adopted yet."""


@dataclass(frozen=True, slots=True)
class TokenChange:
    """A change of an account's tokens: either all of it happens or nothing."""

    add: Credential | None = None
    remove: Collection[str] | None = ()
    """The ids of the tokens to revoke; ``None`` for all that there are."""
    most: int = 0
    """The most tokens that the account may have afterwards, if one is added."""
    recovery: Credential | None = None
    """The recovery code by which the change is made; it must still be the account's."""


Named = Literal["done", "no_account", "name_taken"]
Changed = Literal["done", "no_account", "no_token", "too_many", "last_token", "other_code"]
"""``last_token``: no token and no recovery code would be left."""


class Players(Protocol):
    """Accounts: names and tokens. All methods raise ``UnavailableError`` when the server cannot answer.

    No two accounts are given one key of a name. A revoked token, a change of name and a deletion are announced to every
    process.
    """

    def create(self, account: Account) -> bool:
        """Creates an account with the keys of its name. Returns false if another account has one of the keys.

        Raises ``ValueError``, and changes nothing, if the id was ever issued.
        """
        ...

    def get(self, player_id: str) -> Account | None:
        """Returns the account; ``None`` if the id was never issued or the account is deleted."""
        ...

    def token(self, player_id: str, token_id: str) -> Credential | None:
        """Returns the record of one token; ``None`` if it is revoked or the account is deleted. One round trip."""
        ...

    def names(self, ids: Collection[str]) -> dict[str, str]:
        """Returns player id → name of the accounts that exist. One round trip."""
        ...

    def was_issued(self, player_id: str) -> bool:
        """Returns whether the id was ever issued, to an account that may be deleted by now."""
        ...

    def rename(self, player_id: str, name: str, keys: Sequence[str]) -> Named:
        """Gives the account another name, claims its keys and releases the keys of the old one, all at once."""
        ...

    def change_tokens(self, player_id: str, change: TokenChange) -> Changed: ...

    def set_recovery(self, player_id: str, code: Credential) -> bool:
        """Replaces the recovery code. Returns false if there is no such account."""
        ...

    def forget(self, player_id: str) -> bool:
        """Deletes the name, the tokens and the recovery code. Returns whether there was such an account."""
        ...


class OldPlayers(Protocol):
    """Accounts as earlier versions left them. All methods raise ``UnavailableError``."""

    def accounts(self) -> Iterator[Account]:
        """Yields every account, in no order, possibly one twice. Leaves out records of another type."""
        ...

    def adopt(self, old: Account, keys: Sequence[str], tokens: Sequence[Credential]) -> None:
        """Claims these keys for an account, even if others have them, and replaces its records of these token ids.

        Does nothing to an account whose name has changed since, or to a token that has.
        """
        ...

    def agree_on_key(self, fingerprint: str, *, replacing: bool = False) -> str:
        """Notes the fingerprint of the sealing key, unless one is noted and not ``replacing``. Returns the noted one."""
        ...


class DeletedAccounts(Protocol):
    """Accounts whose traces are still to be removed. Times are in milliseconds; all methods raise ``UnavailableError``."""

    def newest_in_aof(self) -> int | None:
        """Returns when the last name was deleted or changed that may stand in the append-only file; ``None`` for none."""
        ...

    def note_rewritten(self, until: int) -> None:
        """Notes that the append-only file holds no name that was deleted or changed up to ``until``."""
        ...

    def awaiting_release(self, until: int) -> list[tuple[str, int]]:
        """Returns the accounts deleted up to ``until`` that may still hold seats, and when each was deleted."""
        ...

    def note_released(self, player_id: str) -> None:
        """Notes that all seats of a deleted account are released."""
        ...
