"""What a seat can ask for. Moves that lie before nobody's eyes have their card face down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from domain.games.block_happy.components import MOST_SEATS, Card
from domain.validation import FACE_DOWN, Between, Length

Seat = Annotated[int, Between(0, MOST_SEATS - 1)]


@dataclass(frozen=True, slots=True)
class Play:
    """One card. ``as_``: what Creative stands for; ``ask``: what Curious asks for."""

    card: Card
    target: Seat | None = None
    as_: Card | None = None
    ask: Card | None = None

    @property
    def emotion(self) -> str:
        """What is felt: the card, or what Creative stands for."""
        return self.card if self.as_ is None else self.as_


@dataclass(frozen=True, slots=True)
class Pair:
    """Two of a simple emotion; ``take`` is the card wanted from the show pile, ``None`` if that is empty."""

    cards: Annotated[tuple[Card, ...], Length(2, 2)]
    take: Card | None = None


@dataclass(frozen=True, slots=True)
class Rainbow:
    """The five simple emotions; ``target`` loses one happiness, ``None`` if no opponent has any."""

    cards: Annotated[tuple[Card, ...], Length(5, 5)]
    target: Seat | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Meet the play that is aimed at me: Smug, Creative as Smug, or Overjoyed."""

    card: Card


@dataclass(frozen=True, slots=True)
class Decline:
    """Let the play that is aimed at me happen."""


@dataclass(frozen=True, slots=True)
class Take:
    """Cheeky: the card that I take out of the hand I see."""

    card: Annotated[Card, FACE_DOWN]


@dataclass(frozen=True, slots=True)
class Keep:
    """Optimistic: the card that I keep of those I see."""

    card: Annotated[Card, FACE_DOWN]


Move = Play | Pair | Rainbow | Answer | Decline | Take | Keep

MOVES: dict[str, type] = {
    "play": Play,
    "pair": Pair,
    "rainbow": Rainbow,
    "answer": Answer,
    "decline": Decline,
    "take": Take,
    "keep": Keep,
}
