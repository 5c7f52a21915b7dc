"""The rating of a match: whether its result counts, and otherwise why not."""

from __future__ import annotations

from typing import Literal

from domain.match import Match

WhyUnrated = Literal[
    "void", "looked", "early", "position", "host_may_undo", "private", "options", "no_clock", "clock", "bots"
]
"""The reason why a result counts for no rating: the match is void; its arbiter has looked; a seat retired before it had moved; it
began from a position; its host may return to any version; it is private; it has other options than the usual ones; it has no
clock, or one that leaves too little or too much time; bots sit at it."""


def why_unrated(match: Match) -> WhyUnrated | None:
    """The reason why the result of a match counts, or would count, for no rating; ``None`` if it counts."""
    table = match.table
    if match.status == "void":
        return "void"
    if table.rated:
        return "bots" if match.has_bots else None
    if table.lost_rating is not None:
        return table.lost_rating
    if table.from_position:
        return "position"
    if table.undo == "host":
        return "host_may_undo"
    if table.private:
        return "private"
    if table.protocol >= 2 and table.options != table.at(0).game.options():
        return "options"
    return "no_clock" if table.clock is None else "clock"
