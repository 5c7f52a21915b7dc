"""The legal moves of a seat, found on a state redacted for it.

Moves are made once and kept: the same few thousand objects serve every position.
"""

from __future__ import annotations

from functools import cache

from domain.games.block_happy.components import ASKABLE, CREATIVE, CREATIVE_PLAYS, KIND, SHOCKED, SIMPLE, TICKLED_PINK
from domain.games.block_happy.moves import Answer, Decline, Keep, Move, Pair, Play, Rainbow, Take
from domain.games.block_happy.state import HandSeen, State, TopSeen, Window, answers_to, to_move
from domain.hidden import Secret

Targets = tuple[int | None, ...]
NO_TARGET: Targets = (None,)

# -- targets ----------------------------------------------------------------------------------------------------------


@cache
def opponents(seat: int, seats: int) -> tuple[int, ...]:
    return tuple(other for other in range(seats) if other != seat)


def happy_opponents(state: State, seat: int) -> Targets:
    """The opponents that can lose happiness (BH-10); ``NO_TARGET`` without any."""
    happiness = state.happiness
    return tuple([other for other in opponents(seat, len(happiness)) if happiness[other]]) or NO_TARGET


def targets(emotion: str, anybody: Targets, happy: Targets, shocked: bool) -> Targets:
    """The seats that this emotion may be played on; ``None`` stands for no target (BH-4, BH-10, BH-22)."""
    aim = KIND[emotion].aim
    if aim == "nobody" or (emotion == SHOCKED and shocked):
        return NO_TARGET
    return anybody if aim == "anybody" else happy


# -- legal ------------------------------------------------------------------------------------------------------------


def legal(state: State, seat: int) -> list[Move]:
    if seat not in to_move(state):
        return []
    pending = state.pending
    if pending is None:
        return _turn(state, seat)
    if isinstance(pending, Window):
        hand = state.hands[seat]
        return [DECLINE, *(_answer(card) for card in answers_to(pending.card, pending.as_) if card in hand)]
    if isinstance(pending, HandSeen):
        return [Take(card) for card in dict.fromkeys(seen_hand(pending))]
    return [Keep(card) for card in dict.fromkeys(seen_top(state, pending))]


def seen_hand(pending: HandSeen) -> tuple[str, ...]:
    """The hand that Cheeky shows, as far as it is seen."""
    return pending.cards.value if isinstance(pending.cards, Secret) else ()


def seen_top(state: State, pending: TopSeen) -> list[str]:
    """The cards that Optimistic shows, as far as they are seen."""
    return [card.value for card in state.hidden_pile.top[: pending.count] if isinstance(card, Secret)]


def _turn(state: State, seat: int) -> list[Move]:
    hand = state.hands[seat].cards or ()
    kinds = dict.fromkeys(hand)
    anybody, happy = opponents(seat, len(state.hands)), happy_opponents(state, seat)
    moves: list[Move] = []
    for card in kinds:
        moves += _plays(card, anybody, happy, state.shocked)
    simple = [card for card in SIMPLE if card in kinds]
    pairs = [(card, card) for card in simple if hand.count(card) > 1]
    if CREATIVE in kinds:
        pairs += [(card, CREATIVE) for card in simple]
    if pairs:
        wanted = sorted(set(state.show_pile)) or (None,)
        moves += [_pair(cards, take) for cards in pairs for take in wanted]
    if len(simple) > 3:
        moves += _rainbows(tuple(simple), CREATIVE in kinds, happy)
    return moves


DECLINE = Decline()


@cache
def _answer(card: str) -> Answer:
    return Answer(card)


@cache
def _plays(card: str, anybody: Targets, happy: Targets, shocked: bool) -> tuple[Play, ...]:
    """All plays of one card alone."""
    if card == TICKLED_PINK:
        return ()
    return tuple(
        Play(card, target, emotion if card == CREATIVE else None, ask)
        for emotion in (CREATIVE_PLAYS if card == CREATIVE else (card,))
        for target in targets(emotion, anybody, happy, shocked)
        for ask in (ASKABLE if emotion == "curious" else (None,))
    )


@cache
def _pair(cards: tuple[str, str], take: str | None) -> Pair:
    return Pair(cards, take)


@cache
def _rainbows(simple: tuple[str, ...], creative: bool, happy: Targets) -> tuple[Rainbow, ...]:
    """All rainbows of these simple emotions, with Creative in the place of any one if it is there."""
    lists = [simple] if simple == SIMPLE else []
    if creative:
        fours = [tuple(card for card in SIMPLE if card != missing) for missing in SIMPLE]
        lists += [(*four, CREATIVE) for four in fours if set(four) <= set(simple)]
    return tuple(Rainbow(cards, target) for cards in lists for target in happy)
