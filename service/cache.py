"""A bounded in-memory cache for values that can be looked up or computed again.

``cachetools`` would do, but its look-ups with a lifetime take 1 µs longer than these, and every move does one.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from service.ports import Clock

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Entries are valid for ``ms`` milliseconds of this clock."""

    clock: Clock
    ms: int


class Cache(Generic[Key, Value]):
    """The most recently used entries, bounded by number or weight, and by age if a lifetime is given. Thread-safe.

    The newest entry is kept whatever its weight. ``None`` cannot be a value.
    """

    def __init__(
        self, limit: int, *, lifetime: Lifetime | None = None, weigh: Callable[[Value], int] | None = None
    ) -> None:
        """``weigh`` must return the same weight for a value as long as it is kept; without it, each value weighs one."""
        self._limit = limit
        self._lifetime = lifetime
        self._weigh = weigh
        self._weight = 0
        self._lock = threading.Lock()
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        """Key → value and the time (ms) at which it expires, least recently used first."""
        self._removals = 0

    @property
    def removals(self) -> int:
        """The number of removals so far, of absent keys too; see ``put``."""
        return self._removals

    def get(self, key: Key) -> Value | None:
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or (self._lifetime is not None and entry[1] <= self._lifetime.clock.now()):
                return None
            self._entries.move_to_end(key)
        return entry[0]

    def put(
        self,
        key: Key,
        value: Value,
        *,
        since: int | None = None,
        unless: Callable[[Value], bool] | None = None,
    ) -> None:
        """Keeps the value, except if ``unless`` returns true for the one kept already.

        ``since``: the value of ``removals`` before the value was looked up; if anything was removed since, does nothing.
        """
        # Another thread may look a value up, see the key removed because the value is out of date, and only then get here.
        # Keeping it would bring the removed value back. One counter for all keys is enough: removals are rare, and not
        # keeping a value costs no more than one look-up.
        until = 0 if self._lifetime is None else self._lifetime.clock.now() + self._lifetime.ms
        with self._lock:
            if since is not None and since != self._removals:
                return
            known = self._entries.get(key)
            if known is not None and unless is not None and unless(known[0]):
                return
            self._pop(key)
            self._entries[key] = value, until
            self._weight += 1 if self._weigh is None else self._weigh(value)
            while self._weight > self._limit and len(self._entries) > 1:
                self._pop(next(iter(self._entries)))

    def remove(self, key: Key) -> None:
        with self._lock:
            self._removals += 1
            self._pop(key)

    def remove_where(self, removed: Callable[[Value], bool]) -> None:
        """Removes all values for which ``removed`` returns true. Linear in the number of entries."""
        with self._lock:
            self._removals += 1
            for key in [key for key, (value, _until) in self._entries.items() if removed(value)]:
                self._pop(key)

    def clear(self) -> None:
        with self._lock:
            self._removals += 1
            self._entries.clear()
            self._weight = 0

    def _pop(self, key: Key) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._weight -= 1 if self._weigh is None else self._weigh(entry[0])
