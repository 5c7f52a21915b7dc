"""The state as JSON, and back. Views and positions have the same format; a position has every card open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from domain import validation
from domain.games.block_happy.check import unsettled
from domain.games.block_happy.components import ALL_CARDS, HAPPINESS, MAX_TURNS, MOST_SEATS, ORDER, Card
from domain.games.block_happy.moves import Seat
from domain.games.block_happy.state import OF, HandSeen, Options, Pending, State, TopSeen, Window
from domain.hidden import NOBODY, Bag, Secret
from domain.validation import Between, Length, MalformedError

# -- view -------------------------------------------------------------------------------------------------------------


def view(state: State) -> dict[str, Any]:
    return {
        "turn": state.turn,
        "turns": state.turns,
        "hands": [_in_order(hand) for hand in state.hands],
        "happiness": list(state.happiness),
        "hidden_pile": _in_order(state.hidden_pile),
        "show_pile": list(state.show_pile),
        "skips": list(state.skips),
        "shocked": state.shocked,
        "pending": None if state.pending is None else _pending_view(state.pending),
        "tickled_pink": state.tickled_pink,
    }


def _in_order(bag: Bag) -> dict[str, Any]:
    """A hand or pile as JSON, its cards in the order of the components."""
    made: dict[str, Any] = validation.plain(bag)
    return made if bag.cards is None else made | {"cards": sorted(bag.cards, key=ORDER.__getitem__)}


def _pending_view(pending: Pending) -> dict[str, Any]:
    made: dict[str, Any] = validation.plain(pending)
    if isinstance(pending, HandSeen) and isinstance(pending.cards, Secret):
        made["cards"] = sorted(pending.cards.value, key=ORDER.__getitem__)
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
PENDING_SHAPES = PENDING | {"hand_seen": SeenHand}


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
    """Reads a position from untrusted JSON data. Raises ``MalformedError``.

    Of the options, the seat that starts must be on turn in a position of the first turn; later ones do not show it, as seats
    miss turns.
    """
    if not isinstance(plain, dict):
        raise MalformedError("", "must be an object")
    given = dict(plain)
    pending = _pending_shape(given.pop("pending", None))
    position: Position = validation.read(Position, given)
    if position.turns == 0 and options.first_seat not in (None, position.turn):
        raise MalformedError("turn", f"must be {options.first_seat}, as the option first_seat says")
    for field in ("hands", "happiness", "skips"):
        if len(getattr(position, field)) != seats:
            raise MalformedError(field, f"must have {seats} items, one a seat")
    for seat, hand in enumerate(position.hands):
        _count(f"hands[{seat}]", hand.count, len(hand.cards))
    pile = position.hidden_pile
    _count("hidden_pile", pile.count, len(pile.cards) + len(pile.top))
    state = _built(position, pending)
    for fault in unsettled(state):
        raise fault
    return state


def _count(field: str, count: int, cards: int) -> None:
    if count != cards:
        raise MalformedError(f"{field}.count", f"must be {cards}, the number of its cards")


def _pending_shape(plain: Any) -> PendingShape | None:
    """Reads the pending step by its ``type``, so that a fault names the field of just this shape."""
    if plain is None:
        return None
    if not isinstance(plain, dict):
        raise MalformedError("pending", "must be an object or null")
    given = dict(plain)
    name = given.pop("type", None)
    if not isinstance(name, str) or name not in PENDING_SHAPES:
        raise MalformedError("pending.type", f"must be one of {', '.join(PENDING_SHAPES)}")
    return validation.read(PENDING_SHAPES[name], given, "pending")  # type: ignore[no-any-return]


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
