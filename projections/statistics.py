"""Statistics of a game: length, wins by seat, endings. Each finished match counts once, as it stands now.

Private matches are left out: a reader of the figures before and after one would know how it went.
"""

from __future__ import annotations

from projections.match_facts import MatchFacts
from projections.projection import Projection, Row, Totals


def row(story: MatchFacts) -> Row | None:
    match = story.match
    if match.status != "finished" or match.outcome is None or match.node is None or match.table.private:
        return None
    return {
        "game": match.game.id,
        "seats": len(match.table.seats),
        "turns": match.node.turn,
        "returns": match.branches,
        "winners": sorted(match.outcome.winners),
        "reason": match.outcome.reason,
    }


def totals(row: Row) -> Totals:
    """The counts of a game: ``matches``, ``turns``, ``returns``, ``reason:<why>``, ``seats:<n>``, ``wins:<n>:<seat>``."""
    seats = row["seats"]
    counted = {"matches": 1, "turns": row["turns"], "returns": row["returns"]}
    counted |= {f"seats:{seats}": 1, f"reason:{row['reason']}": 1}
    return {row["game"]: counted | {f"wins:{seats}:{seat}": 1 for seat in row["winners"]}}


STATISTICS = Projection(name="statistics", row=row, totals=totals)
