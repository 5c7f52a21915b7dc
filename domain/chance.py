"""Chance that can be checked: a committed seed, and dice derived from it.

A match has a 32-byte seed whose SHA-256 stands in its first commit. A draw is HMAC-SHA256 (RFC 2104) over everything
that makes it unrepeatable. The seed is published when the match ends; with it anybody can recompute every draw.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32

_WORD = 1 << 64


def seed_commitment(seed: bytes) -> bytes:
    """The commitment to a seed, published before the first draw: SHA-256 of 0x02 ‖ seed. 32 bytes."""
    return hashlib.sha256(b"\x02" + seed).digest()


def prefixed(*parts: bytes) -> bytes:
    """Joins the parts, each behind its length as four big-endian bytes, so that no two lists give the same bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


class SeededDice:
    """The dice of one command.

    Draw number n (from 0) is the first eight bytes of HMAC-SHA256(key, n as four big-endian bytes) as a big-endian word,
    with key = HMAC-SHA256(seed, "draw" ‖ each length-prefixed: match id, version as eight bytes, command id, the
    entropy of each seat in order). A word at or above the largest multiple of the bound is discarded, so that there is no
    modulo bias; it counts as a draw.
    """

    def __init__(self, seed: bytes, match_id: str, version: int, command_id: str, entropy: Sequence[str]) -> None:
        self._seed = seed
        self._input = (
            match_id.encode(),
            version.to_bytes(8, "big"),
            command_id.encode(),
            *(e.encode() for e in entropy),
        )
        # Derived by the first draw: every command is given dice, and many draw nothing.
        self._key: bytes | None = None
        self.draws = 0
        """The number of words drawn so far; the commit stores it."""

    def below(self, bound: int) -> int:
        if bound < 1:
            raise ValueError("the bound of a draw is at least 1")
        fair = _WORD - _WORD % bound
        while (word := self._word()) >= fair:
            pass
        return word % bound

    def choice(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def sample(self, options: Sequence[T], count: int) -> tuple[T, ...]:
        left = list(options)
        return tuple(left.pop(self.below(len(left))) for _ in range(count))

    def _word(self) -> int:
        if self._key is None:
            self._key = hmac.digest(self._seed, b"draw" + prefixed(*self._input), "sha256")
        word = hmac.digest(self._key, self.draws.to_bytes(4, "big"), "sha256")
        self.draws += 1
        return int.from_bytes(word[:8], "big")
