"""A match as frames to leaf through: each version from one viewpoint, drawn as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from domain import wire
from domain.hidden import Sees
from domain.match import Match
from domain.store import Entry
from replay.moment import moment
from replay.steps import Narrator, Step, seated


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
        self._narrator = Narrator(match.table, names)
        self._seats = seated(match)

    def __len__(self) -> int:
        return len(self._entries)

    def at(self, version: int) -> Frame:
        """The frame of a version. Raises ``IndexError`` for one that the match does not have."""
        if not 1 <= version <= len(self._entries):
            raise IndexError(version)
        game = self.match.game_at(version)
        commit = wire.decode(game, self._entries[version - 1], self._sees)
        seen = moment(self.match, version, self._sees)
        return Frame(
            step=self._narrator.step(commit, self._seats),
            in_force=seen.in_force,
            drawing="" if seen.state is None else game.draw(seen.state),
            to_move=tuple(self._name(seat) for seat in sorted(seen.to_move)),
        )

    def _name(self, seat: int) -> str:
        return self._narrator.name(seat, self._seats[seat])
