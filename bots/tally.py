"""Counting matches: shares of victories with confidence intervals, lengths, ways of ending, slowest decisions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bots.match import Played
from bots.worth import won
from domain.game import Outcome

Z = 1.96
"""Standard deviations of a two-sided interval of 95 %."""


@dataclass(slots=True)
class Share:
    """The share of matches that somebody won. Of a victory that some share, each has a part."""

    won: float = 0.0
    of: int = 0

    @property
    def part(self) -> float:
        return self.won / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval by Wilson's score; from 0 to 1 without a match."""
        if not self.of:
            return 0.0, 1.0
        spread = Z * Z / self.of
        middle = self.part + spread / 2
        reach = Z * math.sqrt(self.part * (1 - self.part) / self.of + spread / (4 * self.of))
        return max(0.0, (middle - reach) / (1 + spread)), min(1.0, (middle + reach) / (1 + spread))

    def add(self, part: float) -> None:
        self.won += part
        self.of += 1


@dataclass(slots=True)
class Tally:
    """Played matches, counted."""

    moves: list[int] = field(default_factory=list)
    """The length of each match, in moves."""
    seats: dict[int, Share] = field(default_factory=dict)
    bots: dict[str, Share] = field(default_factory=dict)
    """Shares by the names of the bots, one for each seat that a bot played: two seats of one bot count twice."""
    ends: Counter[str] = field(default_factory=Counter)
    """How often each way of ending came."""
    slowest: dict[str, int] = field(default_factory=dict)
    """The longest decision by the names of the bots."""

    def add(self, played: Played, names: Sequence[str]) -> None:
        """Counts a match. ``names``: the bot of each seat."""
        self.moves.append(played.moves)
        outcome = played.outcome
        self.ends["broken off" if outcome is None else _end(outcome)] += 1
        for seat, name in enumerate(names):
            part = 0.0 if outcome is None else won(outcome, seat)
            self.seats.setdefault(seat, Share()).add(part)
            self.bots.setdefault(name, Share()).add(part)
            self.slowest[name] = max(self.slowest.get(name, 0), played.slowest[seat])


def _end(outcome: Outcome) -> str:
    return outcome.reason + {0: ", nobody wins", 1: ""}.get(len(outcome.winners), ", shared")


def lineup(names: Sequence[str], seats: int, number: int) -> tuple[str, ...]:
    """The bot of each seat in the match of this number: the names in turn, one seat further in every match."""
    return tuple(names[(seat + number) % seats % len(names)] for seat in range(seats))
