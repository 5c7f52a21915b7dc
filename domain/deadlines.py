"""Deadlines: the times at which something happens to a match although nobody acts.

The server sends the command that records it; ``next_deadline`` tells its worker when, and ``due_command`` which.
"""

from __future__ import annotations

from domain import commands
from domain.match import Match


def next_deadline(match: Match) -> int | None:
    """The time of the next deadline, in milliseconds since 1970-01-01 UTC; ``None`` if there is none."""
    if match.status == "open":
        return match.table.expires_at
    return None if match.case is None else match.case.lapses_at


def due_command(match: Match) -> commands.Expire | commands.Lapse:
    """The command that records the next deadline. It is refused before that time."""
    return commands.Expire() if match.status == "open" else commands.Lapse(len(match.cases))
