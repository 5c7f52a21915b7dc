"""The proposal to go on by a newer version of the game's rules, as the match keeps it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from domain import events
from domain.hidden import NOBODY, Seats


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change of the rules that ``seat`` asks the others to agree to. Any commit but an answer to it ends it."""

    version: int
    """The version of the proposing commit."""
    seat: int
    rules: int
    """The version of the game's rules to go on by."""
    asks: Seats
    """The seats that still have to accept."""
    accepted: Seats = NOBODY
    expires_at: int | None = None
    """As for a request for a return."""

    def answered(self, event: events.RulesAnswered) -> Proposal | None:
        """The proposal after an answer; ``None`` if that ends it."""
        if not event.accepted:
            return None
        return replace(self, asks=self.asks - {event.seat}, accepted=self.accepted | {event.seat})


def opened_proposal(event: events.RulesProposed, version: int, expires_at: int | None) -> Proposal:
    """The proposal that the commit of this version makes."""
    return Proposal(version, event.seat, event.rules, frozenset(event.asks), expires_at=expires_at)
