"""The server's public keys: every key that ever signed here, with its dates.

A receipt or a record names its key by id: the first eight bytes of the SHA-256 of the public key, in hexadecimal. A replaced
key stays published, so that its signatures can be verified for ever. The history is one JSON file in the data
folder; ``serve`` adds the current key to it before anything is signed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

HISTORY = "keys.json"
"""The name of the history's file in the data folder."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """An Ed25519 key (RFC 8032). Times are milliseconds since 1970; ``None``: not known, or still in use."""

    id: str
    public: str
    """The public key, as 64 lower-case hexadecimal digits."""
    since: int | None = None
    until: int | None = None

    def signed(self, message: bytes, signature: bytes) -> bool:
        """Returns whether this is the key's signature of the message. About 100 µs."""
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.public)).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


def public_key(public: bytes) -> PublicKey:
    return PublicKey(key_id(public), public.hex())


def key_id(public: bytes) -> str:
    return hashlib.sha256(public).hexdigest()[:16]


def read_history(path: Path) -> tuple[PublicKey, ...]:
    """Reads the history of keys, oldest first; empty without a file. Raises ``ValueError`` for another kind of file."""
    if not path.exists():
        return ()
    try:
        return tuple(PublicKey(**row) for row in json.loads(path.read_text(encoding="utf-8")))
    except TypeError as fault:
        raise ValueError(f"{path} is not a list of keys") from fault


def with_current(history: Sequence[PublicKey], public: bytes, now: int | None) -> tuple[PublicKey, ...]:
    """Returns the history with this key in use from ``now`` on (ms), and the previous one used until then.

    A key that is used again is listed again with its new dates.
    """
    if history and history[-1].public == public.hex():
        return tuple(history)
    ended = [replace(key, until=now) if key.until is None else key for key in history]
    return (*ended, replace(public_key(public), since=now))


def note(path: Path, public: bytes, now: int) -> tuple[PublicKey, ...]:
    """Adds this key to the history file as the one in use, if it is not already. Returns the history."""
    before = read_history(path)
    after = with_current(before, public, now)
    if after != before:
        # Synced before the rename: a crash leaves the old history or the new one, and a reader never sees half of one.
        new = path.with_name(f"{path.name}.{os.getpid()}")
        with new.open("w", encoding="utf-8") as file:
            file.write(json.dumps([asdict(key) for key in after], indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    return after
