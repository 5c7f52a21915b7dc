"""All matches by status, game and player. A private match stands only in the lists of the players that belong to it.

Lists: ``all``, ``s:<status>``, ``g:<game>``, ``g:<game>:<status>``, ``p:<player>``; private: ``h:<player>``. A list of its own,
``asked:<player>``, has the open matches whose host asks the player to be the arbiter. Four lists are for the server only:
``left:<player>`` has private matches by the time at which the player left, ``due`` has matches by their next deadline, and
``arbiter:<player>`` the matches on which the player may still be asked to rule: finished ones by the time of their end.
``bots`` has the matches in which a bot is to move.

Counts: public matches under ``all`` and ``p:<player>``, private ones under ``h:<player>``; see ``counted``. ``asks:<host>``
counts the open matches whose arbiter has not answered this host.
"""

from __future__ import annotations

from domain.deadlines import next_deadline
from projections.match_facts import MatchFacts, insiders
from projections.projection import Places, Projection, Row, Totals

DUE = "due"

BOTS = "bots"
"""The matches in which a bot is to move, by the time since when."""

ASKING = "asking"
"""The name of the count of open matches whose arbiter has not answered."""

NOT_ENDED = 2**52
"""The place of a match that has not ended in a list by the time of the end, in milliseconds: behind all times."""


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
        "bot_since": match.at if match.bots_to_move else None,
        "host": match.table.host,
        "asked_arbiter": match.table.asked_arbiter if match.status == "open" else None,
        # By protocol 1 nobody resigns, so there is nothing to find.
        "arbiter": None if match.status == "void" or match.table.protocol == 1 else match.table.named_arbiter,
        "ended_at": story.ended_at,
    }


def places(row: Row) -> Places:
    due = {} if row["due_at"] is None else {DUE: row["due_at"]}
    if row["bot_since"] is not None:
        due[BOTS] = row["bot_since"]
    left = {f"left:{player}": at for player, at in row["left"].items()} if row["private"] else {}
    return {**dict.fromkeys(_lists(row)), **due, **left, **_arbitrated(row)}


def _arbitrated(row: Row) -> dict[str, int | None]:
    """The lists of the arbiter, and of the player that is asked to be it."""
    asked: dict[str, int | None] = {} if row["asked_arbiter"] is None else {asked_of(row["asked_arbiter"]): None}
    if row["arbiter"] is None:
        return asked
    return asked | {arbitrated_by(row["arbiter"]): NOT_ENDED if row["ended_at"] is None else row["ended_at"]}


def asked_of(player: str) -> str:
    """The name of the list of the open matches whose host asks this player to be the arbiter."""
    return f"asked:{player}"


def arbitrated_by(player: str) -> str:
    """The name of the list of the matches on which this player may be asked to rule."""
    return f"arbiter:{player}"


def asks_of(host: str) -> str:
    """The subject of the count of the open matches of this host whose arbiter has not answered."""
    return f"asks:{host}"


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
    asking = {} if row["asked_arbiter"] is None else {asks_of(row["host"]): {ASKING: 1}}
    if row["private"]:
        return asking | {f"h:{insider}": counts | by_player for insider in row["insiders"]}
    return asking | {"all": counts} | {f"p:{player}": counts for player in row["players"]}


def counted(game: str, status: str, player: str = "") -> str:
    """The name of a count: the matches of a game and a status; of a private list also those at which a player sits."""
    return f"{game}:{status}:{player}"


LOBBY = Projection(name="lobby", revision=4, row=row, places=places, totals=totals)
