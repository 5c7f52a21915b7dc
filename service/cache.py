"""One bounded store for whatever can be asked for or worked out again.

``cachetools`` would do, but its look-ups with a lifetime take 1 µs longer than these, and one is on the way of every move.
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
    """Entries count for ``ms`` milliseconds of this clock."""

    clock: Clock
    ms: int


class Cache(Generic[Key, Value]):
    """The entries used last, bounded by their number or weight, and by age if a lifetime is given. Safe for threads.

    The newest entry is kept however much it weighs. ``None`` is no value.
    """

    def __init__(
        self, limit: int, *, lifetime: Lifetime | None = None, weigh: Callable[[Value], int] | None = None
    ) -> None:
        """``weigh`` gives the same weight for a value as long as it is kept; without, each weighs one."""
        self._limit = limit
        self._lifetime = lifetime
        self._weigh = weigh
        self._weight = 0
        self._lock = threading.Lock()
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        """Each with the time (ms) at which its lifetime is over."""
        self._removals = 0

    @property
    def removals(self) -> int:
        """How often something was to be removed; see ``put``."""
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
        """Keeps the value, ``unless`` that holds for the one kept already.

        ``since``: what ``removals`` was before the value was asked for. If something was removed in between, the answer may
        be the one of before, and keeping it would bring back what was removed: it is not kept.
        """
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
        """Removes all values for which that holds; linear in the number of entries."""
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
