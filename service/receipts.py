"""Receipts: signatures that let a player prove what was answered, should a move vanish or change later.

A receipt signs, with Ed25519 (RFC 8032), "foldtable receipt 1" ‖ 0x00 ‖ each length-prefixed: match id, version as eight
bytes, head hash. The key's id is the first eight bytes of the SHA-256 of the public key, in hexadecimal.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from domain.chance import prefixed

KEY_BYTES = 32
_CONTEXT = b"foldtable receipt 1\x00"


def ensure_key(path: Path) -> None:
    """Makes a signing key at this path, readable by its owner only, if there is none. Two starters get one key."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(Ed25519PrivateKey.generate().private_bytes_raw().hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(new, path)
    except FileExistsError:
        pass
    finally:
        new.unlink()


def read_key(text: str) -> Ed25519PrivateKey:
    """The key written as 64 hexadecimal digits. Raises ``ValueError``."""
    raw = bytes.fromhex(text.strip())
    if len(raw) != KEY_BYTES:
        raise ValueError("a signing key is 64 hexadecimal digits")
    return Ed25519PrivateKey.from_private_bytes(raw)


def signed_bytes(match_id: str, version: int, head: bytes) -> bytes:
    """What a receipt signs."""
    return _CONTEXT + prefixed(match_id.encode(), version.to_bytes(8, "big"), head)


class Signer:
    """Signs receipts with the house's key. About 30 µs a receipt."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.key_id = hashlib.sha256(self.public).hexdigest()[:16]

    def receipt(self, match_id: str, version: int, head: bytes) -> dict[str, Any]:
        signature = self._key.sign(signed_bytes(match_id, version, head))
        made: dict[str, Any] = {"match": match_id, "version": version, "head": head.hex()}
        return made | {"key": self.key_id, "signature": signature.hex()}
