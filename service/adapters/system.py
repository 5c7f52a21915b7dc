"""The clock and the entropy of this machine. They are passed in: nothing below ``service`` reads them itself."""

from __future__ import annotations

import os
import time


class SystemClock:
    """The wall clock. It may jump back, so it orders nothing but what people are shown."""

    def now(self) -> int:
        """Returns milliseconds since the epoch."""
        return time.time_ns() // 1_000_000

    def micros(self) -> int:
        """Returns microseconds since the epoch."""
        return time.time_ns() // 1000


class SystemEntropy:
    """The operating system's source of unpredictable bytes."""

    def bytes(self, count: int) -> bytes:
        return os.urandom(count)
