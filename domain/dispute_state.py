"""A dispute as the match remembers it. Disputes are the match's, not the game's: no return takes them back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from domain import events
from domain.commands import Ruling
from domain.commit import Commit
from domain.hidden import NOBODY, Seats

LAPSES_AFTER = 24 * 60 * 60 * 1000
"""Milliseconds after which a dispute that nobody has ruled on lets the version stand."""


@dataclass(frozen=True, slots=True)
class Case:
    """A dispute about one version, and what became of it."""

    number: int
    """From 1, in the order in which they were raised."""
    seat: int
    """Who raised it."""
    version: int
    reason: str
    raised: int
    """The version of the commit that raised it."""
    at: int
    """When that was, in milliseconds since 1970-01-01 UTC."""
    looked: bool = False
    """Whether the arbiter has looked at what is hidden."""
    proposal: Ruling | None = None
    """The ruling that seats have agreed to so far, where there is no arbiter."""
    proposed_because: str = ""
    backed_by: Seats = NOBODY
    commits: tuple[int, ...] = ()
    """The versions at which something was done about it."""
    ruling: Ruling | None = None
    ruled_because: str = ""
    lapsed: bool = False
    """Whether it stands only because nobody ruled in time."""

    @property
    def open(self) -> bool:
        return self.ruling is None

    @property
    def lapses_at(self) -> int:
        return self.at + LAPSES_AFTER


def cases_after(cases: tuple[Case, ...], event: Any, commit: Commit) -> tuple[Case, ...]:
    """The disputes of a match after one of their events."""
    if isinstance(event, events.Disputed):
        made = Case(len(cases) + 1, event.seat, event.version, event.reason, commit.version, commit.at)
        return (*cases, replace(made, commits=(commit.version,)))
    last = _after(cases[-1], event)
    return (*cases[:-1], replace(last, commits=(*last.commits, commit.version)))


def _after(case: Case, event: Any) -> Case:
    match event:
        case events.HiddenLookedAt():
            return replace(case, looked=True)
        case events.RulingBacked(_dispute, seat, ruling, reason):
            if ruling == case.proposal:
                return replace(case, backed_by=case.backed_by | {seat})
            return replace(case, proposal=ruling, proposed_because=reason, backed_by=frozenset({seat}))
        case events.Ruled(_dispute, _version, ruling, reason):
            return replace(case, ruling=ruling, ruled_because=reason)
        case _:
            return replace(case, ruling="stands", lapsed=True)
