"""Makes an imagined state agree with a memory: cards change places until each known card is where it is known to be."""

from __future__ import annotations

from domain.game import Dice
from domain.games.block_happy.components import HAPPY, NEARLY, TICKLED_PINK
from domain.games.block_happy.memory import Memory
from domain.games.block_happy.state import HandSeen, State, changed
from domain.hidden import Bag, Secret

PILE = -1
"""The place of the cards in the pile below its top. The cards on top have the places below it, the first one -2."""


def agree(state: State, seat: int, memory: Memory | None, dice: Dice) -> State:
    if memory is None:
        return state
    places = _Places(state, seat, dice)
    for index, card in enumerate(memory.top[: len(state.hidden_pile.top)]):
        if card is not None:
            places.put(card, PILE - 1 - index)
    others = [other for other in range(len(state.hands)) if other != seat]
    for other in others:
        for card in memory.hands[other].holds:
            places.put(card, other)
    for other in others:
        for card, most in memory.hands[other].lacks:
            places.remove(card, other, max(0, most), {lacked for lacked, _ in memory.hands[other].lacks})
    return places.state()


class _Places:
    """The cards that the seat does not see, each with its place, and those among them that must stay there."""

    def __init__(self, state: State, seat: int, dice: Dice) -> None:
        self._state, self._seat, self._dice = state, seat, dice
        self._cards: list[str] = []
        self._at: list[int] = []
        for other, hand in enumerate(state.hands):
            if other != seat:
                self._lay(hand.cards or (), other)
        for index, card in enumerate(state.hidden_pile.top):
            self._lay((card.value,) if isinstance(card, Secret) else (), PILE - 1 - index)
        self._lay(state.hidden_pile.cards or (), PILE)
        self._fixed: set[int] = set()

    def _lay(self, cards: tuple[str, ...], place: int) -> None:
        self._cards += cards
        self._at += [place] * len(cards)

    def put(self, card: str, place: int) -> None:
        """Sees to it that one more copy of the card lies in this place, and stays there."""
        loose = [index for index in range(len(self._cards)) if index not in self._fixed]
        there = [index for index in loose if self._at[index] == place]
        if held := [index for index in there if self._cards[index] == card]:
            self._fixed.add(held[0])
            return
        sources = [index for index in loose if self._cards[index] == card]
        pairs = [(source, index) for source in sources for index in there if self._may(index, self._at[source])]
        if pairs:
            source, index = self._dice.choice(pairs)
            self._swap(source, index)
            self._fixed.add(index)

    def remove(self, card: str, place: int, most: int, unwanted: set[str]) -> None:
        """Exchanges copies of the card that are not known to be in this hand, all but ``most``, for cards of the pile."""
        loose = [index for index in range(len(self._cards)) if index not in self._fixed]
        extra = [index for index in loose if self._at[index] == place and self._cards[index] == card][most:]
        for index in extra:
            pile = [
                other
                for other in loose
                if self._at[other] == PILE and self._cards[other] not in unwanted and self._may(other, place)
            ]
            if pile:
                self._swap(self._dice.choice(pile), index)

    def _may(self, index: int, place: int) -> bool:
        """True if this card may lie in this place: see ``imagine``."""
        card = self._cards[index]
        if card == HAPPY:
            return place == PILE
        return place < 0 or card != TICKLED_PINK or self._state.happiness[place] != NEARLY

    def _swap(self, one: int, other: int) -> None:
        self._cards[one], self._cards[other] = self._cards[other], self._cards[one]

    def state(self) -> State:
        state, pile = self._state, self._state.hidden_pile
        hands = tuple(
            hand if other == self._seat else Bag.of(self._in(other), hand.seats)
            for other, hand in enumerate(state.hands)
        )
        top = [Secret(self._in(PILE - 1 - index)[0], card.seats) for index, card in enumerate(pile.top)]
        pending = state.pending
        if isinstance(pending, HandSeen):
            pending = HandSeen(pending.target, Secret(hands[pending.target].cards or (), pending.cards.seats))
        return changed(
            state, hands=hands, hidden_pile=Bag.of(self._in(PILE), pile.seats).put_on_top(*top), pending=pending
        )

    def _in(self, place: int) -> list[str]:
        return [card for card, at in zip(self._cards, self._at, strict=True) if at == place]
