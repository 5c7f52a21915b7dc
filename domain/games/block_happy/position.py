"""The state as JSON, and back. A view and a position have one format; a position has every card open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from domain import shape
from domain.games.block_happy.components import (
    ALL_CARDS,
    CREATIVE,
    CREATIVE_PLAYS,
    HAPPINESS,
    HAPPY,
    KIND,
    MAX_TURNS,
    MOST_SEATS,
    NAMES,
    NEARLY,
    TICKLED_PINK,
    Card,
    title,
)
from domain.games.block_happy.moves import Seat
from domain.games.block_happy.state import (
    OF,
    HandSeen,
    Options,
    Pending,
    State,
    TopSeen,
    Window,
    answers_to,
    outcome,
)
from domain.hidden import NOBODY, Bag, Secret
from domain.shape import Between, Length, Malformed

# -- view -------------------------------------------------------------------------------------------------------------


def view(state: State) -> dict[str, Any]:
    return {
        "turn": state.turn,
        "turns": state.turns,
        "hands": [shape.plain(hand) for hand in state.hands],
        "happiness": list(state.happiness),
        "hidden_pile": shape.plain(state.hidden_pile),
        "show_pile": list(state.show_pile),
        "skips": list(state.skips),
        "shocked": state.shocked,
        "pending": None if state.pending is None else _pending_view(state.pending),
        "tickled_pink": state.tickled_pink,
    }


def _pending_view(pending: Pending) -> dict[str, Any]:
    made: dict[str, Any] = shape.plain(pending)
    return {"type": PENDING_NAMES[type(pending)]} | made


PENDING: dict[str, type] = {"answer_window": Window, "hand_seen": HandSeen, "top_seen": TopSeen}
PENDING_NAMES = {cls: name for name, cls in PENDING.items()}

# -- parse ------------------------------------------------------------------------------------------------------------

Cards = Annotated[tuple[Card, ...], Length(0, len(ALL_CARDS))]
Amount = Annotated[int, Between(0, HAPPINESS)]
Count = Annotated[int, Between(0, len(ALL_CARDS))]
Turns = Annotated[int, Between(0, MAX_TURNS)]


@dataclass(frozen=True, slots=True)
class Hand:
    count: Count
    cards: Cards


@dataclass(frozen=True, slots=True)
class Pile:
    count: Count
    cards: Cards
    top: Cards = ()


@dataclass(frozen=True, slots=True)
class SeenHand:
    target: Seat
    cards: Cards


PendingShape = Window | SeenHand | TopSeen
PENDING_SHAPES: dict[str, type] = {"answer_window": Window, "hand_seen": SeenHand, "top_seen": TopSeen}


@dataclass(frozen=True, slots=True)
class Position:
    turn: Seat
    turns: Turns
    hands: Annotated[tuple[Hand, ...], Length(2, MOST_SEATS)]
    happiness: tuple[Amount, ...]
    hidden_pile: Pile
    show_pile: Cards
    skips: tuple[Turns, ...]
    shocked: bool = False
    tickled_pink: Seat | None = None


def parse(plain: Any, seats: int, options: Options) -> State:
    """Raises ``Malformed``. The options say only who starts, which a position says itself."""
    if not isinstance(plain, dict):
        raise Malformed("", "must be an object")
    given = dict(plain)
    pending = _pending_shape(given.pop("pending", None))
    position: Position = shape.read(Position, given)
    for field in ("hands", "happiness", "skips"):
        if len(getattr(position, field)) != seats:
            raise Malformed(field, f"must have {seats} items, one a seat")
    for seat, hand in enumerate(position.hands):
        _count(f"hands[{seat}]", hand.count, len(hand.cards))
    pile = position.hidden_pile
    _count("hidden_pile", pile.count, len(pile.cards) + len(pile.top))
    return _built(position, pending)


def _count(field: str, count: int, cards: int) -> None:
    if count != cards:
        raise Malformed(f"{field}.count", f"must be {cards}, the number of its cards")


def _pending_shape(plain: Any) -> PendingShape | None:
    """Read by its type, so that a fault names the field that is wrong in this one."""
    if plain is None:
        return None
    if not isinstance(plain, dict):
        raise Malformed("pending", "must be an object or null")
    given = dict(plain)
    name = given.pop("type", None)
    if not isinstance(name, str) or name not in PENDING_SHAPES:
        raise Malformed("pending.type", f"must be one of {', '.join(PENDING_SHAPES)}")
    return shape.read(PENDING_SHAPES[name], given, "pending")  # type: ignore[no-any-return]


def _built(position: Position, pending: PendingShape | None) -> State:
    pile, seen = position.hidden_pile, pending.count if isinstance(pending, TopSeen) else 0
    top = [Secret(card, OF[position.turn] if i < seen else NOBODY) for i, card in enumerate(pile.top)]
    return State(
        turn=position.turn,
        turns=position.turns,
        hands=tuple(Bag.of(hand.cards, OF[seat]) for seat, hand in enumerate(position.hands)),
        happiness=position.happiness,
        hidden_pile=Bag.of(pile.cards).put_on_top(*top),
        show_pile=position.show_pile,
        skips=position.skips,
        shocked=position.shocked,
        pending=_pending(pending, position.turn),
        tickled_pink=position.tickled_pink,
    )


def _pending(pending: PendingShape | None, turn: int) -> Pending | None:
    if isinstance(pending, SeenHand):
        return HandSeen(pending.target, Secret(tuple(sorted(pending.cards)), OF[turn]))
    return pending


# -- check ------------------------------------------------------------------------------------------------------------


def check(state: State) -> Iterator[Malformed]:
    """Of a full state between two moves."""
    seats = len(state.hands)
    if not 0 <= state.turn < seats:
        yield Malformed("turn", f"must be from 0 to {seats - 1}")
        return
    yield from _card_faults(state)
    yield from _happiness_faults(state)
    yield from _pending_faults(state)
    if state.pending is None and outcome(state) is None and len(state.hands[state.turn]) < 2:
        yield Malformed(f"hands[{state.turn}]", "must have two cards at least: this seat is to play")


def _card_faults(state: State) -> Iterator[Malformed]:
    """BH-8: every card is somewhere, once, and no happiness is in a hand or on the show pile."""
    for card, left in missing(state).items():
        if left:
            yield Malformed("hidden_pile", f"there are {KIND[card].copies - left} {card}, must be {KIND[card].copies}")
    for seat, hand in enumerate(state.hands):
        if HAPPY in hand:
            yield Malformed(f"hands[{seat}].cards", "must have no happy: that lies open or in the hidden pile")
    if HAPPY in state.show_pile:
        yield Malformed("show_pile", "must have no happy: that lies open or in the hidden pile")
    top = [card.value for card in state.hidden_pile.top if isinstance(card, Secret)]
    if HAPPY in top and outcome(state) is None:
        yield Malformed("hidden_pile.top", "must have no happy: whoever saw it has laid it out")


def missing(state: State) -> dict[str, int]:
    """For each card how many of it lie nowhere that can be seen; negative if there are too many."""
    seen: Counter[str] = Counter(state.show_pile)
    for bag in (*state.hands, state.hidden_pile):
        seen.update(bag.cards or ())
    seen.update(card.value for card in state.hidden_pile.top if isinstance(card, Secret))
    seen[HAPPY] += sum(state.happiness)
    seen[TICKLED_PINK] += state.tickled_pink is not None
    return {card: KIND[card].copies - seen[card] for card in NAMES}


def _happiness_faults(state: State) -> Iterator[Malformed]:
    """BH-9: who could have won has."""
    shown = state.tickled_pink
    if shown is not None and (shown >= len(state.hands) or state.happiness[shown] != NEARLY):
        yield Malformed("tickled_pink", f"must be a seat that has {NEARLY} happiness")
    for seat, (had, hand) in enumerate(zip(state.happiness, state.hands, strict=True)):
        if had == NEARLY and TICKLED_PINK in hand:
            yield Malformed(f"hands[{seat}].cards", "must not have tickled_pink, which is laid out at six happiness")


def _pending_faults(state: State) -> Iterator[Malformed]:
    pending = state.pending
    if pending is None:
        return
    if outcome(state) is not None:
        yield Malformed("pending", "must be null: the match is over")
    if isinstance(pending, TopSeen):
        if len(state.hidden_pile.top) < pending.count:
            yield Malformed("pending.count", "must not be more than the cards on top of the hidden pile")
    elif pending.target == state.turn or pending.target >= len(state.hands):
        yield Malformed("pending.target", "must be an opponent of the active seat")
    elif isinstance(pending, Window):
        yield from _window_faults(state, pending)
    elif not isinstance(pending.cards, Secret) or pending.cards.value != state.hands[pending.target].cards:
        yield Malformed("pending.cards", f"must be the cards of seat {pending.target}")
    elif not pending.cards.value:
        yield Malformed("pending.cards", "must not be empty")


def _window_faults(state: State, pending: Window) -> Iterator[Malformed]:
    if (pending.card == CREATIVE) != (pending.as_ in CREATIVE_PLAYS):
        yield Malformed("pending.as", "must be what creative can be, or null for another card")
    elif not answers_to(pending.card, pending.as_):
        yield Malformed("pending.card", f"must be a play that can be answered, which {title(pending.emotion)} is not")
    elif state.show_pile[-1:] != (pending.card,):
        yield Malformed("show_pile", f"must have {pending.card}, which waits for an answer, as its last card")
    elif KIND[pending.emotion].aim == "somebody happy" and not state.happiness[pending.target]:
        yield Malformed("pending.target", "must have happiness to lose")
    if (pending.emotion == "curious") != (pending.ask is not None) or pending.ask == HAPPY:
        yield Malformed("pending.ask", "must be the card that curious asks for, not happy; null otherwise")
