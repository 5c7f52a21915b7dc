"""Knowledge: secrets, bags, and redaction.

A state marks a value that only some seats may know as a ``Secret``, and an unordered lot of cards as a ``Bag``.
``redact`` is the only place that hides anything; everything that a viewer gets is made from its result.
"""

from __future__ import annotations

import dataclasses
import types
from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    Protocol,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T")

Seats = frozenset[int]


class Everything(Enum):
    """The type of ``ALL``."""

    ALL = "all"


ALL: Final = Everything.ALL
"""The viewpoint that sees everything, also values that no seat has seen."""

Sees = Seats | Literal[Everything.ALL]
"""A viewpoint: the seats whose knowledge the viewer shares, or ``ALL``. A spectator's is the empty set."""

NOBODY: Final[Seats] = frozenset()


@dataclass(frozen=True, slots=True)
class Secret(Generic[T]):
    """A value that only ``seats`` may know."""

    value: T
    seats: Seats

    def to(self, seats: Seats) -> Secret[T]:
        """The same value, known to ``seats``."""
        return Secret(self.value, seats)


@dataclass(frozen=True, slots=True)
class Hidden:
    """A secret from the viewpoint of a viewer that may not know its value."""

    seats: Seats

    def to(self, seats: Seats) -> Hidden:
        return Hidden(seats)


Veiled = Secret[T] | Hidden
"""A secret, seen or unseen."""


def visible(seats: Seats, sees: Sees) -> bool:
    """True if ``sees`` may know a secret of ``seats``."""
    return sees is ALL or not seats.isdisjoint(sees)


class Chooser(Protocol):
    """The part of the dice that a bag needs."""

    def choice(self, options: Sequence[str]) -> str: ...


@dataclass(frozen=True, slots=True)
class Bag:
    """An unordered lot of cards known to ``seats``: a hand, or, known to nobody, a pile.

    ``cards`` are sorted; ``None`` means unseen, then only their number ``rest`` is known. ``top`` lies above the rest in
    a fixed order, first drawn first: cards that somebody has looked at and put back. A pile has no other order: a card
    is chosen when it is drawn, which has the same distribution as shuffling first.
    """

    cards: tuple[str, ...] | None
    rest: int
    seats: Seats = NOBODY
    top: tuple[Veiled[str], ...] = ()

    @staticmethod
    def of(cards: Iterable[str], seats: Seats = NOBODY) -> Bag:
        """Makes a seen bag of these cards, in any order, without a top."""
        ordered = tuple(sorted(cards))
        return Bag(ordered, len(ordered), seats)

    def __len__(self) -> int:
        return self.rest + len(self.top)

    def __contains__(self, card: str) -> bool:
        """True if the card is seen to be among the unordered ones."""
        return self.cards is not None and card in self.cards

    def draw(self, dice: Chooser) -> str:
        """Chooses the next card: the first of ``top``, otherwise any of the rest, all equally likely.

        Takes nothing out: ``evolve`` does that with ``take`` once the event is there. Raises ``ValueError`` on an empty or
        unseen bag.
        """
        if self.top:
            first = self.top[0]
            if isinstance(first, Hidden):
                raise ValueError("cannot draw from a bag that is not seen")
            return first.value
        if not self.cards:
            raise ValueError("cannot draw from a bag that is empty or not seen")
        return dice.choice(self.cards)

    def take(self, card: str | Veiled[str]) -> Bag:
        """The bag without this card: the first of ``top`` if there is a top, otherwise one of the rest.

        An unseen bag gets smaller. Raises ``ValueError`` if there is no such card.
        """
        if self.top:
            return Bag(self.cards, self.rest, self.seats, self.top[1:])
        if self.cards is None:
            if self.rest == 0:
                raise ValueError("nothing left to take")
            return Bag(None, self.rest - 1, self.seats)
        value = _known(card)
        i = self.cards.index(value)
        return Bag(self.cards[:i] + self.cards[i + 1 :], self.rest - 1, self.seats)

    def add(self, *cards: str | Veiled[str]) -> Bag:
        """The bag with these cards mixed among the rest; ``top`` stays where it is.

        Raises ``ValueError`` for a ``Hidden`` card and a bag whose cards are seen.
        """
        if self.cards is None:
            return Bag(None, self.rest + len(cards), self.seats, self.top)
        mixed = list(self.cards)
        for card in cards:
            insort(mixed, _known(card))
        return Bag(tuple(mixed), len(mixed), self.seats, self.top)

    def put_on_top(self, *cards: Veiled[str]) -> Bag:
        """The bag with these cards on top, the first one topmost."""
        return Bag(self.cards, self.rest, self.seats, tuple(cards) + self.top)

    def lift(self, count: int) -> Bag:
        """The bag without the first ``count`` cards of ``top``."""
        return Bag(self.cards, self.rest, self.seats, self.top[count:])

    def shuffle(self) -> Bag:
        """The bag with ``top`` mixed into the rest, so that no order is left."""
        return Bag(self.cards, self.rest, self.seats).add(*self.top)

    def redacted(self, sees: Sees) -> Bag:
        """The bag as ``sees`` may know it: its cards only for its own seats, its count and the seats of its top for all."""
        seen = self.cards is None or visible(self.seats, sees)
        if not self.top:
            return self if seen else Bag(None, self.rest, self.seats)
        cards = self.cards if seen else None
        return Bag(cards, self.rest, self.seats, tuple([_veil(card, sees) for card in self.top]))


