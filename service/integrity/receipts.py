"""Receipts: signatures by which a player can prove the server's answer, should a move vanish or change later.

A receipt signs, with Ed25519 (RFC 8032), "foldtable receipt 1" ‖ 0x00 ‖ each length-prefixed: match id, version as eight
bytes, head hash. The key's id is the first eight bytes of the SHA-256 of the public key, in hexadecimal.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from domain.chance import prefixed
from service.integrity.keys import PublicKey, key_id, note, with_current

KEY_BYTES = 32
_CONTEXT = b"foldtable receipt 1\x00"


def ensure_key(path: Path) -> None:
    """Creates a signing key at this path, readable by its owner only, if there is none. Raises ``OSError``."""
    if not path.exists():
        write_once(path, Ed25519PrivateKey.generate().private_bytes_raw().hex())


def write_once(path: Path, secret: str) -> None:
    """Writes a secret as one line to a file for its owner only, unless there is one. Raises ``OSError``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written and synced under another name, then linked: the path never names half a key, and of two processes that start
    # at once one wins and both use its key, because ``link``, unlike ``rename``, never replaces a file.
    new = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secret + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(new, path)
    except FileExistsError:
        pass
    finally:
        new.unlink()


def take_up_key(path: Path, history: Path, now: int) -> None:
    """Puts the signing key in its place, the prepared one if there is one, and adds it to the history.

    Must run before any process signs, so that all sign with the same, published key. Raises ``OSError`` and ``ValueError``.
    """
    take_next_key(path)
    ensure_key(path)
    note(history, public_bytes(read_key(path.read_text())), now)


def read_key(text: str) -> Ed25519PrivateKey:
    """Reads a signing key of 64 hexadecimal digits. Raises ``ValueError``."""
    try:
        raw = bytes.fromhex(text.strip())
    except ValueError:
        raw = b""
    if len(raw) != KEY_BYTES:
        raise ValueError("a signing key is 64 hexadecimal digits")
    return Ed25519PrivateKey.from_private_bytes(raw)


def public_bytes(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def prepare_key(path: Path) -> str:
    """Creates the key that replaces the one at this path at the next start; returns its id.

    Until then nothing signs with it: a web process that restarts in between must not use a key that its siblings do not
    publish.
    """
    new = _next(path)
    new.unlink(missing_ok=True)
    ensure_key(new)
    return key_id(public_bytes(read_key(new.read_text())))


def take_next_key(path: Path) -> None:
    """Replaces the key at this path by the one prepared for it, if there is one."""
    with suppress(FileNotFoundError):
        _next(path).replace(path)


def _next(path: Path) -> Path:
    return path.with_name(f"{path.name}.next")


def signed_bytes(match_id: str, version: int, head: bytes) -> bytes:
    """Returns the bytes that a receipt signs."""
    return _CONTEXT + prefixed(match_id.encode(), version.to_bytes(8, "big"), head)


class Signer:
    """Signs receipts with the server's key. About 30 µs a receipt. ``history``: the earlier keys, oldest first."""

    def __init__(self, key: Ed25519PrivateKey, history: Sequence[PublicKey] = ()) -> None:
        self._key = key
        self._mac_key = hmac.digest(key.private_bytes_raw(), b"foldtable mac 1", "sha256")
        self.public = public_bytes(key)
        self.key_id = key_id(self.public)
        self.published = with_current(history, self.public, None)
        """Every key that ever signed here, oldest first; the last is this signer's."""

    def sign(self, message: bytes) -> bytes:
        """Returns the Ed25519 signature of the message, 64 bytes."""
        return self._key.sign(message)

    def mac(self, message: bytes) -> bytes:
        """Returns the HMAC-SHA256 of the message with a key that follows from the signing key, 32 bytes. About 2 µs."""
        return hmac.digest(self._mac_key, message, "sha256")
