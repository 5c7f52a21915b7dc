"""The 70 cards, in one table. The copies of a card are our choice where the published list gives only their sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from domain.validation import OneOf

Group = Literal["simple", "happiness", "attack", "defend", "control", "power", "overjoyed", "tickled pink"]

Aim = Literal["nobody", "anybody", "somebody happy"]
"""The target that a card needs: nobody, any opponent, or an opponent with at least one happiness."""

HAND = 7
"""The number of cards that every hand is dealt and refilled to."""
HAPPINESS = 7
"""The number of happiness cards in the deck, and the number that wins."""
NEARLY = 6
"""The happiness that wins together with Tickled Pink."""
ALL_OF_IT = HAPPINESS
"""The amount of a card that takes all happiness: more than any seat can lose."""
LOOK = 3
"""The number of cards that Optimistic sees."""
MAX_TURNS = 2000
"""The number of turns after which the most happiness wins (BH-28)."""
MOST_SEATS = 5


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of card. ``amount`` is the happiness that it takes, or puts into the hidden pile."""

    name: str
    title: str
    group: Group
    copies: int
    aim: Aim = "nobody"
    amount: int = 0


DECK: tuple[Kind, ...] = (
    Kind("funny", "Funny", "simple", 6),
    Kind("surprised", "Surprised", "simple", 6),
    Kind("scared", "Scared", "simple", 6),
    Kind("angry", "Angry", "simple", 6),
    Kind("sad", "Sad", "simple", 6),
    Kind("happy", "Happy", "happiness", HAPPINESS),
    Kind("frustrated", "Frustrated", "attack", 4, "somebody happy", 1),
    Kind("annoyed", "Annoyed", "attack", 4, "somebody happy", 2),
    Kind("outraged", "Outraged", "attack", 4, "somebody happy", ALL_OF_IT),
    Kind("smug", "Smug", "defend", 5),
    Kind("bored", "Bored", "control", 2, "anybody"),
    Kind("flirty", "Flirty", "control", 2, "anybody"),
    Kind("curious", "Curious", "control", 2, "anybody"),
    Kind("optimistic", "Optimistic", "control", 2),
    Kind("cheeky", "Cheeky", "control", 1, "anybody"),
    Kind("magical", "Magical", "power", 1, "somebody happy", 2),
    Kind("shocked", "Shocked", "power", 1, "somebody happy", ALL_OF_IT),
    Kind("jealous", "Jealous", "power", 1, "somebody happy", 1),
    Kind("glum", "Glum", "power", 1, "somebody happy", 1),
    Kind("overjoyed", "Overjoyed", "overjoyed", 1),
    Kind("tickled_pink", "Tickled Pink", "tickled pink", 1),
    # Creative stands last because it is shown last in a list of cards.
    Kind("creative", "Creative", "power", 1),
)

KIND = {kind.name: kind for kind in DECK}
NAMES = tuple(KIND)
Card = Annotated[str, OneOf(NAMES)]

HAPPY = "happy"
SMUG = "smug"
CREATIVE = "creative"
OVERJOYED = "overjoyed"
SHOCKED = "shocked"
TICKLED_PINK = "tickled_pink"

RAINBOW_TAKES = 1

ALL_CARDS = tuple(kind.name for kind in DECK for _ in range(kind.copies))
WITHOUT_HAPPY = tuple(name for name in ALL_CARDS if name != HAPPY)
CARDS = len(ALL_CARDS)


def _in(*groups: Group) -> tuple[str, ...]:
    return tuple(kind.name for kind in DECK if kind.group in groups)


SIMPLE = _in("simple")
ATTACKS = frozenset(_in("attack"))
BLOCKABLE = ATTACKS | {"bored", "flirty", "cheeky", "curious"}
"""The cards that Smug blocks."""
CREATIVE_PLAYS = _in("simple", "attack", "control")
"""The cards that Creative can stand for on a seat's own turn."""
ASKABLE = tuple(name for name in NAMES if name != HAPPY)
ORDER = {name: place for place, name in enumerate(NAMES)}
"""The place of a card in the order in which lists of cards are shown."""


def title(card: str) -> str:
    return KIND[card].title
