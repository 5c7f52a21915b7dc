"""Reading a posted position: the format of ``view``, in which derived fields may be left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

from domain import validation
from domain.games.cock_block.board import ALL_SPACES, Space
from domain.games.cock_block.components import (
    COMMITTED_AT_MOST,
    DECK,
    TOKENS_OF_A_KIND,
    TURN_LIMIT,
    BlockName,
    Card,
    ChickName,
    HeroName,
    in_order,
)
from domain.games.cock_block.moves import LegendaryName, Seat
from domain.games.cock_block.state import (
    Action,
    CounterWindow,
    Duel,
    Hero,
    Options,
    Pending,
    PillWindow,
    Puts,
    State,
)
from domain.games.cock_block.view import open_cards, view
from domain.hidden import Bag, Secret
from domain.validation import Between, Length, MalformedError

DERIVED = ("barn_rows", "fights", "free_combinations", "friend_zone", "supply", "actions_left")
"""Fields of ``view`` that follow from the others or from the options; they may be left out, but must not be wrong."""


@dataclass(frozen=True, slots=True)
class PilePosition:
    cards: Annotated[tuple[Card, ...], Length(0, len(DECK))]
    count: int | None = None


@dataclass(frozen=True, slots=True)
class SeatPosition:
    hero: HeroName
    at: Space
    hand: PilePosition
    chick: ChickName | None = None
    knocked_out: bool = False
    slowed: bool = False
    all_access: bool = False


@dataclass(frozen=True, slots=True)
class CounterWindowPosition:
    at: Space
    asked: Annotated[tuple[Seat, ...], Length(1, 3)]


@dataclass(frozen=True, slots=True)
class PillWindowPosition:
    seat: Seat


@dataclass(frozen=True, slots=True)
class PutsPosition:
    card: LegendaryName
    left: Annotated[int, Between(1, TOKENS_OF_A_KIND)]


Chosen = Annotated[tuple[Card, ...], Length(0, COMMITTED_AT_MOST)]


@dataclass(frozen=True, slots=True)
class DuelPosition:
    mover: Seat
    foe: Seat
    commitments: tuple[Chosen | None, Chosen | None] = (None, None)


PendingPosition = CounterWindowPosition | PillWindowPosition | PutsPosition | DuelPosition

PENDING: dict[str, type[PendingPosition]] = {
    "counter_window": CounterWindowPosition,
    "pill_window": PillWindowPosition,
    "puts": PutsPosition,
    "duel": DuelPosition,
}
"""Wire name (``type``) → the shape of a pending step."""


@dataclass(frozen=True, slots=True)
class Position:
    """The shape of a posted position, without ``pending``, which is read by its ``type``."""

    seats: Annotated[tuple[SeatPosition, ...], Length(2, 4)]
    active: Seat
    turn: Annotated[int, Between(1, TURN_LIMIT + 1)] = 1
    tokens: dict[str, BlockName] | None = None
    discard: Annotated[tuple[Card, ...], Length(0, len(DECK))] = ()
    deck: PilePosition | None = None
    """``None``: all cards that lie nowhere else."""
    actions: Annotated[tuple[Action, ...], Length(0, 3)] = ()
    thrown: Annotated[int, Between(0, 4)] = 0
    glory: bool = False
    barn_rows: int | None = None
    fights: str | None = None
    free_combinations: bool | None = None
    friend_zone: dict[str, str] | None = None
    supply: dict[str, int] | None = None
    actions_left: int | None = None


def parse(plain: Any, seats: int, options: Options) -> State:
    """(untrusted JSON, seats, options) → the full state. Raises ``MalformedError``."""
    pending = None
    if isinstance(plain, dict):
        plain = dict(plain)
        pending = _read_pending(plain.pop("pending", None))
    position: Position = validation.read(Position, plain)
    if len(position.seats) != seats:
        raise MalformedError("seats", f"must have {seats} items, one a seat")
    if position.active >= seats:
        raise MalformedError("active", f"must be from 0 to {seats - 1}")
    first = (position.active - position.turn + 1) % seats
    if options.first_seat not in (None, first):
        raise MalformedError(
            "active", f"must be the seat on turn if seat {options.first_seat} began, as the options say"
        )
    state = _state(position, pending, options)
    for fault in _contradictions(position, view(state)):
        raise fault
    return state


def _read_pending(plain: Any) -> Pending | None:
    if plain is None:
        return None
    if not isinstance(plain, dict):
        raise MalformedError("pending", "must be an object or null")
    fields = dict(plain)
    name = fields.pop("type", None)
    if not isinstance(name, str) or name not in PENDING:
        raise MalformedError("pending.type", f"must be one of {', '.join(PENDING)}")
    return _pending(validation.read(PENDING[name], fields, "pending"))


def _state(position: Position, pending: Pending | None, options: Options) -> State:
    state = State(
        options=options,
        turn=position.turn,
        active=position.active,
        heroes=tuple([_hero(seat) for seat in position.seats]),
        hands=tuple([Bag.of(seat.hand.cards, frozenset({i})) for i, seat in enumerate(position.seats)]),
        deck=Bag.of(()),
        discard=tuple(sorted(position.discard)),
        tokens=_tokens(position.tokens or {}),
        actions=position.actions,
        thrown=position.thrown,
        glory=position.glory,
        pending=pending,
    )
    deck = _rest(state) if position.deck is None else position.deck.cards
    return replace(state, deck=Bag.of(deck))


def _hero(seat: SeatPosition) -> Hero:
    return Hero(seat.hero, seat.at, seat.chick, seat.knocked_out, seat.slowed, seat.all_access)


def _tokens(given: dict[str, str]) -> tuple[tuple[str, str], ...]:
    for space in given:
        if space not in ALL_SPACES:
            raise MalformedError(f"tokens.{str(space)[:60]}", "is not a space")
    return tuple(sorted(given.items()))


def _rest(state: State) -> tuple[str, ...]:
    """The cards of the box that lie nowhere in this state."""
    held = [card for hand in state.hands for card in hand.cards or ()]
    return tuple((Counter(DECK) - Counter(held) - Counter(open_cards(state))).elements())


def _pending(given: PendingPosition) -> Pending:
    match given:
        case CounterWindowPosition(at, asked):
            return CounterWindow(at, asked)
        case PillWindowPosition(seat):
            return PillWindow(seat)
        case PutsPosition(card, left):
            return Puts(card, left)
        case DuelPosition(mover, foe, (ours, theirs)):
            if ours is not None and theirs is not None:
                raise MalformedError("pending.commitments", "must lack at least one, or the fight would be over")
            return Duel(mover, foe, (_chosen(mover, ours), _chosen(foe, theirs)))


def _chosen(seat: int, cards: tuple[str, ...] | None) -> Secret[tuple[str, ...]] | None:
    return None if cards is None else Secret(in_order(cards), frozenset({seat}))


def _contradictions(position: Position, shown: dict[str, Any]) -> Iterator[MalformedError]:
    """Fields of a position that contradict the others."""
    for field in DERIVED:
        given = getattr(position, field)
        if given is not None and given != shown[field]:
            yield MalformedError(field, "does not agree with the rest of the position and the options")
    piles = [(f"seats[{i}].hand", seat.hand) for i, seat in enumerate(position.seats)]
    if position.deck is not None:
        piles.append(("deck", position.deck))
    for field, pile in piles:
        if pile.count is not None and pile.count != len(pile.cards):
            yield MalformedError(f"{field}.count", f"must be {len(pile.cards)}, the number of its cards")
