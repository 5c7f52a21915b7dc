"""A match as frames to leaf through: each version as somebody may see it, drawn as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from domain import wire
from domain.hidden import Sees, redact
from domain.match import Match
from domain.store import Entry
from replay.steps import Narrator, Path, Step


@dataclass(frozen=True, slots=True)
class Frame:
    """One version: what happened, how it stands, and who is to move. ``drawing`` is empty before the start of play."""

    step: Step
    in_force: bool
    drawing: str
    to_move: tuple[str, ...]
    """Names."""


class Frames:
    """All versions of a match, from 1 to ``len``, made when they are asked for."""

    def __init__(self, match: Match, entries: Sequence[Entry], names: Mapping[str, str], sees: Sees) -> None:
        self.match = match
        self._entries = entries
        self._sees = sees
        self._path = Path(match)
        self._narrator = Narrator(match.game, names)
        self._seats = [None if seated is None else seated.player for seated in match.table.seats]

    def __len__(self) -> int:
        return len(self._entries)

    def at(self, version: int) -> Frame:
        """Raises ``IndexError`` for a version that there is not."""
        if not 1 <= version <= len(self._entries):
            raise IndexError(version)
        game = self.match.game
        commit = wire.decode(game, self._entries[version - 1], self._sees)
        node = self.match.node_at(version)
        drawing = "" if node is None else game.draw(game.view(redact(node.state, self._sees)))
        return Frame(
            step=self._narrator.step(commit, self._seats),
            in_force=self._path.in_force(version),
            drawing=drawing,
            to_move=tuple(self._name(seat) for seat in sorted(self.match.to_move_at(version))),
        )

    def _name(self, seat: int) -> str:
        return self._narrator.name(seat, self._seats[seat])
