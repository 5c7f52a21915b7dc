"""The viewpoints from which a replay may be watched."""

from __future__ import annotations

from domain.hidden import ALL, NOBODY, Sees
from domain.match import Match, Refused


def viewpoint_of(match: Match, asked: str | None, own: int | None) -> tuple[Sees, str] | Refused:
    """The viewpoint of this name (``all``, ``spectator`` or a seat) and the name itself. ``own``: the viewer's seat, if any.

    While the match runs a viewer may take its own seat's viewpoint or the spectator's; once the match has ended, any. The
    present status of the match decides, not the watched version. ``asked=None`` gives the viewpoint that sees most.
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
