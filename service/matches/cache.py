"""Matches as last seen, kept so that the next command need not fold the log again. Never trusted: see ``commands``."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from domain.match import Match
from service.cache import Cache

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
    # No ``Cache``: which ids are remembered must follow from the log alone, not from which were asked for.

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
        self._loaded: Cache[str, Loaded] = Cache(max_commits, weigh=lambda loaded: loaded.match.version)

    def get(self, match_id: str) -> Loaded | None:
        loaded = self._loaded.get(match_id)
        if self._looked_up is not None:
            self._looked_up(loaded is not None)
        return loaded

    def put(self, loaded: Loaded) -> None:
        """Keeps it unless a newer one is kept already."""
        version = loaded.match.version
        self._loaded.put(loaded.match.id, loaded, unless=lambda known: known.match.version > version)

    def drop(self, match_id: str) -> None:
        self._loaded.remove(match_id)
