"""Over whose shoulder a replay may be watched."""

from __future__ import annotations

from domain.hidden import ALL, NOBODY, Sees
from domain.match import Match, Refused


def sight(match: Match, asked: str | None, own: int | None) -> tuple[Sees, str] | Refused:
    """What may be seen under a name: ``all``, ``spectator`` or a seat. ``own`` is the seat of who asks, if any.

    While the match runs that is one's own seat's side and the spectator's; once it has ended, everything. What counts is
    the match's present status, not the version that is watched. Without a name: the most that one may see.
    """
    if asked is None:
        asked = "all" if match.ended else "spectator" if own is None else str(own)
    if asked == "spectator":
        return NOBODY, asked
    seats = range(len(match.table.seats))
    if asked != "all" and asked not in map(str, seats):
        return Refused("unreadable", f"as is all, spectator or a seat from 0 to {len(seats) - 1}.", field="as")
    if not match.ended and asked != str(own):
        return Refused("forbidden", "While the match runs you see your own seat's side only.")
    return (ALL, asked) if asked == "all" else (frozenset({int(asked)}), asked)
