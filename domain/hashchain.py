"""Tamper evidence: the hash chain over the bytes of a log, and the commitments to its secrets.

Everything is computed over the bytes as they are stored, never over a re-encoding. Each kind of hash starts with its own
byte (0x00 link, 0x01 commitment, 0x02 seed), so that none can be passed off as another.
"""

from __future__ import annotations

import hashlib
import hmac

from domain.chance import prefixed

GENESIS = bytes(32)
"""The previous hash of the first commit."""

HASH_BYTES = 32
SALT_BYTES = 16


def link(match_id: str, version: int, previous: bytes, public: bytes) -> bytes:
    """The hash of a commit: SHA-256 over 0x00 and, each length-prefixed, match id, version, previous hash, public part.

    32 bytes; ``version`` counts as eight big-endian bytes.
    """
    parts = prefixed(match_id.encode(), version.to_bytes(8, "big"), previous, public)
    return hashlib.sha256(b"\x00" + parts).digest()


def salt(seed: bytes, version: int, index: int) -> bytes:
    """The salt of a commit's secret number ``index``, from 0: 16 bytes that nobody can guess without the seed.

    The first half of HMAC-SHA256 (RFC 2104) with the seed as key. Without it the few possible values of a card could be
    tried against its commitment.
    """
    place = version.to_bytes(8, "big") + index.to_bytes(4, "big")
    return hmac.digest(seed, b"salt" + place, "sha256")[:SALT_BYTES]


def commitment(salt: bytes, match_id: str, version: int, index: int, value: bytes) -> bytes:
    """The commitment to a secret: SHA-256 over 0x01, the salt and, each length-prefixed, match id, version, index, value.

    32 bytes; ``value`` is the secret's stored bytes, ``index`` counts as four big-endian bytes.
    """
    place = prefixed(match_id.encode(), version.to_bytes(8, "big"), index.to_bytes(4, "big"), value)
    return hashlib.sha256(b"\x01" + salt + place).digest()
