"""Matches as last seen, kept so that the next command need not fold the log again. Never trusted: see ``commands``."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from domain.match import Match

REMEMBERED_COMMANDS = 1024
"""How many command ids a match remembers; an older one can no longer be repeated safely."""

CommandKey = tuple[str, str]
"""Player id and command id."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A match with what the service needs beside it."""

    match: Match
    seed: bytes = field(repr=False)
    commands: OrderedDict[CommandKey, int] = field(repr=False)
    """Command → version. Shared by the newer states of the match: its rows are facts of the log, only ever added."""

    def remember(self, command: CommandKey, version: int) -> None:
        self.commands[command] = version
        if len(self.commands) > REMEMBERED_COMMANDS:
            self.commands.popitem(last=False)


class MatchCache:
    """The most recently used matches, bounded by the number of their commits together (about 2 KB each).

    Safe to use from several threads.
    """

    def __init__(self, max_commits: int, looked_up: Callable[[bool], None] | None = None) -> None:
        """``looked_up`` is called after each look-up with whether it found something."""
        self._looked_up = looked_up
        self._lock = threading.Lock()
        self._max_commits = max_commits
        self._commits = 0
        self._loaded: OrderedDict[str, Loaded] = OrderedDict()

    def get(self, match_id: str) -> Loaded | None:
        with self._lock:
            loaded = self._loaded.get(match_id)
            if loaded is not None:
                self._loaded.move_to_end(match_id)
        if self._looked_up is not None:
            self._looked_up(loaded is not None)
        return loaded

    def put(self, loaded: Loaded) -> None:
        """Keeps it unless a newer one is kept already."""
        match = loaded.match
        with self._lock:
            known = self._loaded.get(match.id)
            if known is not None and known.match.version > match.version:
                return
            self._drop(match.id)
            self._loaded[match.id] = loaded
            self._commits += match.version
            while self._commits > self._max_commits and len(self._loaded) > 1:
                _id, oldest = self._loaded.popitem(last=False)
                self._commits -= oldest.match.version

    def drop(self, match_id: str) -> None:
        with self._lock:
            self._drop(match_id)

    def _drop(self, match_id: str) -> None:
        known = self._loaded.pop(match_id, None)
        if known is not None:
            self._commits -= known.match.version
