"""Releases that have the toy game by other versions of its rules, as processes over one log."""

from __future__ import annotations

from typing import Any

from tests.support import toy, toy_2
from tests.support.house import House, catalogue
from tests.support.http import Answer, Body, Table

NAME = toy.GAME.id


def older(house: House) -> House:
    """A process that knows version 1 only."""
    return house.another(games=catalogue())


def newer(house: House) -> House:
    """A process that knows both versions."""
    return house.another(games=catalogue() | {NAME: toy_2.GAME})


def forgetful(house: House) -> House:
    """A process that knows version 2 only."""
    return house.another(games=catalogue() | {NAME: toy_2.ONLY_2})


def at(table: Table, house: House) -> Table:
    """The table at another process, from where it is now."""
    players = [player.at(house.web) for player in table.players]
    there = Table(table.match_id, players, table.last, table.random.randrange(2**32))
    there.answers = table.answers
    return there


def propose(table: Table, seat: int = 0, **body: Any) -> Body:
    return table.asked(table.players[seat].post(f"{table.path}/rules", body))


def answered(table: Table, seat: int, request: int, *, accept: bool = True) -> Answer:
    return table.players[seat].post(f"{table.path}/rules/answer", {"accept": accept, "request": request})


def change_over(table: Table) -> Body:
    """Seat 0 proposes the newest rules and all others accept."""
    request = propose(table)["version"]
    for seat in range(1, len(table.players)):
        table.took(answered(table, seat, request))
    return table.last


def rules_of(table: Table, seat: int = 0) -> Body:
    return dict(table.players[seat].get(table.path).shown()["rules"])
