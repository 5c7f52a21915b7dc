"""The moves of the game. A card that a move does not show to everybody is face down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from domain.games.block_happy.components import MOST_SEATS, Card
from domain.validation import FACE_DOWN, Between, Length

Seat = Annotated[int, Between(0, MOST_SEATS - 1)]


@dataclass(frozen=True, slots=True)
class Play:
    """Play one card. ``as_``: the card that Creative stands for; ``ask``: the card that Curious asks for."""

    card: Card
    target: Seat | None = None
    as_: Card | None = None
    ask: Card | None = None

    @property
    def emotion(self) -> str:
        """The emotion that is played: the card's own, or the one that Creative stands for."""
        return self.card if self.as_ is None else self.as_


@dataclass(frozen=True, slots=True)
class Pair:
    """Play two of a simple emotion; ``take`` is the card wanted from the show pile, ``None`` if that is empty."""

    cards: Annotated[tuple[Card, ...], Length(2, 2)]
    take: Card | None = None


@dataclass(frozen=True, slots=True)
class Rainbow:
    """Play the five simple emotions; ``target`` loses one happiness, ``None`` if no opponent has any."""

    cards: Annotated[tuple[Card, ...], Length(5, 5)]
    target: Seat | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer the play that is aimed at the seat: with Smug, Creative as Smug, or Overjoyed."""

    card: Card


@dataclass(frozen=True, slots=True)
class Decline:
    """Let the play that is aimed at the seat take effect."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take this card out of the hand that Cheeky shows."""

    card: Annotated[Card, FACE_DOWN]


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep this card of those that Optimistic shows."""

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
