"""The memory of a seat of hidden cards: hands that it saw, cards that changed hands openly, answers "no", the pile's top.

Only what is certain is kept. Where a card that the seat did not see leaves a hand, all about that hand is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from domain.games.block_happy import events as e
from domain.games.block_happy.components import HAPPY
from domain.games.block_happy.state import State
from domain.hidden import Secret, Veiled

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hand:
    """The known part of a hand."""

    holds: tuple[str, ...] = ()
    """Cards that are certainly in it."""
    lacks: tuple[tuple[str, int], ...] = ()
    """Cards of which its other cards hold at most so many: as many as came unseen since it had none."""

    def came(self, card: str | None) -> Hand:
        """The hand after a card came to it; ``None``: unseen."""
        if card is not None:
            return replace(self, holds=(*self.holds, card))
        return replace(self, lacks=tuple([(lacked, most + 1) for lacked, most in self.lacks]))

    def gone(self, card: str | None) -> Hand:
        """The hand after a card left it; ``None``: unseen."""
        if card is None:
            return Hand()
        if card in self.holds:
            return replace(self, holds=_without(self.holds, card))
        return replace(self, lacks=tuple([(lacked, most - (lacked == card)) for lacked, most in self.lacks]))


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of the hands, one item a seat, its own unused, and of the pile's top, first drawn first."""

    hands: tuple[Hand, ...]
    top: tuple[str | None, ...] = ()


def remember(memory: Memory | None, state: State, event: e.Event, seat: int) -> Memory | None:
    remembering = _REMEMBERING.get(type(event))
    if remembering is None:
        return memory
    return remembering(memory or Memory((Hand(),) * len(state.hands)), state, event, seat)


def _without(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    place = items.index(item)
    return items[:place] + items[place + 1 :]


def _with_hand(memory: Memory, seat: int, hand: Hand) -> Memory:
    return replace(memory, hands=memory.hands[:seat] + (hand,) + memory.hands[seat + 1 :])


def _came(memory: Memory, seat: int, card: str | None) -> Memory:
    return _with_hand(memory, seat, memory.hands[seat].came(card))


def _gone(memory: Memory, seat: int, card: str | None) -> Memory:
    return _with_hand(memory, seat, memory.hands[seat].gone(card))


def _moved(memory: Memory, source: int, seat: int, card: str | None) -> Memory:
    return _came(_gone(memory, source, card), seat, card)


def _value(card: str | Veiled[str]) -> str | None:
    if isinstance(card, str):
        return card
    return card.value if isinstance(card, Secret) else None


def _values(cards: Iterable[Veiled[str]]) -> tuple[str | None, ...]:
    return tuple([_value(card) for card in cards])


# -- cards that everybody sees ----------------------------------------------------------------------------------------


def _played(memory: Memory, state: State, event: e.CardPlayed | e.Answered, seat: int) -> Memory:
    return _gone(memory, event.seat, event.card)


def _many_played(memory: Memory, state: State, event: e.PairPlayed | e.RainbowPlayed, seat: int) -> Memory:
    for card in event.cards:
        memory = _gone(memory, event.seat, card)
    return memory


def _retrieved(memory: Memory, state: State, event: e.CardRetrieved, seat: int) -> Memory:
    return _came(memory, event.seat, event.card)


def _answered(memory: Memory, state: State, event: e.QuestionAnswered, seat: int) -> Memory:
    if event.has:
        return _moved(memory, event.target, event.seat, event.card)
    hand = memory.hands[event.target]
    lacks = tuple([lacked for lacked in hand.lacks if lacked[0] != event.card])
    return _with_hand(memory, event.target, replace(hand, lacks=(*lacks, (event.card, 0))))


# -- cards that some see ----------------------------------------------------------------------------------------------


def _shown(memory: Memory, state: State, event: e.HandShown, seat: int) -> Memory:
    if not isinstance(event.cards, Secret):
        return memory
    return _with_hand(memory, event.target, Hand(tuple(event.cards.value)))


def _taken(memory: Memory, state: State, event: e.CardTaken, seat: int) -> Memory:
    return _moved(memory, event.target, event.seat, _value(event.card))


def _swapped(memory: Memory, state: State, event: e.CardsSwapped, seat: int) -> Memory:
    for source, to, card in ((event.seat, event.target, event.given), (event.target, event.seat, event.got)):
        if card is not None:
            memory = _moved(memory, source, to, _value(card))
    return memory


def _drawn(memory: Memory, state: State, event: e.CardDrawn, seat: int) -> Memory:
    known = memory.top[0] if memory.top else None
    return replace(_came(memory, event.seat, _value(event.card) or known), top=memory.top[1:])


# -- the top of the pile ----------------------------------------------------------------------------------------------


def _happy_drawn(memory: Memory, state: State, event: e.HappyDrawn, seat: int) -> Memory:
    return replace(memory, top=memory.top[1:])


def _buried(memory: Memory, state: State, event: e.HappinessBuried, seat: int) -> Memory:
    return replace(memory, top=())


def _seen(memory: Memory, state: State, event: e.CardsSeen, seat: int) -> Memory:
    seen = _values(event.cards)
    known = memory.top[: len(seen)] + (None,) * (len(seen) - len(memory.top))
    merged = tuple([new or old for new, old in zip(seen, known, strict=True)])
    return replace(memory, top=merged + memory.top[len(seen) :])


def _picked(memory: Memory, card: str | None) -> Memory:
    """Takes a card out of the top. One that the seat does not see may be any of those that were looked at."""
    if card in memory.top:
        return replace(memory, top=_without(memory.top, card))
    return replace(memory, top=(None,) * (len(memory.top) - 1))


def _laid_out(memory: Memory, state: State, event: e.HappyLaidOut, seat: int) -> Memory:
    return _picked(memory, HAPPY)


def _kept(memory: Memory, state: State, event: e.CardKept, seat: int) -> Memory:
    card = _value(event.card)
    return _came(_picked(memory, card), event.seat, card)


_REMEMBERING: dict[type, Callable[[Memory, State, Any, int], Memory]] = {
    e.CardPlayed: _played,
    e.PairPlayed: _many_played,
    e.RainbowPlayed: _many_played,
    e.Answered: _played,
    e.CardRetrieved: _retrieved,
    e.QuestionAnswered: _answered,
    e.HandShown: _shown,
    e.CardTaken: _taken,
    e.CardsSwapped: _swapped,
    e.CardDrawn: _drawn,
    e.HappyDrawn: _happy_drawn,
    e.HappinessBuried: _buried,
    e.CardsSeen: _seen,
    e.HappyLaidOut: _laid_out,
    e.CardKept: _kept,
}
