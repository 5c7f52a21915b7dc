"""A match as frames to leaf through: each version from one viewpoint, drawn as text."""

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
    """One version: its step, its state as text, and the seats to move."""

    step: Step
    in_force: bool
    drawing: str
    """Lines of text; empty before the start of play."""
    to_move: tuple[str, ...]
    """The names of the players to move."""


class Frames:
    """All versions of a match, from 1 to ``len``. Each frame is made when it is asked for."""

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
        """The frame of a version. Raises ``IndexError`` for one that the match does not have."""
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
