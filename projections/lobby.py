"""Which matches there are: by status, by game, by player. Private ones stand in lists of those who belong to them only.

Lists: ``all``, ``s:<status>``, ``g:<game>``, ``g:<game>:<status>``, ``p:<player>``; private: ``h:<player>``. And ``due``, which
nobody is shown: the matches whose dispute lapses, by when.
"""

from __future__ import annotations

from projections.projection import Places, Projection, Row
from projections.story import Story, insiders

DUE = "due"


def row(story: Story) -> Row:
    match = story.match
    seated = [seat.player for seat in match.table.seats if seat is not None]
    return {
        "game": match.game.id,
        "status": match.status,
        "private": match.table.private,
        "insiders": insiders(match),
        "players": seated,
        "lapses_at": None if match.case is None else match.case.lapses_at,
    }


def places(row: Row) -> Places:
    due = {} if row.get("lapses_at") is None else {DUE: row["lapses_at"]}
    return dict.fromkeys(_lists(row)) | due


def _lists(row: Row) -> list[str]:
    game, status = row["game"], row["status"]
    if row["private"]:
        return [f"h:{player}" for player in row["insiders"]]
    return ["all", f"s:{status}", f"g:{game}", f"g:{game}:{status}", *(f"p:{player}" for player in row["players"])]


def place(game: str | None, status: str | None, player: str | None) -> str:
    """The shortest public list that holds everything of this kind."""
    if player is not None:
        return f"p:{player}"
    if game is not None:
        return f"g:{game}" if status is None else f"g:{game}:{status}"
    return "all" if status is None else f"s:{status}"


LOBBY = Projection(name="lobby", row=row, places=places)
