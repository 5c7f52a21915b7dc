"""Invariants: those of every state, and those of a state between two moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from domain.games.block_happy.components import (
    CREATIVE,
    CREATIVE_PLAYS,
    HAPPY,
    KIND,
    NAMES,
    NEARLY,
    TICKLED_PINK,
    title,
)
from domain.games.block_happy.state import State, TopSeen, Window, answers_to, outcome
from domain.hidden import Secret
from domain.validation import MalformedError

# -- always -----------------------------------------------------------------------------------------------------------


def check(state: State) -> Iterator[MalformedError]:
    """The faults of a full state, also of one in the middle of a play."""
    if not 0 <= state.turn < len(state.hands):
        yield MalformedError("turn", f"must be from 0 to {len(state.hands) - 1}")
        return
    yield from _card_faults(state)
    yield from _pending_faults(state)
    shown = state.tickled_pink
    if shown is not None and (shown >= len(state.hands) or state.happiness[shown] != NEARLY):
        yield MalformedError("tickled_pink", f"must be a seat that has {NEARLY} happiness")


def _card_faults(state: State) -> Iterator[MalformedError]:
    """BH-8: cards that are missing or there too often, and happiness in a hand or on the show pile."""
    for card, left in missing(state).items():
        if left:
            yield MalformedError(
                "hidden_pile", f"there are {KIND[card].copies - left} {card}, must be {KIND[card].copies}"
            )
    for seat, hand in enumerate(state.hands):
        if HAPPY in hand:
            yield MalformedError(f"hands[{seat}].cards", "must have no happy: that lies open or in the hidden pile")
    if HAPPY in state.show_pile:
        yield MalformedError("show_pile", "must have no happy: that lies open or in the hidden pile")


def missing(state: State) -> dict[str, int]:
    """The number of copies of each card that lie nowhere that can be seen; negative if there are too many."""
    seen: Counter[str] = Counter(state.show_pile)
    for bag in (*state.hands, state.hidden_pile):
        seen.update(bag.cards or ())
    seen.update(card.value for card in state.hidden_pile.top if isinstance(card, Secret))
    seen[HAPPY] += sum(state.happiness)
    seen[TICKLED_PINK] += state.tickled_pink is not None
    return {card: KIND[card].copies - seen[card] for card in NAMES}


def _pending_faults(state: State) -> Iterator[MalformedError]:
    pending = state.pending
    if pending is None:
        return
    if isinstance(pending, TopSeen):
        if len(state.hidden_pile.top) < pending.count:
            yield MalformedError("pending.count", "must not be more than the cards on top of the hidden pile")
    elif pending.target == state.turn or pending.target >= len(state.hands):
        yield MalformedError("pending.target", "must be an opponent of the active seat")
    elif isinstance(pending, Window):
        yield from _window_faults(state, pending)
    elif not isinstance(pending.cards, Secret) or pending.cards.value != state.hands[pending.target].cards:
        yield MalformedError("pending.cards", f"must be the cards of seat {pending.target}")
    elif not pending.cards.value:
        yield MalformedError("pending.cards", "must not be empty")


def _window_faults(state: State, pending: Window) -> Iterator[MalformedError]:
    if (pending.card == CREATIVE) != (pending.as_ in CREATIVE_PLAYS):
        yield MalformedError("pending.as", "must be what creative can be, or null for another card")
    elif not answers_to(pending.card, pending.as_):
        yield MalformedError(
            "pending.card", f"must be a play that can be answered, which {title(pending.emotion)} is not"
        )
    elif state.show_pile[-1:] != (pending.card,):
        yield MalformedError("show_pile", f"must have {pending.card}, which waits for an answer, as its last card")
    elif KIND[pending.emotion].aim == "somebody happy" and not state.happiness[pending.target]:
        yield MalformedError("pending.target", "must have happiness to lose")
    if (pending.emotion == "curious") != (pending.ask is not None) or pending.ask == HAPPY:
        yield MalformedError("pending.ask", "must be the card that curious asks for, not happy; null otherwise")


# -- between two moves ------------------------------------------------------------------------------------------------


def unsettled(state: State) -> Iterator[MalformedError]:
    """The faults of a position that would be no fault in the middle of a play.

    A win that is not shown yet (BH-9), a seen happy that is not laid out yet (BH-19), a pending step though the match is
    over, and a seat on turn that cannot play.
    """
    for seat, (had, hand) in enumerate(zip(state.happiness, state.hands, strict=True)):
        if had == NEARLY and TICKLED_PINK in hand:
            yield MalformedError(
                f"hands[{seat}].cards", "must not have tickled_pink, which is laid out at six happiness"
            )
    if outcome(state) is not None:
        if state.pending is not None:
            yield MalformedError("pending", "must be null: the match is over")
        return
    if any(isinstance(card, Secret) and card.value == HAPPY for card in state.hidden_pile.top):
        yield MalformedError("hidden_pile.top", "must have no happy: whoever saw it has laid it out")
    if state.pending is None and state.turn < len(state.hands) and len(state.hands[state.turn]) < 2:
        yield MalformedError(f"hands[{state.turn}]", "must have two cards at least: this seat is to play")
