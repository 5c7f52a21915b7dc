"""Counts of what is open now, by key, over all web processes of a machine: connections, live streams."""

from __future__ import annotations

import hashlib
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager

PLACES = 1 << 16
"""Places for counts; keys share them. As many as two bytes can name."""

Places = tuple[int, int]


class Tally:
    """Counts in memory that a process shares with those that it forks. Each process writes a row of its own.

    A key has two places. The smaller count of both is its count, or more if both are shared with other keys; never less. A
    key is secret to the processes, so nobody can choose to share a place.
    """

    # No locks: only its own process writes a row, and a sum of rows that is one off for a moment does no harm.

    def __init__(self, rows: int = 1) -> None:
        self._counts = memoryview(mmap.mmap(-1, rows * PLACES * 2)).cast("H")
        self._key = os.urandom(16)
        self._free = list(range(rows))
        self._row = 0

    def reserve(self) -> int | None:
        """Returns a row for a process that is about to be forked; ``None`` if there is none left."""
        return self._free.pop(0) if self._free else None

    def use(self, row: int | None) -> None:
        """Makes this process write that row. Without one it counts by itself."""
        if row is None:
            self._counts = memoryview(mmap.mmap(-1, PLACES * 2)).cast("H")
        self._row = row or 0

    def release(self, row: int) -> None:
        """Clears the row of a process that has ended."""
        self._counts[row * PLACES : (row + 1) * PLACES] = memoryview(bytes(PLACES * 2)).cast("H")
        self._free.append(row)

    def places(self, key: str) -> Places:
        digest = hashlib.blake2b(key.encode(), key=self._key, digest_size=4).digest()
        return int.from_bytes(digest[:2]), int.from_bytes(digest[2:])

    def count(self, places: Places) -> int:
        """Returns the count over all processes. Linear in their number."""
        first, second = places
        return min(sum(self._counts[first::PLACES]), sum(self._counts[second::PLACES]))

    def add(self, places: Places, number: int) -> None:
        base = self._row * PLACES
        for place in places:
            self._counts[base + place] += number

    @contextmanager
    def held(self, places: Places) -> Iterator[None]:
        """Counts one more as long as the block runs."""
        self.add(places, 1)
        try:
            yield
        finally:
            self.add(places, -1)
