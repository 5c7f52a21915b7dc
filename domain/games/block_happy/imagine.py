"""An imagined full state that a seat cannot tell from the real one by what it sees now."""

from __future__ import annotations

from domain.game import Dice
from domain.games.block_happy.check import missing
from domain.games.block_happy.components import HAPPY, NEARLY, TICKLED_PINK
from domain.games.block_happy.state import HandSeen, State, changed, outcome
from domain.hidden import Bag, Hidden, Secret, Veiled


def imagine(state: State, seat: int, dice: Dice) -> State:
    """Deals all unseen cards again, every possible world equally likely.

    Fills the places first that not every card can be in: no happiness is in a hand, nor on top of the pile, from where
    Optimistic has laid it out; and a seat with six happiness does not hold Tickled Pink, or it would have shown it.
    """
    state = _seen_hand_laid_open(state)
    unseen = _Unseen(state, dice)
    hands = list(state.hands)
    for other in sorted(range(len(hands)), key=lambda place: state.happiness[place] != NEARLY):
        hands[other] = _hand(state, other, unseen)
    # Only a win can have left happiness on top.
    without_happy = len(state.hidden_pile.top) if outcome(state) is None else 0
    top = [unseen.card(card) for card in state.hidden_pile.top[:without_happy]]
    unseen.mix_happiness_in()
    top += [unseen.card(card) for card in state.hidden_pile.top[without_happy:]]
    pile = state.hidden_pile
    cards = unseen.take(pile.rest) if pile.cards is None else pile.cards
    imagined = changed(state, hands=tuple(hands), hidden_pile=Bag.of(cards, pile.seats).put_on_top(*top))
    return _with_hand_seen(imagined)


def _seen_hand_laid_open(state: State) -> State:
    """The state with the hand open that Cheeky shows to the seat: the hand's own secret does not include the seat."""
    pending = state.pending
    if not isinstance(pending, HandSeen) or isinstance(pending.cards, Hidden):
        return state
    hands = list(state.hands)
    hands[pending.target] = Bag.of(pending.cards.value, hands[pending.target].seats)
    return changed(state, hands=tuple(hands))


def _hand(state: State, seat: int, unseen: _Unseen) -> Bag:
    hand = state.hands[seat]
    if hand.cards is not None:
        return hand
    barred = TICKLED_PINK if state.happiness[seat] == NEARLY else None
    return Bag.of(unseen.take(hand.rest, barred), hand.seats)


def _with_hand_seen(state: State) -> State:
    pending = state.pending
    if not isinstance(pending, HandSeen) or isinstance(pending.cards, Secret):
        return state
    cards = state.hands[pending.target].cards or ()
    return changed(state, pending=HandSeen(pending.target, Secret(cards, pending.cards.seats)))


class _Unseen:
    """The cards that the seat sees nowhere, in a random order. Happiness joins them with ``mix_happiness_in``."""

    def __init__(self, state: State, dice: Dice) -> None:
        left = missing(state)
        self._dice = dice
        self._happiness = [HAPPY] * left.pop(HAPPY)
        cards = [card for card, count in left.items() for _ in range(count)]
        self._cards = list(dice.sample(cards, len(cards)))

    def take(self, count: int, barred: str | None = None) -> list[str]:
        taken = [card for card in self._cards if card != barred][:count]
        for card in taken:
            self._cards.remove(card)
        return taken

    def card(self, card: Veiled[str]) -> Veiled[str]:
        return Secret(self.take(1)[0], card.seats) if isinstance(card, Hidden) else card

    def mix_happiness_in(self) -> None:
        cards = self._cards + self._happiness
        self._cards = list(self._dice.sample(cards, len(cards)))
