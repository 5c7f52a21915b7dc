"""The state, the deal, the seats to move, and the end."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final

from domain.game import Dice, Outcome, Turn
from domain.games.block_happy.components import (
    ATTACKS,
    BLOCKABLE,
    CREATIVE,
    HAND,
    HAPPINESS,
    HAPPY,
    LOOK,
    MAX_TURNS,
    MOST_SEATS,
    OVERJOYED,
    SMUG,
    WITHOUT_HAPPY,
    Card,
)
from domain.games.block_happy.moves import Seat
from domain.hidden import NOBODY, Bag, Seats, Veiled
from domain.validation import Between, MalformedError

OF: tuple[Seats, ...] = tuple(frozenset({seat}) for seat in range(MOST_SEATS))
"""The set of each seat alone, made once: the seats of a hand, and the seat to move."""

# -- state ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Options:
    first_seat: Annotated[int, Between(0, MOST_SEATS - 1)] | None = None
    """The seat that starts; drawn if it is not given."""


@dataclass(frozen=True, slots=True)
class Window:
    """The active seat's play waits for the answer of its target."""

    target: Seat
    card: Card
    as_: Card | None = None
    ask: Card | None = None

    @property
    def emotion(self) -> str:
        return self.card if self.as_ is None else self.as_


@cache
def answers_to(card: str, as_: str | None) -> tuple[str, ...]:
    """The cards that answer this play at a target, by BH-11, BH-12, BH-13 and BH-23.

    They follow from the played card, which all know. So the target is asked, or not, whatever it holds (BH-14).
    """
    emotion = card if as_ is None else as_
    blocks = (SMUG, CREATIVE) if card in BLOCKABLE else ()
    return blocks + ((OVERJOYED,) if emotion in ATTACKS else ())


@dataclass(frozen=True, slots=True)
class HandSeen:
    """Cheeky: the active seat sees the hand of ``target`` and is to take a card of it."""

    target: Seat
    cards: Veiled[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class TopSeen:
    """Optimistic: the active seat sees the first ``count`` cards on the hidden pile and is to keep one of them."""

    count: Annotated[int, Between(1, LOOK)]


Pending = Window | HandSeen | TopSeen


@dataclass(frozen=True, slots=True)
class State:
    """The state of a match. The tuples have one item a seat, except ``show_pile``."""

    turn: int
    """The active seat."""
    turns: int
    """The number of turns played; skipped ones do not count."""
    hands: tuple[Bag, ...]
    happiness: tuple[int, ...]
    hidden_pile: Bag
    show_pile: tuple[str, ...]
    """The played cards, the newest last."""
    skips: tuple[int, ...]
    """The number of its next turns that each seat misses."""
    shocked: bool = False
    """True once Shocked has acted."""
    pending: Pending | None = None
    """The step between a play and its end; ``None`` when the active seat is to play."""
    tickled_pink: int | None = None
    """The seat that has laid out Tickled Pink and won."""


_SAME: Final[Any] = object()


def changed(
    state: State,
    *,
    turn: int = _SAME,
    turns: int = _SAME,
    hands: tuple[Bag, ...] = _SAME,
    happiness: tuple[int, ...] = _SAME,
    hidden_pile: Bag = _SAME,
    show_pile: tuple[str, ...] = _SAME,
    skips: tuple[int, ...] = _SAME,
    shocked: bool = _SAME,
    pending: Pending | None = _SAME,
    tickled_pink: int | None = _SAME,
) -> State:
    """The state with these fields changed."""
    # Instead of ``dataclasses.replace``, for this runs for every event of a fold: 1.3 µs against 2.4 µs on CPython 3.11 for
    # two fields. The arguments stand in the order of the fields, and are typed by hand.
    return State(
        state.turn if turn is _SAME else turn,
        state.turns if turns is _SAME else turns,
        state.hands if hands is _SAME else hands,
        state.happiness if happiness is _SAME else happiness,
        state.hidden_pile if hidden_pile is _SAME else hidden_pile,
        state.show_pile if show_pile is _SAME else show_pile,
        state.skips if skips is _SAME else skips,
        state.shocked if shocked is _SAME else shocked,
        state.pending if pending is _SAME else pending,
        state.tickled_pink if tickled_pink is _SAME else tickled_pink,
    )


# -- deal -------------------------------------------------------------------------------------------------------------


def options_fault(options: Options, seats: int) -> MalformedError | None:
    if options.first_seat is not None and options.first_seat >= seats:
        return MalformedError("first_seat", f"must be from 0 to {seats - 1} at a table of {seats}")
    return None


def deal(seats: int, options: Options, dice: Dice) -> State:
    """BH-2. Draws the hands first, then the seat that starts."""
    drawn = dice.sample(WITHOUT_HAPPY, seats * HAND)
    left = list(WITHOUT_HAPPY)
    for card in drawn:
        left.remove(card)
    first = dice.below(seats) if options.first_seat is None else options.first_seat
    return State(
        turn=first,
        turns=0,
        hands=tuple(Bag.of(drawn[seat::seats], OF[seat]) for seat in range(seats)),
        happiness=(1,) * seats,
        hidden_pile=Bag.of(left + [HAPPY] * (HAPPINESS - seats), NOBODY),
        show_pile=(),
        skips=(0,) * seats,
    )


# -- to move, and the end ---------------------------------------------------------------------------------------------


def won(state: State) -> bool:
    """True once a seat has won by BH-9."""
    return state.tickled_pink is not None or HAPPINESS in state.happiness


def to_move(state: State) -> Seats:
    if won(state) or state.turns >= MAX_TURNS:
        return NOBODY
    pending = state.pending
    return OF[pending.target if type(pending) is Window else state.turn]


def turn_of(state: State) -> Turn:
    return Turn(state.turn, state.turns)


def outcome(state: State) -> Outcome | None:
    scores = state.happiness
    if state.tickled_pink is not None:
        return Outcome((state.tickled_pink,), scores, "six happiness and Tickled Pink", "BH-9")
    if HAPPINESS in scores:
        return Outcome((scores.index(HAPPINESS),), scores, "seven happiness", "BH-9")
    if state.turns >= MAX_TURNS:
        most = max(scores)
        winners = tuple(seat for seat, had in enumerate(scores) if had == most)
        return Outcome(winners, scores, f"most happiness after {MAX_TURNS:,} turns", "BH-28")
    return None
