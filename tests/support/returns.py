"""Asking for a return and answering, over HTTP."""

from __future__ import annotations

from typing import Any

from tests.support.house import House
from tests.support.http import Body, Table

MOVES = 4
"""Of a table on which somebody asks: with the joins it is at version 7 then, and version 5 was not the asker's alone."""


def consenting(house: House, game: str = "territories", moves: int = MOVES, **more: Any) -> Table:
    table = house.table(game, 3, undo="consent", **more)
    table.play_on(moves)
    return table


def ask(table: Table, seat: int = 0, to: int = 4, way: str = "undo", **more: Any) -> Body:
    return table.asked(table.players[seat].post(f"{table.path}/{way}", {"to": to, **more}))


def answer(table: Table, seat: int, accept: bool, **more: Any) -> Body:
    """Answers the open request."""
    body = {"accept": accept, "request": open_request(table)} | more
    return table.took(table.players[seat].post(f"{table.path}/undo/answer", body))


def open_request(table: Table) -> int:
    """The version of the open request."""
    return int(table.players[0].get(table.path).shown()["request"]["version"])


def returned(table: Table, to: int, seat: int = 0, way: str = "undo") -> Body:
    """Asked for and agreed to by all."""
    ask(table, seat, to, way)
    for other in range(len(table.players)):
        if other != seat:
            answer(table, other, accept=True)
    return table.last


def live(table: Table, seat: int = 0) -> Body:
    return table.players[seat].get(table.path).shown()


def seen(table: Table) -> list[Any]:
    """State, whose turn and moves as every seat sees them."""
    shown = [live(table, seat) for seat in range(len(table.players))]
    moves = [player.get(f"{table.path}/moves").shown()["moves"] for player in table.players]
    return [(body["state"], body["to_move"], listed) for body, listed in zip(shown, moves, strict=True)]


def last_row(table: Table) -> Body:
    (row,) = table.host.get(f"{table.path}/replay?mode=played&after={table.version - 1}").shown()["steps"]
    return dict(row)
