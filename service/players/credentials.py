"""Tokens and recovery codes: how they are made and read, and the keyed MAC of their records.

A token is ``<player id>.<secret>``, a recovery code the player id and a secret in groups of four characters. The secrets are
random: 256 and 160 bits, so no guess succeeds. Only SHA-256 hashes are stored. Each stored record carries an HMAC under a key
in the data folder: whoever can write to the database, but does not have that key, can give itself no token.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable
from dataclasses import replace

from domain.chance import prefixed
from service.ports.players import Credential

SECRET_BYTES = 32
CODE_BYTES = 20
ID_LENGTH = 16
GROUP = 4
RECOVERY = "recovery"
"""The id of every recovery code's record. No token has it: token ids are hexadecimal."""


class Seal:
    """The key of the MACs. ``accepts_unsealed``: whether records of version 0.2 and before, without a MAC, still count."""

    def __init__(self, key: bytes, accepts_unsealed: Callable[[], bool] = lambda: False) -> None:
        self._key = key
        self.accepts_unsealed = accepts_unsealed

    @property
    def fingerprint(self) -> str:
        """A text that tells this key from others, and discloses nothing of it."""
        return self.derive(b"fingerprint").hex()

    def sealed(self, player_id: str, record: Credential) -> Credential:
        """Returns the record of this player's token or code with its MAC."""
        parts = (
            player_id.encode(),
            record.id.encode(),
            record.hash,
            record.at.to_bytes(8, "big"),
            record.label.encode(),
        )
        return replace(record, mac=self.derive(b"credential 1", *parts))

    def holds(self, player_id: str, record: Credential) -> bool:
        """Returns whether the record is as this service made it, for this player."""
        if not record.mac:
            return self.accepts_unsealed()
        return hmac.compare_digest(record.mac, self.sealed(player_id, record).mac)

    def derive(self, subject: bytes, *parts: bytes) -> bytes:
        """Returns 32 bytes that only this key gives for this subject and these parts."""
        return hmac.digest(self._key, prefixed(subject, *parts), "sha256")


def new_token(player_id: str, secret: bytes, at: int, label: str) -> tuple[str, Credential]:
    """Makes a token of random bytes; returns it and its record, without a MAC."""
    token = f"{player_id}.{base64.urlsafe_b64encode(secret).decode().rstrip('=')}"
    digest = digest_of(token)
    return token, Credential(token_id(digest), digest, at, label)


def digest_of(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def token_id(digest: bytes) -> str:
    """Returns the id of the token with this hash. It names the token in lists and in the log, and discloses nothing of it."""
    return digest.hex()[:8]


def owner_of(token: str) -> str | None:
    """Returns the id of the player that a token names; ``None`` if it is not a token."""
    player_id, dot, _secret = token.partition(".")
    return player_id if dot and player_id.isalnum() and player_id.isascii() else None


def new_code(player_id: str, secret: bytes, at: int) -> tuple[str, Credential]:
    """Makes a recovery code of random bytes; returns it and its record, without a MAC."""
    plain = player_id + base64.b32encode(secret).decode().lower()
    code = "-".join(plain[start : start + GROUP] for start in range(0, len(plain), GROUP))
    return code, Credential(RECOVERY, _code_hash(plain), at)


def read_code(code: str) -> tuple[str, bytes]:
    """Returns the player id and the hash of a recovery code. Case, spaces and hyphens do not matter."""
    plain = "".join(code.lower().replace("-", " ").split())
    return plain[:ID_LENGTH], _code_hash(plain)


def _code_hash(plain: str) -> bytes:
    return hashlib.sha256(b"recovery code " + plain.encode("utf-8", "replace")).digest()
