"""Positions to start from, and a function to write one: it places all cards of the deck that are not named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from domain.games.block_happy.components import ALL_CARDS, HAPPY, TICKLED_PINK
from domain.games.block_happy.position import view
from domain.games.block_happy.state import OF, Pending, State, TopSeen
from domain.hidden import NOBODY, Bag, Secret


def composed(
    hands: Sequence[str],
    happiness: Sequence[int],
    *,
    turn: int = 0,
    turns: int = 0,
    show: str = "",
    top: str = "",
    hidden: str | None = None,
    skips: Sequence[int] | None = None,
    shocked: bool = False,
    pending: Pending | None = None,
    tickled_pink: int | None = None,
) -> State:
    """Makes a state from lists of cards, each written as words in a string.

    All cards that are not named are in the hidden pile; or, if ``hidden`` names its cards, at the bottom of the show pile.
    """
    named = [card for cards in (*hands, show, top, hidden or "") for card in cards.split()]
    laid = [HAPPY] * sum(happiness) + [TICKLED_PINK] * (tickled_pink is not None)
    rest = sorted((Counter(ALL_CARDS) - Counter(named + laid)).elements())
    seen = pending.count if isinstance(pending, TopSeen) else 0
    lying = [Secret(card, OF[turn] if i < seen else NOBODY) for i, card in enumerate(top.split())]
    return State(
        turn=turn,
        turns=turns,
        hands=tuple(Bag.of(cards.split(), OF[seat]) for seat, cards in enumerate(hands)),
        happiness=tuple(happiness),
        hidden_pile=Bag.of(rest if hidden is None else hidden.split()).put_on_top(*lying),
        show_pile=(*(() if hidden is None else rest), *show.split()),
        skips=tuple(skips or (0,) * len(hands)),
        shocked=shocked,
        pending=pending,
        tickled_pink=tickled_pink,
    )


EXAMPLES: Mapping[str, Any] = {
    "annoyed meets smug": view(
        composed(
            ["annoyed curious sad sad funny angry bored", "smug overjoyed scared scared surprised angry outraged"],
            [1, 4],
            turns=6,
            show="funny frustrated",
        )
    ),
    "one from the end": view(
        composed(
            [
                "cheeky annoyed smug sad sad funny angry",
                "tickled_pink smug scared scared surprised angry flirty",
                "creative optimistic funny surprised scared angry sad",
            ],
            [6, 1, 0],
            turns=31,
            show="outraged smug glum surprised",
            shocked=True,
        )
    ),
    "what lies on top": view(
        composed(
            [
                "optimistic magical sad sad funny angry smug",
                "curious outraged scared scared surprised angry smug",
            ],
            [3, 2],
            turns=12,
            show="optimistic bored jealous",
            top="tickled_pink overjoyed",
        )
    ),
}
