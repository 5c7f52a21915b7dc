"""All matches by status, game and player. A private match stands only in the lists of the players that belong to it.

Lists: ``all``, ``s:<status>``, ``g:<game>``, ``g:<game>:<status>``, ``p:<player>``; private: ``h:<player>``. Two lists are for
the server only: ``left:<player>`` has private matches by the time at which the player left, and ``due`` has matches by their next
deadline.

Counts: public matches under ``all`` and ``p:<player>``, private ones under ``h:<player>``; see ``counted``.
"""

from __future__ import annotations

from domain.deadlines import next_deadline
from projections.match_facts import MatchFacts, insiders
from projections.projection import Places, Projection, Row, Totals

DUE = "due"


def row(story: MatchFacts) -> Row:
    match = story.match
    seated = [seat.player for seat in match.table.seats if seat is not None]
    return {
        "game": match.game.id,
        "status": match.status,
        "private": match.table.private,
        "insiders": insiders(match),
        "left": {player: at for player, at in story.left.items() if player not in insiders(match)},
        "players": seated,
        "due_at": next_deadline(match),
    }


def places(row: Row) -> Places:
    due = {} if row["due_at"] is None else {DUE: row["due_at"]}
    left = {f"left:{player}": at for player, at in row["left"].items()} if row["private"] else {}
    return dict.fromkeys(_lists(row)) | due | left


def _lists(row: Row) -> list[str]:
    game, status = row["game"], row["status"]
    if row["private"]:
        return [f"h:{player}" for player in row["insiders"]]
    return ["all", f"s:{status}", f"g:{game}", f"g:{game}:{status}", *(f"p:{player}" for player in row["players"])]


def place(game: str | None, status: str | None, player: str | None) -> str:
    """The name of the shortest public list that holds all matches of this game, status and player."""
    if player is not None:
        return f"p:{player}"
    if game is not None:
        return f"g:{game}" if status is None else f"g:{game}:{status}"
    return "all" if status is None else f"s:{status}"


def totals(row: Row) -> Totals:
    counts = {counted(row["game"], row["status"]): 1}
    by_player = {counted(row["game"], row["status"], player): 1 for player in row["players"]}
    if row["private"]:
        return {f"h:{insider}": counts | by_player for insider in row["insiders"]}
    return {"all": counts} | {f"p:{player}": counts for player in row["players"]}


def counted(game: str, status: str, player: str = "") -> str:
    """The name of a count: the matches of a game and a status; of a private list also those at which a player sits."""
    return f"{game}:{status}:{player}"


LOBBY = Projection(name="lobby", revision=2, row=row, places=places, totals=totals)
