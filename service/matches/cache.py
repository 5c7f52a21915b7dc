"""Folded matches, cached so that the next command need not fold the log again. Never trusted: see ``repository``."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from domain.match import Match
from service.cache import Cache

REMEMBERED_COMMANDS = 1024
"""The most command ids kept of a player at a match; a command before its last so many can no longer be repeated safely."""


class CommandIds:
    """The newest command ids of each player at a match. They follow from the log alone, so every process keeps the same.

    Not a ``Cache``: the ids kept must not depend on the order in which they were looked up. Bounded for each player, so that
    no player's commands push out those of another.
    """

    def __init__(self) -> None:
        self._versions: dict[str, OrderedDict[str, int]] = {}

    def version(self, player: str, command_id: str) -> int | None:
        """Returns the version that a command made; ``None`` for one that is not known (any more)."""
        known = self._versions.get(player)
        return None if known is None else known.get(command_id)

    def add(self, player: str, command_id: str, version: int) -> None:
        known = self._versions.setdefault(player, OrderedDict())
        known[command_id] = version
        if len(known) > REMEMBERED_COMMANDS:
            known.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A match with its seed and its recent command ids."""

    match: Match
    seed: bytes = field(repr=False)
    commands: CommandIds = field(repr=False)
    """Shared by the newer states of the match: its items are facts of the log, and are only ever added."""


class MatchCache:
    """The most recently used matches, bounded by the number of their commits together (about 2 KB each).

    Safe to use from several threads.
    """

    def __init__(self, max_commits: int, count_lookup: Callable[[bool], None] | None = None) -> None:
        """``count_lookup`` is called after each look-up, with true if it found the match."""
        self._count_lookup = count_lookup
        self._loaded: Cache[str, Loaded] = Cache(max_commits, weigh=lambda loaded: loaded.match.version)

    def get(self, match_id: str) -> Loaded | None:
        loaded = self._loaded.get(match_id)
        if self._count_lookup is not None:
            self._count_lookup(loaded is not None)
        return loaded

    def put(self, loaded: Loaded) -> None:
        """Keeps the match, unless a newer version of it is kept already."""
        version = loaded.match.version
        self._loaded.put(loaded.match.id, loaded, unless=lambda known: known.match.version > version)

    def drop(self, match_id: str) -> None:
        self._loaded.remove(match_id)
