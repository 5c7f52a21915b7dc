"""Retirement: a seat runs out of time, resigns, or its account is deleted. No return undoes it.

Of two seats the other wins. Of more, a stand-in plays on for the seat, which ranks behind all that are still in play; the last
seat in play wins. A player that has retired sees what a spectator sees, and nobody asks for its consent. By protocols 1 and 2
resigning ends every match at once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from domain.events import RetirementReason
from domain.game import Outcome


@dataclass(frozen=True, slots=True)
class Retirement:
    """A seat that has retired, when (milliseconds since 1970-01-01 UTC) and why."""

    seat: int
    at: int
    reason: RetirementReason


def in_play(seats: int, retired: Collection[Retirement]) -> list[int]:
    """The seats that have not retired."""
    gone = {each.seat for each in retired}
    return [seat for seat in range(seats) if seat not in gone]


def with_retired(outcome: Outcome, seats: int, retired: Collection[Retirement]) -> Outcome:
    """The game's outcome, in which only seats in play can win: all of these share it if the game names retired seats alone."""
    if not retired:
        return outcome
    playing = in_play(seats, retired)
    winners = tuple(seat for seat in outcome.winners if seat in playing) or tuple(playing)
    return Outcome(winners, outcome.scores, outcome.reason, outcome.rule)


def last_in_play(seats: int, retired: Sequence[Retirement]) -> Outcome | None:
    """The outcome if only one seat is left in play; ``None`` if there are more, or none."""
    playing = in_play(seats, retired)
    return Outcome(tuple(playing), (), retired[-1].reason) if len(playing) == 1 else None
