"""The house's public keys: every key that ever signed here, with its dates.

A receipt or a record names its key by id: the first eight bytes of the SHA-256 of the public key, in hexadecimal. A key that
was replaced stays published, so that what it signed can be verified for ever. The history is one JSON file in the data
folder; ``serve`` notes the present key in it before anything is signed.
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
    """64 lower-case hexadecimal digits."""
    since: int | None = None
    until: int | None = None

    def signed(self, message: bytes, signature: bytes) -> bool:
        """Whether this is the key's signature of the message."""
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
    """The keys that were noted, oldest first; none without a file. Raises ``ValueError`` for another kind of file."""
    if not path.exists():
        return ()
    try:
        return tuple(PublicKey(**row) for row in json.loads(path.read_text(encoding="utf-8")))
    except TypeError as fault:
        raise ValueError(f"{path} is not a list of keys") from fault


def with_present(history: Sequence[PublicKey], public: bytes, now: int | None) -> tuple[PublicKey, ...]:
    """The history with this key as the one in use from ``now`` on, and the one before as used until then.

    A key that comes back is listed again with its new dates.
    """
    if history and history[-1].public == public.hex():
        return tuple(history)
    ended = [replace(key, until=now) if key.until is None else key for key in history]
    return (*ended, replace(public_key(public), since=now))


def note(path: Path, public: bytes, now: int) -> tuple[PublicKey, ...]:
    """Writes down that this key is in use, if that is new. Whoever reads the file meanwhile gets it whole."""
    before = read_history(path)
    after = with_present(before, public, now)
    if after != before:
        new = path.with_name(f"{path.name}.{os.getpid()}")
        with new.open("w", encoding="utf-8") as file:
            file.write(json.dumps([asdict(key) for key in after], indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    return after