def _known(card: str | Veiled[str]) -> str:
    if isinstance(card, Hidden):
        raise ValueError("an unseen card cannot go to or from cards that are seen")
    return card.value if isinstance(card, Secret) else card


def _veil(value: Any, sees: Sees) -> Any:
    if isinstance(value, Secret) and not visible(value.seats, sees):
        return Hidden(value.seats)
    return value


def veils(value: Any) -> tuple[Any, ...]:
    """The outline of everything hidden in a state, in the order of its fields: its seats and its amount, never its value.

    As long as the outline stays the same, nothing hidden has come to light or changed hands.
    """
    if isinstance(value, Bag):
        return (("bag", value.seats, value.rest), *(item for card in value.top for item in veils(card)))
    if isinstance(value, (Secret, Hidden)):
        return (("secret", value.seats),)
    if isinstance(value, tuple):
        return tuple(item for part in value for item in veils(part))
    if dataclasses.is_dataclass(value):
        return tuple(item for field in dataclasses.fields(value) for item in veils(getattr(value, field.name)))
    return ()


Redactor = Callable[[Any, Sees], Any]


def redact(value: T, sees: Sees) -> T:
    """The value with every secret hidden that ``sees`` may not know. For ``ALL`` it is the very same object.

    Works on any frozen dataclass. Its annotations say which fields may hold secrets, and are read once a class. Raises
    ``TypeError`` for a class whose secrets cannot be found from its annotations. 4 to 7 µs for the state of a card game.
    """
    if sees is ALL:
        return value
    cls: Any = type(value)
    redactor = _redactor(cls)
    return value if redactor is None else redactor(value, sees)


@cache
def _redactor(hint: Any) -> Redactor | None:
    """The function that redacts a value of this type; ``None`` if it cannot hold a secret."""
    origin = get_origin(hint)
    if hint is Secret or origin is Secret:
        return _veil
    if hint is Bag:
        return Bag.redacted
    if origin is Annotated:
        return _redactor(get_args(hint)[0])
    if origin is Union or origin is types.UnionType:
        return _union(get_args(hint))
    if origin is tuple:
        return _tuple(get_args(hint))
    if dataclasses.is_dataclass(hint) and hint is not Hidden:
        return _record(hint)
    if any(_redactor(arg) for arg in get_args(hint) if arg is not Ellipsis):
        raise TypeError(f"cannot redact what stands in {hint}")
    return None


def _union(hints: tuple[Any, ...]) -> Redactor | None:
    found = [(_runtime_type(hint), _redactor(hint)) for hint in hints]
    by_type = dict(found)
    if not any(by_type.values()):
        return None
    if len(by_type) < len(found):
        raise TypeError(f"cannot tell apart what to redact: {hints}")

    # Chosen by the exact class in one lookup: every view, refusal and streamed state is redacted through here.
    def redacted(value: Any, sees: Sees) -> Any:
        redactor = by_type.get(type(value))
        return value if redactor is None else redactor(value, sees)

    return redacted


def _runtime_type(hint: Any) -> Any:
    """The class that values of this type have."""
    origin = get_origin(hint)
    return _runtime_type(get_args(hint)[0]) if origin is Annotated else origin or hint


def _tuple(hints: tuple[Any, ...]) -> Redactor | None:
    if len(hints) == 2 and hints[1] is Ellipsis:
        each = _redactor(hints[0])
        if each is None:
            return None
        return lambda value, sees: tuple([each(item, sees) for item in value])
    redactors = [_redactor(hint) for hint in hints]
    if not any(redactors):
        return None
    return lambda value, sees: tuple(
        item if redactor is None else redactor(item, sees) for item, redactor in zip(value, redactors, strict=True)
    )


def _record(cls: Any) -> Redactor | None:
    hints = get_type_hints(cls, include_extras=True)
    names = tuple(field.name for field in dataclasses.fields(cls))
    redactors = [(i, found) for i, name in enumerate(names) if (found := _redactor(hints[name])) is not None]
    if not redactors:
        return None
    # All fields are read by one ``attrgetter`` in C and passed on by position, in the order of the fields: this and the
    # tuples made of lists above halved the time of a redaction. An ``attrgetter`` of one name gives no tuple, so a class with
    # one field goes its own way.
    if len(names) == 1:
        return lambda value, sees: cls(redactors[0][1](getattr(value, names[0]), sees))
    fields = attrgetter(*names)

    def redacted(value: Any, sees: Sees) -> Any:
        items = list(fields(value))
        for i, redactor in redactors:
            items[i] = redactor(items[i], sees)
        return cls(*items)

    return redacted
