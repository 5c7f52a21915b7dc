"""The row of a match in every list of matches: seats, status, result, times. It holds nothing of the game's state."""

from __future__ import annotations

from domain import validation
from domain.rating import why_unrated
from projections.match_facts import MatchFacts
from projections.projection import Projection, Row


def row(story: MatchFacts) -> Row:
    match = story.match
    table = match.table
    return {
        "match_id": match.id,
        "game": match.game.id,
        "version": match.version,
        "status": match.status,
        "private": table.private,
        "unrated": why_unrated(match),
        "from_position": table.from_position,
        "host": table.host,
        "arbiter": table.named_arbiter,
        "arbiter_accepted": table.arbiter is not None,
        "clock": None if table.clock is None else dict(validation.plain(table.clock)),
        "retired": [[each.seat, each.reason] for each in match.retired],
        "seats": [None if seated is None else seated.player for seated in table.seats],
        "to_move": sorted(match.to_move),
        "turn": 0 if match.node is None else match.node.turn,
        "void_reason": match.void_reason,
        "outcome": None if match.outcome is None else dict(validation.plain(match.outcome)),
        "opened_at": table.opened_at,
        "changed_at": match.at,
    }


SUMMARY = Projection(name="summary", revision=4, row=row)
