"""The choice of the rules that a match is read and decided by: its game, by id and version.

Everything that reads a log chooses here: a match keeps the version in its first commit, or the one that its seats have
changed over to. Where that code is missing, it is read by the next newer version, and nothing is decided
(``Table.has_rules``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from domain import wire
from domain.evolve import advance, begin
from domain.game import AnyGame
from domain.hidden import ALL, Sees
from domain.match import Match
from domain.store import Entry


def game_of(games: Mapping[str, AnyGame], first: Entry) -> AnyGame:
    """The rules to begin a match with, by its first entry. ``games``: the newest version of each game, by its id.

    Raises ``UnreadableError``, and ``NewerReleaseError`` if only newer code can read the match.
    """
    name, rules = wire.game_of(first)
    if name not in games:
        raise wire.UnreadableError(f"unknown game {name}")
    return games[name].reader(rules)


def folded(match_id: str, game: AnyGame, entries: Iterable[Entry], sees: Sees = ALL) -> Match | None:
    """Folds entries, from version 1 on, into a match; ``None`` without any. Each is decoded by the rules of its moment.

    ``game``: that of the first entry. Raises ``UnreadableError``, ``NewerRulesError``, and anything for forged entries.
    """
    match: Match | None = None
    for entry in entries:
        commit = wire.decode(game if match is None else match.game, entry)
        match = begin(match_id, game, commit) if match is None else advance(match, commit, sees)
    return match
