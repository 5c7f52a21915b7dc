"""Time and chance of this machine, as things that are handed in: nothing below ``service`` asks for them itself."""

from __future__ import annotations

import os
import time


class SystemClock:
    """The wall clock. It may jump back; nothing orders by it but what is shown to people."""

    def now(self) -> int:
        """Milliseconds since the epoch."""
        return time.time_ns() // 1_000_000

    def micros(self) -> int:
        """Microseconds since the epoch."""
        return time.time_ns() // 1000


class SystemEntropy:
    """The operating system's source of unpredictable bytes."""

    def bytes(self, count: int) -> bytes:
        return os.urandom(count)
