"""The state of a dispute, as the match keeps it. Disputes belong to the match, not to the game: no return undoes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from domain import events
from domain.commands import Clock, Ruling
from domain.commit import Commit
from domain.hidden import NOBODY, Seats

LAPSES_AFTER = 24 * 60 * 60 * 1000
"""Milliseconds after which a dispute expires that nobody has ruled on: the version stands."""

SHORTEST = 10 * 60 * 1000
"""Milliseconds that a dispute is open at least, however fast the clocks of the match."""


@dataclass(frozen=True, slots=True)
class Case:
    """A dispute about one version, from its raising to its ruling."""

    number: int
    """The number of the dispute within its match, from 1, in the order in which they were raised."""
    seat: int
    """The seat that raised it."""
    version: int
    """The disputed version."""
    reason: str
    raised: int
    """The version of the commit that raised it."""
    at: int
    """The time at which it was raised, in milliseconds since 1970-01-01 UTC."""
    looked_by: int | None = None
    """The version by which the arbiter looked at the hidden part of the disputed version; ``None`` if it did not."""
    proposal: Ruling | None = None
    """The ruling that seats back so far, in a match without an arbiter."""
    proposed_because: str = ""
    """The reason that the first seat gave for the proposal."""
    backed_by: Seats = NOBODY
    """The seats that back the proposal."""
    commits: tuple[int, ...] = ()
    """The versions of all commits about it."""
    ruling: Ruling | None = None
    """The ruling; ``None`` while the dispute is open."""
    ruled_because: str = ""
    lasts: int = LAPSES_AFTER
    """The milliseconds after which it expires."""
    lapsed: bool = False
    """True if the version stands only because the dispute expired."""

    @property
    def looked(self) -> bool:
        return self.looked_by is not None

    @property
    def open(self) -> bool:
        return self.ruling is None

    @property
    def lapses_at(self) -> int:
        """The time at which it expires, in milliseconds since 1970-01-01 UTC."""
        return self.at + self.lasts


def lasting(clock: Clock | None) -> int:
    """The milliseconds for which a dispute is open: with a clock ten times its turn or bank, within limits."""
    span = 0 if clock is None else (clock.turn or clock.bank or 0) * 10_000
    return LAPSES_AFTER if clock is None else min(max(span, SHORTEST), LAPSES_AFTER)


def cases_after(cases: tuple[Case, ...], event: Any, commit: Commit, clock: Clock | None) -> tuple[Case, ...]:
    """The disputes of a match after an event about one of them, which is always the newest."""
    if isinstance(event, events.Disputed):
        number, lasts = len(cases) + 1, lasting(clock)
        made = Case(number, event.seat, event.version, event.reason, commit.version, commit.at, lasts=lasts)
        return (*cases, replace(made, commits=(commit.version,)))
    last = _after(cases[-1], event, commit)
    return (*cases[:-1], replace(last, commits=(*last.commits, commit.version)))


def _after(case: Case, event: Any, commit: Commit) -> Case:
    match event:
        case events.HiddenLookedAt():
            return replace(case, looked_by=commit.version)
        case events.RulingBacked(_dispute, seat, ruling, reason):
            if ruling == case.proposal:
                return replace(case, backed_by=case.backed_by | {seat})
            return replace(case, proposal=ruling, proposed_because=reason, backed_by=frozenset({seat}))
        case events.Ruled(_dispute, _version, ruling, reason):
            return replace(case, ruling=ruling, ruled_because=reason)
        case _:
            return replace(case, ruling="stands", lapsed=True)
