"""The state after an event. Checks nothing; works on full and on redacted states and events alike.

``take`` and ``add`` of a bag absorb unseen cards, so most evolvers need not know whether they see a card. Where a card
leaves the middle of those that Optimistic has shown, the fold of a viewer that sees none of them drops any: they look alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from domain.games.block_happy import events as e
from domain.games.block_happy.components import HAPPY, SHOCKED, TICKLED_PINK
from domain.games.block_happy.state import HandSeen, State, TopSeen, Window, answers_to, changed
from domain.hidden import NOBODY, Bag, Hidden, Secret, Veiled

T = TypeVar("T")


def evolve(state: State, event: e.Event) -> State:
    return EVOLVERS[type(event)](state, event)


def _at(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    return items[:place] + (item,) + items[place + 1 :]


def _added(numbers: tuple[int, ...], place: int, count: int) -> tuple[int, ...]:
    return _at(numbers, place, numbers[place] + count)


def _without(state: State, seat: int, *cards: str | Veiled[str]) -> tuple[Bag, ...]:
    hand = state.hands[seat]
    for card in cards:
        hand = hand.take(card)
    return _at(state.hands, seat, hand)


def _with(state: State, seat: int, card: str | Veiled[str]) -> tuple[Bag, ...]:
    return _at(state.hands, seat, state.hands[seat].add(card))


# -- plays and answers ------------------------------------------------------------------------------------------------


def _card_played(state: State, event: e.CardPlayed) -> State:
    pending = None
    if event.target is not None and answers_to(event.card, event.as_):
        pending = Window(event.target, event.card, event.as_, event.ask)
    return changed(
        state,
        hands=_without(state, event.seat, event.card),
        show_pile=state.show_pile + (event.card,),
        pending=pending,
    )


def _cards_played(state: State, event: e.PairPlayed | e.RainbowPlayed) -> State:
    return changed(
        state, hands=_without(state, event.seat, *event.cards), show_pile=state.show_pile + tuple(event.cards)
    )


def _answered(state: State, event: e.Answered) -> State:
    hands = _without(state, event.seat, event.card)
    return changed(state, hands=hands, show_pile=state.show_pile + (event.card,), pending=None)


def _declined(state: State, event: e.Declined) -> State:
    return changed(state, pending=None)


# -- happiness --------------------------------------------------------------------------------------------------------


def _happiness_taken(state: State, event: e.HappinessTaken) -> State:
    less = _added(state.happiness, event.source, -event.count)
    return changed(state, happiness=_added(less, event.seat, event.count))


def _happiness_buried(state: State, event: e.HappinessBuried) -> State:
    return changed(
        state,
        happiness=_added(state.happiness, event.seat, -event.count),
        hidden_pile=state.hidden_pile.add(*[HAPPY] * event.count).shuffle(),
        shocked=state.shocked or event.card == SHOCKED,
    )


def _happy_drawn(state: State, event: e.HappyDrawn) -> State:
    happiness = _added(state.happiness, event.seat, 1)
    return changed(state, happiness=happiness, hidden_pile=state.hidden_pile.take(HAPPY))


def _happy_laid_out(state: State, event: e.HappyLaidOut) -> State:
    left = state.pending.count - 1 if isinstance(state.pending, TopSeen) else 0
    return changed(
        state,
        happiness=_added(state.happiness, event.seat, 1),
        hidden_pile=_picked(state.hidden_pile, HAPPY),
        pending=TopSeen(left) if left else None,
    )


def _tickled_pink_shown(state: State, event: e.TickledPinkShown) -> State:
    return changed(state, hands=_without(state, event.seat, TICKLED_PINK), tickled_pink=event.seat)


# -- cards ------------------------------------------------------------------------------------------------------------


def _card_drawn(state: State, event: e.CardDrawn) -> State:
    return changed(state, hands=_with(state, event.seat, event.card), hidden_pile=state.hidden_pile.take(event.card))


def _show_pile_shuffled(state: State, event: e.ShowPileShuffled) -> State:
    return changed(state, hidden_pile=state.hidden_pile.add(*state.show_pile), show_pile=())


def _card_retrieved(state: State, event: e.CardRetrieved) -> State:
    show = state.show_pile
    left = show[: event.place] + show[event.place + 1 :]
    return changed(state, hands=_with(state, event.seat, event.card), show_pile=left)


def _cards_swapped(state: State, event: e.CardsSwapped) -> State:
    mine, theirs = state.hands[event.seat], state.hands[event.target]
    if event.given is not None:
        mine, theirs = mine.take(event.given), theirs.add(event.given)
    if event.got is not None:
        mine, theirs = mine.add(event.got), theirs.take(event.got)
    return changed(state, hands=_at(_at(state.hands, event.seat, mine), event.target, theirs))


def _hand_shown(state: State, event: e.HandShown) -> State:
    return changed(state, pending=HandSeen(event.target, event.cards))


def _moved(state: State, source: int, seat: int, card: str | Veiled[str]) -> tuple[Bag, ...]:
    return _at(_without(state, source, card), seat, state.hands[seat].add(card))


def _card_taken(state: State, event: e.CardTaken) -> State:
    return changed(state, hands=_moved(state, event.target, event.seat, event.card), pending=None)


def _question_answered(state: State, event: e.QuestionAnswered) -> State:
    return changed(state, hands=_moved(state, event.target, event.seat, event.card)) if event.has else state


def _cards_seen(state: State, event: e.CardsSeen) -> State:
    """Leaves the cards that lie on top already there; takes the others out of the pile under them."""
    known = min(len(state.hidden_pile.top), len(event.cards))
    deeper = state.hidden_pile.lift(known)
    for card in event.cards[known:]:
        deeper = deeper.take(card)
    return changed(state, hidden_pile=deeper.put_on_top(*event.cards), pending=TopSeen(len(event.cards)))


def _card_kept(state: State, event: e.CardKept) -> State:
    left = _picked(state.hidden_pile, None if isinstance(event.card, Hidden) else event.card.value)
    return changed(state, hands=_with(state, event.seat, event.card), hidden_pile=_turned_down(left), pending=None)


def _cards_put_back(state: State, event: e.CardsPutBack) -> State:
    return changed(state, hidden_pile=_turned_down(state.hidden_pile), pending=None)


def _picked(pile: Bag, card: str | None) -> Bag:
    """The pile without the first copy of this card on its top; without the topmost card if none of them is seen."""
    seen = [item.value if isinstance(item, Secret) else None for item in pile.top]
    place = seen.index(card) if card in seen else 0
    return Bag(pile.cards, pile.rest, pile.seats, pile.top[:place] + pile.top[place + 1 :])


def _turned_down(pile: Bag) -> Bag:
    return Bag(pile.cards, pile.rest, pile.seats, tuple([card.to(NOBODY) for card in pile.top]))


# -- turns ------------------------------------------------------------------------------------------------------------


def _turn_lost(state: State, event: e.TurnLost) -> State:
    return changed(state, skips=_added(state.skips, event.seat, 1))


def _turn_passed(state: State, event: e.TurnPassed) -> State:
    skips = state.skips
    for seat in event.skipped:
        skips = _added(skips, seat, -1)
    return changed(state, turn=event.seat, turns=state.turns + 1, skips=skips)


EVOLVERS: dict[type, Callable[[State, Any], State]] = {
    e.CardPlayed: _card_played,
    e.PairPlayed: _cards_played,
    e.RainbowPlayed: _cards_played,
    e.Answered: _answered,
    e.Declined: _declined,
    e.HappinessTaken: _happiness_taken,
    e.HappinessBuried: _happiness_buried,
    e.HappyDrawn: _happy_drawn,
    e.HappyLaidOut: _happy_laid_out,
    e.TickledPinkShown: _tickled_pink_shown,
    e.CardDrawn: _card_drawn,
    e.ShowPileShuffled: _show_pile_shuffled,
    e.CardRetrieved: _card_retrieved,
    e.CardsSwapped: _cards_swapped,
    e.HandShown: _hand_shown,
    e.CardTaken: _card_taken,
    e.QuestionAnswered: _question_answered,
    e.CardsSeen: _cards_seen,
    e.CardKept: _card_kept,
    e.CardsPutBack: _cards_put_back,
    e.TurnLost: _turn_lost,
    e.TurnPassed: _turn_passed,
}
