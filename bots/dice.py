"""Dice for thoughts: fast, and repeatable by their seed. Nothing of a match itself is ever drawn with them.

The generator is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). A draw costs a
third of a draw of ``domain.chance``, whose draws anybody can check later; nobody checks thoughts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from domain.chance import prefixed

T = TypeVar("T")

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


class QuickDice:
    """Dice that follow from one whole number."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    @staticmethod
    def of(*parts: bytes) -> QuickDice:
        """The dice that follow from these parts, such as a match, its head and a seat."""
        return QuickDice(int.from_bytes(hashlib.sha256(prefixed(*parts)).digest()[:8], "big"))

    def word(self) -> int:
        """The next 64 bits."""
        self._state = word = self._state + _STEP & _MASK
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        word = (word ^ word >> 27) * 0x94D049BB133111EB & _MASK
        return word ^ word >> 31

    def below(self, bound: int) -> int:
        # Multiplied instead of divided; the bias is less than the bound in 2⁶⁴.
        return self.word() * bound >> 64

    def choice(self, options: Sequence[T]) -> T:
        return options[self.word() * len(options) >> 64]

    def sample(self, options: Sequence[T], count: int) -> tuple[T, ...]:
        left = list(options)
        for place in range(count):
            other = place + self.below(len(left) - place)
            left[place], left[other] = left[other], left[place]
        return tuple(left[:count])
