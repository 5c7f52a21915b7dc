"""Tables that rule tests start from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from domain.games.block_happy import GAME
from domain.games.block_happy.components import WITHOUT_HAPPY
from domain.games.block_happy.examples import composed
from domain.hidden import Secret
from tests.support.scenario import Scenario, given

PLAIN = "sad sad funny angry scared surprised"
"""Six cards that do nothing, so that a hand has one that matters."""
OTHER = "scared scared funny angry angry surprised"
THIRD = "sad funny funny angry scared surprised"


def table(hands: Sequence[str], happiness: Sequence[int], **more: Any) -> Scenario:
    """A match at a composed position; the first seat is to play unless ``turn`` says otherwise."""
    return given(GAME, composed(hands, happiness, **more), len(hands))


def all_but(*hands: str) -> str:
    """All cards but happiness and the ones in these hands: a hand that leaves the piles empty."""
    return " ".join((Counter(WITHOUT_HAPPY) - Counter(" ".join(hands).split())).elements())


def known(card: Any, *seats: int) -> Secret[Any]:
    return Secret(card, frozenset(seats))


def play(card: str, target: int | None = None, *, as_: str | None = None, ask: str | None = None) -> dict[str, Any]:
    """The move as JSON."""
    fields = {"target": target, "as": as_, "ask": ask}
    return {"type": "play", "card": card} | {name: item for name, item in fields.items() if item is not None}


def answer(card: str) -> dict[str, Any]:
    return {"type": "answer", "card": card}


DECLINE = {"type": "decline"}
