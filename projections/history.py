"""The matches of a player that have started: results, opponents, and each seat's use of undo.

Lists: ``p:<player>`` for each seated player; private matches: ``h:<player>`` for each player that belongs to them.
"""

from __future__ import annotations

from typing import Any

from domain.rating import why_unrated
from projections.match_facts import MatchFacts, insiders
from projections.projection import Places, Projection, Row


def row(story: MatchFacts) -> Row | None:
    match = story.match
    if story.started_at is None:
        return None
    return {
        "match_id": match.id,
        "game": match.game.id,
        "version": match.version,
        "status": match.status,
        "private": match.table.private,
        "insiders": insiders(match),
        "unrated": why_unrated(match),
        "from_position": match.table.from_position,
        "started_at": story.started_at,
        "ended_at": story.ended_at,
        "turns": match.node.turn if match.node is not None else 0,
        "reason": None if match.outcome is None else match.outcome.reason,
        "seats": [_seat(story, seat) for seat in range(len(match.table.seats))],
    }


def _seat(story: MatchFacts, seat: int) -> dict[str, Any]:
    match, undo = story.match, story.undo[seat]
    seated, outcome = match.table.seats[seat], match.outcome
    return {
        "seat": seat,
        "player_id": None if seated is None else seated.player,
        "retired": next((each.reason for each in match.retired if each.seat == seat), None),
        "result": None if outcome is None or match.status == "void" else "won" if seat in outcome.winners else "lost",
        "score": outcome.scores[seat] if outcome is not None and outcome.scores else None,
        "undo": {"asked": undo.asked, "granted": undo.granted, "declined": undo.declined, "free": undo.free},
    }


def places(row: Row) -> Places:
    players = {seat["player_id"] for seat in row["seats"] if seat["player_id"] is not None}
    if row["private"]:
        return dict.fromkeys(f"h:{player}" for player in row["insiders"])
    return dict.fromkeys(f"p:{player}" for player in players)


HISTORY = Projection(name="history", revision=3, row=row, places=places)
