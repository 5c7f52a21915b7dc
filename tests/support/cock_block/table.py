"""Positions in a few words: who stands where with which cards; all other cards are the deck."""

from __future__ import annotations

from typing import Any

from domain.games.cock_block import GAME
from domain.games.cock_block.components import HEROES
from domain.games.cock_block.events import Drew
from domain.games.cock_block.state import Options
from domain.hidden import Secret
from tests.support.scenario import Scenario, given

GEEKS = Options(fights="geeks")


def at(space: str, *hand: str, **more: Any) -> dict[str, Any]:
    """A seat of the position: its hero's space, its cards, and what else there is to tell."""
    return {"at": space, "hand": {"cards": list(hand)}} | more


def position(*seats: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """In the format of the view, the heroes in the order of the table, seat 0 active unless told otherwise."""
    named = [{"hero": hero} | seat for hero, seat in zip(HEROES, seats, strict=False)]
    return {"active": 0} | fields | {"seats": named}


def table(*seats: dict[str, Any], options: Options | None = None, **fields: Any) -> Scenario:
    chosen = options or Options()
    return given(GAME, GAME.parse(position(*seats, **fields), len(seats), chosen), len(seats), chosen)


def move(cards: str, path: str = "forward") -> dict[str, Any]:
    """``move("flex_gunz wild", "left")``"""
    return {"type": "move", "cards": cards.split(), "path": path.split()}


def discard(cards: str) -> dict[str, Any]:
    return {"type": "discard", "cards": cards.split()}


def block(card: str, space: str) -> dict[str, Any]:
    return {"type": "block", "card": card, "at": space}


def rumor(target: int, path: str) -> dict[str, Any]:
    return {"type": "rumor", "target": target, "path": path.split()}


def slow(target: int) -> dict[str, Any]:
    return {"type": "slow", "target": target}


def counter(card: str, start: str, to: str) -> dict[str, Any]:
    return {"type": "counter", "card": card, "from": start, "to": to}


def legendary(card: str) -> dict[str, Any]:
    return {"type": "legendary", "card": card}


def put(space: str) -> dict[str, Any]:
    return {"type": "put", "at": space}


def commit(cards: str = "") -> dict[str, Any]:
    return {"type": "commit", "cards": cards.split()}


PICK_UP = {"type": "pick_up"}
END_TURN = {"type": "end_turn"}
ALL_ACCESS = {"type": "all_access"}
TOMAHAWK = {"type": "tomahawk"}
GLORY = {"type": "glory"}
CORN_PILLS = {"type": "corn_pills"}
DECLINE = {"type": "decline"}


def own(seat: int, *cards: str) -> Secret[tuple[str, ...]]:
    return Secret(cards, frozenset({seat}))


def drew(seat: int, *cards: str) -> Drew:
    return Drew(seat, tuple(Secret(card, frozenset({seat})) for card in cards))


def hand(scenario: Scenario, seat: int) -> list[str]:
    """The cards of a seat's hand, in the order of the table."""
    cards: list[str] = GAME.view(scenario.state)["seats"][seat]["hand"]["cards"]
    return cards


def spaces(scenario: Scenario) -> list[str]:
    """Where the heroes stand."""
    return [hero.at for hero in scenario.state.heroes]
