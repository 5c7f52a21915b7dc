"""Seals of newest heads: the signatures by which a log is known to be the one that this server wrote.

A hash chain alone can be made again by whoever can write into the store. So the signature of a match's newest head, the one
of its receipt, is kept beside the log and is replaced with every commit; the chain covers everything before it. A seal is

    signed   version, 8 bytes ‖ key id, 8 bytes ‖ Ed25519 signature of the receipt, 64 bytes
    mac      HMAC-SHA256(a key that follows from the signing key, the bytes that the receipt signs)

Anybody with the public keys can verify ``signed``, which takes 100 µs. ``mac`` takes 2 µs; only the server itself can make
and verify it, and does so with every append and every load.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from domain.store import Entry, Seal, Store
from replay.audit import Fault
from service.integrity.keys import PublicKey
from service.integrity.receipts import Signer, signed_bytes

NOTE = "sealed.json"
"""The name of the file in the data folder that notes since when every log has a seal."""
SIGNED_BYTES = 80


class SealVerifier:
    """Verifies the signed part of seals by the server's public keys, the replaced ones included."""

    def __init__(self, keys: Sequence[PublicKey], required: Callable[[], bool]) -> None:
        """``required`` says whether every log must have a seal by now, those written by older releases too."""
        self._keys = {key.id: key for key in keys}
        self.required = required

    def fault(self, match_id: str, entries: Sequence[Entry], seal: Seal) -> Fault | None:
        """Returns the fault of the seal of a whole log whose chain holds. About 100 µs."""
        last = entries[-1]
        if self.is_signed(match_id, last.version, last.hash, seal):
            return None
        if not self.required() and (not seal.signed or self._is_outgrown(match_id, entries, seal)):
            return None
        return seal_fault(last.version, seal)

    def is_signed(self, match_id: str, version: int, head: bytes, seal: Seal) -> bool:
        """Returns whether a published key signed exactly this head. About 100 µs."""
        if len(seal.signed) != SIGNED_BYTES or seal.signed[:8] != version.to_bytes(8, "big"):
            return False
        key = self._keys.get(seal.signed[8:16].hex())
        return key is not None and key.signed(signed_bytes(match_id, version, head), seal.signed[16:])

    def _is_outgrown(self, match_id: str, entries: Sequence[Entry], seal: Seal) -> bool:
        """Returns whether the seal is that of an earlier version of this log: an older release, which makes none, wrote on."""
        version = int.from_bytes(seal.signed[:8], "big")
        return 1 <= version < len(entries) and self.is_signed(match_id, version, entries[version - 1].hash, seal)


def seal_fault(version: int, seal: Seal) -> Fault:
    """Returns the fault of a log whose newest version does not have this seal."""
    sealed = int.from_bytes(seal.signed[:8], "big") if len(seal.signed) == SIGNED_BYTES else 0
    if version < sealed < 2**53:
        return Fault(version + 1, "truncated", f"Version {sealed} was signed, and the log ends here.")
    reason = "is not signed by a key of this server" if seal.signed else "is not signed"
    return Fault(version, "wrong_signature", f"The newest version {reason}.")


class Sealer(SealVerifier):
    """Makes the seals of this process's appends, and verifies stored ones."""

    def __init__(self, signer: Signer, required: Callable[[], bool]) -> None:
        super().__init__(signer.published, required)
        self.key_id = signer.key_id
        self._signer = signer

    def seal(self, match_id: str, version: int, head: bytes) -> Seal:
        """Seals a head. About 35 µs, nearly all for the signature, which the receipt uses too."""
        message = signed_bytes(match_id, version, head)
        signed = version.to_bytes(8, "big") + bytes.fromhex(self.key_id) + self._signer.sign(message)
        return Seal(signed, self._signer.mac(message))

    def mac(self, match_id: str, version: int, head: bytes) -> bytes:
        """Returns the MAC that the seal of this head must have. About 2 µs."""
        return self._signer.mac(signed_bytes(match_id, version, head))

    def is_sealed(self, match_id: str, version: int, head: bytes, seal: Seal) -> bool:
        """Returns whether this server sealed exactly this head. About 2 µs; 100 µs for a seal by a key since replaced."""
        if hmac.compare_digest(seal.mac, self.mac(match_id, version, head)):
            return True
        return self.is_signed(match_id, version, head, seal)


def signature_of(seal: Seal) -> bytes:
    """Returns the signature, which is that of the receipt."""
    return seal.signed[16:]


class SealsRequired:
    """The rule that every log must have a seal, in force once the worker has sealed the logs of older releases.

    This is noted in the store, for all processes, and in the data folder, because whoever can take seals out of the store
    can take the note out of it too. Once in force, it stays so.
    """

    def __init__(self, store: Store, note: Path | None) -> None:
        self._store = store
        self._note = note
        self._known = False

    def __call__(self) -> bool:
        if not self._known:
            self._known = (self._note is not None and self._note.exists()) or self._store.sealed_since() is not None
        return self._known

    def set(self, at: int) -> None:
        """Notes that it is so from now on (ms). Raises ``OSError``."""
        if self._note is not None:
            new = self._note.with_name(f"{self._note.name}.{os.getpid()}")
            with new.open("w", encoding="utf-8") as file:
                file.write(json.dumps({"since": at}) + "\n")
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._note)
        self._store.note_sealed(at)
        self._known = True
