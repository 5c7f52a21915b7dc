"""The worth of a state for a seat, as bots see it."""

from __future__ import annotations

from domain.game import chance
from domain.games.block_happy.components import (
    ATTACKS,
    CREATIVE,
    HAPPINESS,
    KIND,
    NEARLY,
    OVERJOYED,
    SIMPLE,
    SMUG,
    TICKLED_PINK,
)
from domain.games.block_happy.state import State, Window, answers_to

HAPPY_WORTH = (0, 12, 22, 32, 43, 55, 72, 100)
"""The worth of so much happiness."""
CARD_WORTH = {
    OVERJOYED: 9,
    "outraged": 8,
    "magical": 8,
    SMUG: 6,
    "annoyed": 6,
    CREATIVE: 6,
    "frustrated": 4,
    "jealous": 4,
    "optimistic": 4,
    "cheeky": 4,
    "shocked": 3,
    "curious": 3,
    "bored": 3,
    "glum": 2,
    "flirty": 1,
    TICKLED_PINK: 3,
}
"""The worth of a card in the hand; a simple emotion has none of its own."""
PAIR = 2
"""The worth of a second copy of a simple emotion."""
RAINBOW = 6
UNKNOWN = 3
"""The worth of a card that is not seen."""
PINK_LATE = 20
"""The worth of Tickled Pink with five happiness; with fewer it grows towards that."""
TURN = 4
"""The worth of a turn: of being next, and of each that another seat misses."""
UNIT = 16


def evaluate(state: State, seat: int) -> float:
    """The chance that the seat wins: by happiness, as a waiting play would change it, by cards, and by turns."""
    seats = range(len(state.hands))
    happiness = awaited(state)
    strengths = [HAPPY_WORTH[happiness[other]] + cards_worth(state, other, happiness[other]) for other in seats]
    for other in seats:
        strengths[other] -= TURN * state.skips[other]
    strengths[state.turn] += TURN
    return chance(strengths, seat, UNIT)


def awaited(state: State) -> tuple[int, ...]:
    """The happiness of each seat once the target has answered the waiting play as well as its cards let it."""
    window = state.pending
    if not isinstance(window, Window):
        return state.happiness
    answers = [card for card in answers_to(window.card, window.as_) if card in state.hands[window.target]]
    if window.emotion not in ATTACKS:
        return state.happiness
    source, taker = window.target, state.turn
    if OVERJOYED in answers:
        source, taker = taker, source
    elif answers:
        return state.happiness
    moved = list(state.happiness)
    count = min(KIND[window.emotion].amount, moved[source])
    moved[source] -= count
    moved[taker] += count
    return tuple(moved)


def cards_worth(state: State, seat: int, happiness: int) -> int:
    hand = state.hands[seat]
    if hand.cards is None:
        return UNKNOWN * len(hand)
    worth, kinds = 0, 0
    for card in hand.cards:
        worth += CARD_WORTH.get(card, 0)
    for card in SIMPLE:
        copies = hand.cards.count(card)
        kinds += copies > 0
        worth += PAIR * (copies > 1)
    if kinds + (CREATIVE in hand) >= len(SIMPLE):
        worth += RAINBOW
    if TICKLED_PINK in hand and happiness < HAPPINESS:
        worth += PINK_LATE * happiness // NEARLY
    return worth
