"""Rates: so many of something in so long a time, and the buckets that hold a caller to one.

A rate such as ``30 per 3 minutes`` allows 30 at once; from then on what was used comes back evenly, one every six seconds.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from service.ports import Rate

UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
FORM = re.compile(r"([1-9][0-9]{0,8}) per (?:([1-9][0-9]{0,5}) )?(second|minute|hour|day)s?")
MOST_KEYS = 20_000
"""Callers that one process remembers: a few MB, and far more than can be active at once."""
ROUNDING = 1e-6
"""Seconds. More than sums of floats are off."""


def parse_rate(text: str) -> Rate:
    """Reads a rate: ``30 per 3 minutes``, ``5 per second``. Raises ``ValueError``."""
    found = FORM.fullmatch(text)
    if found is None:
        raise ValueError("a rate looks like 30 per 3 minutes or 5 per second")
    return Rate(int(found[1]), int(found[2] or 1) * UNITS[found[3]])


class Buckets:
    """Buckets of this process. Keeps one number for each caller: the time at which its bucket is full again.

    That is the generic cell rate algorithm. ``now`` returns seconds and never goes back.
    """

    # Needs no lock: nothing in ``take`` switches greenlets, and two threads that meet let through one too many at worst.

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._full_at: dict[str, float] = {}

    def take(self, key: str, rate: Rate, patience: float = 0.0) -> float:
        """Takes one, or one that is there within ``patience`` seconds. Returns the seconds until it is there, 0 if it is.

        If they are more than ``patience``, nothing is taken. About 0.5 µs.
        """
        now = self._now()
        full_at = max(self._full_at.get(key, now), now) + rate.seconds / rate.amount
        wait = full_at - now - rate.seconds
        if wait > patience + ROUNDING:
            return wait
        if len(self._full_at) >= MOST_KEYS and key not in self._full_at:
            self._forget(now)
        self._full_at[key] = full_at
        return wait if wait > ROUNDING else 0.0

    def _forget(self, now: float) -> None:
        """Makes room: drops all full buckets, and if too few are full, the oldest half."""
        kept = [(key, full_at) for key, full_at in self._full_at.items() if full_at > now]
        self._full_at = dict(kept if len(kept) < MOST_KEYS // 2 else kept[len(kept) // 2 :])
