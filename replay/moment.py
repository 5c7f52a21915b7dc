"""One version of a match as a viewer saw it: once for HTTP, the terminal and records.

Who may look as whom is decided elsewhere (``viewpoint``); here ``sees`` is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from domain.game import AnyGame, Outcome
from domain.hidden import ALL, Seats, Sees, redact
from domain.match import Match
from replay.changes import Operation, changes


@dataclass(frozen=True, slots=True)
class Moment:
    """The match right after a version."""

    version: int
    state: dict[str, Any] | None
    """The game's state as ``sees`` may see it, as JSON data; ``None`` before the start of play."""
    to_move: Seats
    outcome: Outcome | None
    in_force: bool
    """Whether the version leads to the present state; also before the start of play."""


def moment(match: Match, version: int, sees: Sees) -> Moment:
    """Returns a version that the match has. O(log n), and one call of the game's ``view``."""
    return Moment(
        version=version,
        state=state_at(match, version, sees),
        to_move=match.to_move_at(version),
        outcome=match.outcome_at(version),
        in_force=Path(match).in_force(version),
    )


def state_at(match: Match, version: int, sees: Sees) -> dict[str, Any] | None:
    """Returns the game's state after a version as JSON data, as ``sees`` may see it; ``None`` before the start of play."""
    node = match.node_at(version)
    return None if node is None else dict(match.game_at(version).view(redact(node.state, sees)))


def moves_at(match: Match, version: int, sees: Sees) -> list[tuple[int, list[dict[str, Any]]]]:
    """Returns, for each seat that was to move and whose cards ``sees`` may see, what it could do, as JSON data.

    Nothing if the rules of that version are not here.
    """
    to_move = match.to_move_at(version)
    shown = to_move if sees is ALL else to_move & sees
    node = match.node_at(version)
    table = match.table.at(version)
    if node is None or not table.has_rules:
        return []
    return [(seat, _moves(table.game, node.state, seat)) for seat in sorted(shown)]


def moves_of(match: Match, state: Any, seat: int) -> list[dict[str, Any]]:
    """Returns the moves that a seat may make in a full state of the present rules, from what it knows, as JSON data."""
    return _moves(match.game, state, seat)


def _moves(game: AnyGame, state: Any, seat: int) -> list[dict[str, Any]]:
    return [game.plain_move(move) for move in game.legal(redact(state, frozenset({seat})), seat)]


def changes_at(match: Match, version: int, sees: Sees) -> Iterator[Operation]:
    """Yields the JSON Patch from the state one version before; nothing if there was none."""
    before = state_at(match, version - 1, sees)
    return iter(()) if before is None else changes(before, state_at(match, version, sees))


class Path:
    """The versions in force as of some version: those on the way to it from the start of play, and all before that.

    A commit about a dispute is always in force, for no return takes a dispute back.
    """

    def __init__(self, match: Match, until: int | None = None) -> None:
        self._match = match
        self._end = match.node if until is None else match.node_at(until)
        self._kept = {version for case in match.cases for version in case.commits}

    def in_force(self, version: int) -> bool:
        """Returns whether the version is in force. O(log n)."""
        if version <= self._match.table.first or self._end is None or version in self._kept:
            return True
        return self._end.find(version) is not None

    def place(self, version: int) -> tuple[int, int]:
        """Returns turn and branch of a version; both 0 before the start of play."""
        node = self._match.node_at(version)
        return (0, 0) if node is None else (node.turn, node.branch)
