"""Deadlines: the times at which something happens to a match although nobody acts.

The server sends the command that records it; ``next_deadline`` tells its worker when, and ``due_command`` which. Reads do not
wait for it: ``as_of`` gives the match as it is to be read at a time.
"""

from __future__ import annotations

from domain import commands, dispute
from domain.evolve import without_request
from domain.match import Match


def next_deadline(match: Match) -> int | None:
    """The time of the next deadline, in milliseconds since 1970-01-01 UTC; ``None`` if there is none."""
    if match.status == "open":
        check = match.table.check
        return match.table.expires_at if check is None else min(check.due, match.table.expires_at)
    if match.case is not None:
        return match.case.lapses_at
    if match.status != "live" or match.clocks is None:
        return None
    asked = match.request or match.proposal
    times = [due.at for due in match.clocks.due()]
    if asked is not None and asked.expires_at is not None:
        times.append(asked.expires_at)
    return min(times, default=None)


def due_command(match: Match) -> commands.Expire | commands.Lapse | commands.RunOut:
    """The command that records the next deadline. It is refused before that time."""
    if match.status == "open":
        check = match.table.check
        return commands.RunOut() if check is not None and check.due <= match.table.expires_at else commands.Expire()
    return commands.RunOut() if match.case is None and match.clocks is not None else commands.Lapse(len(match.cases))


def as_of(match: Match, at: int) -> Match:
    """The match as it is to be read at this time (in milliseconds).

    A dispute or a request that has expired by then counts as closed. A clock that has run out changes nothing before that is
    recorded.
    """
    match = dispute.as_of(match, at)
    asked = match.request or match.proposal
    if asked is None or asked.expires_at is None or at < asked.expires_at:
        return match
    return without_request(match)
