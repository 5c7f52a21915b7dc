"""The events of the game. A card that only some seats may know is a secret of exactly those seats (BH-29)."""

from __future__ import annotations

from dataclasses import dataclass

from domain.hidden import Veiled

# -- plays and answers ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A single card went from the hand to the show pile. If it can be answered, its target is asked now."""

    seat: int
    card: str
    target: int | None = None
    as_: str | None = None
    ask: str | None = None


@dataclass(frozen=True, slots=True)
class PairPlayed:
    """Two cards of a simple emotion went from the hand to the show pile."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RainbowPlayed:
    """One each of the five simple emotions went from the hand to the show pile."""

    seat: int
    cards: tuple[str, ...]
    target: int | None


@dataclass(frozen=True, slots=True)
class Answered:
    """The target met the play: Smug or Creative blocked it, or Overjoyed turned it round."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Declined:
    """The target gave no answer, so the play takes effect."""

    seat: int


# -- happiness --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HappinessTaken:
    """``count`` happiness, possibly none, went from the seat ``source`` to ``seat``."""

    seat: int
    source: int
    count: int


@dataclass(frozen=True, slots=True)
class HappinessBuried:
    """Glum or Shocked: ``count`` happiness of ``seat`` went into the hidden pile, which was shuffled at once."""

    seat: int
    count: int
    card: str


@dataclass(frozen=True, slots=True)
class HappyDrawn:
    """The drawn card was a happy; the seat laid it out."""

    seat: int


@dataclass(frozen=True, slots=True)
class HappyLaidOut:
    """Optimistic: one of the seen cards was a happy; the seat laid it out."""

    seat: int


@dataclass(frozen=True, slots=True)
class TickledPinkShown:
    """A seat with six happiness held Tickled Pink, laid it out and won."""

    seat: int


# -- cards ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card other than a happy went from the hidden pile to the hand."""

    seat: int
    card: Veiled[str]
    """A secret of ``seat``."""


@dataclass(frozen=True, slots=True)
class ShowPileShuffled:
    """The whole show pile was mixed into the hidden pile, under the seen cards on its top."""


@dataclass(frozen=True, slots=True)
class CardRetrieved:
    """A pair: a card of the show pile went to the hand; ``place`` is its index in the pile."""

    seat: int
    card: str
    place: int


@dataclass(frozen=True, slots=True)
class CardsSwapped:
    """Flirty: a card of each hand went to the other; ``None`` from an empty hand. Both are known to both seats."""

    seat: int
    target: int
    given: Veiled[str] | None
    got: Veiled[str] | None


@dataclass(frozen=True, slots=True)
class HandShown:
    """Cheeky: ``seat`` sees the hand of ``target`` and takes a card of it next."""

    seat: int
    target: int
    cards: Veiled[tuple[str, ...]]
    """A secret of ``seat`` in this event; the hand itself stays a secret of ``target``."""


@dataclass(frozen=True, slots=True)
class CardTaken:
    """Cheeky: a card of the seen hand changed hands; both seats know it."""

    seat: int
    target: int
    card: Veiled[str]


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """Curious: the true answer, given by the server. If ``has``, one copy went from ``target`` to ``seat``."""

    seat: int
    target: int
    card: str
    has: bool


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """Optimistic: ``seat`` saw the top cards of the hidden pile, in their order. They stay there for now."""

    seat: int
    cards: tuple[Veiled[str], ...]


@dataclass(frozen=True, slots=True)
class CardKept:
    """Optimistic: ``seat`` kept one of the seen cards; the others lie on top again, in their order."""

    seat: int
    card: Veiled[str]


@dataclass(frozen=True, slots=True)
class CardsPutBack:
    """A win cut Optimistic short: the seen cards lie on top again, in their order."""

    seat: int


# -- turns ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurnLost:
    """Bored: one more turn of ``seat`` will be skipped."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """The turn of ``seat`` begins; ``skipped`` are the seats that missed theirs on the way, in order."""

    seat: int
    skipped: tuple[int, ...] = ()


Event = (
    CardPlayed
    | PairPlayed
    | RainbowPlayed
    | Answered
    | Declined
    | HappinessTaken
    | HappinessBuried
    | HappyDrawn
    | HappyLaidOut
    | TickledPinkShown
    | CardDrawn
    | ShowPileShuffled
    | CardRetrieved
    | CardsSwapped
    | HandShown
    | CardTaken
    | QuestionAnswered
    | CardsSeen
    | CardKept
    | CardsPutBack
    | TurnLost
    | TurnPassed
)

EVENTS: dict[str, type] = {
    "card_played": CardPlayed,
    "pair_played": PairPlayed,
    "rainbow_played": RainbowPlayed,
    "answered": Answered,
    "declined": Declined,
    "happiness_taken": HappinessTaken,
    "happiness_buried": HappinessBuried,
    "happy_drawn": HappyDrawn,
    "happy_laid_out": HappyLaidOut,
    "tickled_pink_shown": TickledPinkShown,
    "card_drawn": CardDrawn,
    "show_pile_shuffled": ShowPileShuffled,
    "card_retrieved": CardRetrieved,
    "cards_swapped": CardsSwapped,
    "hand_shown": HandShown,
    "card_taken": CardTaken,
    "question_answered": QuestionAnswered,
    "cards_seen": CardsSeen,
    "card_kept": CardKept,
    "cards_put_back": CardsPutBack,
    "turn_lost": TurnLost,
    "turn_passed": TurnPassed,
}
