"""Reading logs page by page, so that a long one keeps neither this process nor the store from other work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace

from domain.store import Entry, Store, Stored

PAGE = 100
"""The entries that are read from the store at once: about 0.5 ms of work between two pauses."""
LONG = 10_000
"""The length that is assumed of a log of which only the beginning has been read."""
FOLDED = 8
"""The commits that are folded between two pauses: about 160 µs."""


class LogReader:
    """Reads stored entries.

    ``pause`` is called again and again during work that is linear in a match, so that other greenlets get their turn.
    ``turn(commits)`` is held while a log of more than that many commits is read.
    """

    def __init__(
        self, store: Store, pause: Callable[[], None], turn: Callable[[int], AbstractContextManager[None]]
    ) -> None:
        self._store = store
        self._turn = turn
        self.pause = pause

    def entries(self, match_id: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """Returns the entries behind a version. A long log waits for its turn."""
        first = PAGE if limit is None else min(PAGE, limit)
        entries = list(self._store.read(match_id, after, first))
        left = None if limit is None else limit - first
        if len(entries) == PAGE and left != 0:
            with self._turn(LONG if left is None else left):
                entries.extend(self.pages(match_id, entries[-1].version, left))
        return entries

    def whole(self, match_id: str) -> Stored:
        """Returns everything about a match, as of one moment. One round trip more than pages."""
        entries = list(self.pages(match_id))
        # The newest entry is read again, with what the store keeps beside the log. Only if both are of the same log.
        stored = self._store.whole(match_id, after=max(0, entries[-1].version - 1) if entries else 0)
        if not entries or not stored.entries or stored.entries[0] != entries[-1]:
            return self._store.whole(match_id)
        return replace(stored, entries=(*entries[:-1], *stored.entries))

    def pages(self, match_id: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """Yields the entries behind a version, with a pause after each page."""
        left = limit
        while left is None or left > 0:
            page = self._store.read(match_id, after, PAGE if left is None else min(PAGE, left))
            yield from page
            # Versions rise in a log of ours. In another one the same page could come for ever.
            if len(page) < PAGE or page[-1].version <= after:
                return
            after, left = page[-1].version, None if left is None else left - len(page)
            self.pause()

    def paced(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yields the same entries, with a pause after every few."""
        for number, entry in enumerate(entries, 1):
            yield entry
            if number % FOLDED == 0:
                self.pause()
