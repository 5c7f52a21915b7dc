"""Highest Card: a game as small as can be that still needs all of the kernel.

Everybody lays one card face down, in any order; when all are in they are shown, and the highest alone takes a point. Who
took it looks at the two top cards of the pile and says, face down, which of them is drawn first; then each draws a card.
When the pile has not one for each, nobody looks or draws. It ends when nobody has a card. Most points win.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from domain import validation
from domain.game import Dice, Game, Outcome, Rejected, Rule
from domain.hidden import NOBODY, Bag, Hidden, Secret, Veiled
from domain.validation import FACE_DOWN, Between, MalformedError, OneOf

CARDS = tuple("123456789")
Card = Annotated[str, OneOf(CARDS)]
PEEKED = 2
"""How many cards the winner of a point looks at."""


@dataclass(frozen=True, slots=True)
class Options:
    hand: Annotated[int, Between(1, 3)] = 2
    peek: bool = True
    first_seat: None = None


# -- state ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Laying:
    """Everybody without a card here lays one."""

    laid: tuple[Secret[str] | Hidden | None, ...]


@dataclass(frozen=True, slots=True)
class Peeking:
    """One seat looks at the top of the pile, and decides in which order it is drawn."""

    seat: int


@dataclass(frozen=True, slots=True)
class State:
    hands: tuple[Bag, ...]
    pile: Bag
    doing: Laying | Peeking
    points: tuple[int, ...]
    peek: bool
    won: frozenset[str] = frozenset()
    """The cards that took a point."""
    shown: tuple[str, ...] = ()


# -- moves and events -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lay:
    card: Annotated[Card, FACE_DOWN]


@dataclass(frozen=True, slots=True)
class Order:
    """Which of the cards looked at is to be drawn first."""

    first: Annotated[Card, FACE_DOWN]


Move = Lay | Order


@dataclass(frozen=True, slots=True)
class Laid:
    seat: int
    card: Veiled[str]


@dataclass(frozen=True, slots=True)
class Shown:
    """``took``: the seat that takes the point, if one does."""

    cards: tuple[str, ...]
    took: int | None


@dataclass(frozen=True, slots=True)
class Peeked:
    seat: int
    cards: tuple[Veiled[str], ...]


@dataclass(frozen=True, slots=True)
class Ordered:
    """The top cards as they lie from now on."""

    seat: int
    cards: tuple[Veiled[str], ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    seat: int
    card: Veiled[str]


Event = Laid | Shown | Peeked | Ordered | Drawn


def taker(cards: Sequence[str]) -> int | None:
    best = max(cards)
    return cards.index(best) if cards.count(best) == 1 else None


def shown_first_shape(plain: dict[str, Any]) -> dict[str, Any]:
    """The first shape of ``shown`` did not say who took the point."""
    return plain | {"took": taker(plain["cards"])}


def state_first_shape(plain: dict[str, Any]) -> dict[str, Any]:
    """The first shape of the state did not know of peeking: its laid cards stood in a field of their own."""
    laid = plain.pop("laid")
    return plain | {"doing": {"type": "laying", "laid": laid}, "peek": False, "won": ()}


# -- deal, legal, decide ----------------------------------------------------------------------------------------------


def deal(seats: int, options: Options, dice: Dice) -> State:
    drawn = dice.sample(CARDS, seats * options.hand)
    hands = tuple(Bag.of(drawn[seat::seats], frozenset({seat})) for seat in range(seats))
    pile = Bag.of(set(CARDS) - set(drawn))
    return State(hands, pile, Laying((None,) * seats), (0,) * seats, options.peek)


def refuse(state: State, seat: int, move: Move) -> Rejected | None:
    match move, state.doing:
        case [Lay(card), Laying()]:
            return None if card in state.hands[seat] else Rejected("TOY-1", f"You do not have the {card}.")
        case [Order(first), Peeking()]:
            seen = [card.value for card in state.pile.top if isinstance(card, Secret)]
            return None if first in seen else Rejected("TOY-3", f"The {first} is not among the cards on top.")
        case [Order(), _]:
            return Rejected("TOY-3", "You are not looking at the top of the pile.")
        case _:
            return Rejected("TOY-1", "No card is laid while somebody looks at the top of the pile.")


def legal(state: State, seat: int) -> Iterator[Move]:
    if seat not in to_move(state):
        return
    if isinstance(state.doing, Peeking):
        yield from (Order(card.value) for card in state.pile.top if isinstance(card, Secret))
    else:
        yield from (Lay(card) for card in state.hands[seat].cards or ())


def decide(state: State, seat: int, move: Move, dice: Dice) -> Sequence[Event]:
    if isinstance(move, Order):
        top = sorted(state.pile.top, key=lambda card: isinstance(card, Hidden) or card.value != move.first)
        ordered = Ordered(seat, tuple(top))
        return [ordered, *draws(evolve(state, ordered), dice)]
    laid = Laid(seat, Secret(move.card, frozenset({seat})))
    after = evolve(state, laid)
    if to_move(after) or not isinstance(after.doing, Laying):
        return [laid]
    cards = tuple(card.value for card in after.doing.laid if isinstance(card, Secret))
    shown = Shown(cards, taker(cards))
    after = evolve(after, shown)
    if state.peek and shown.took is not None and len(after.pile) >= len(after.hands):
        sees = frozenset({shown.took})
        drawn = dice.sample(after.pile.cards or (), PEEKED)
        return [laid, shown, Peeked(shown.took, tuple(Secret(card, sees) for card in drawn))]
    return [laid, shown, *draws(after, dice)]


def draws(state: State, dice: Dice) -> Iterator[Event]:
    if len(state.pile) < len(state.hands):
        return
    for drawer in range(len(state.hands)):
        drawn = Drawn(drawer, Secret(state.pile.draw(dice), frozenset({drawer})))
        state = evolve(state, drawn)
        yield drawn


# -- evolve -----------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    match event:
        case Laid(seat, card):
            assert isinstance(state.doing, Laying)
            hands = _at(state.hands, seat, state.hands[seat].take(card))
            return replace(state, hands=hands, doing=Laying(_at(state.doing.laid, seat, card)))
        case Shown(cards, took):
            points = tuple(had + (seat == took) for seat, had in enumerate(state.points))
            won = state.won if took is None else state.won | {cards[took]}
            return replace(state, doing=_nothing_laid(state), points=points, won=won, shown=cards)
        case Peeked(seat, cards):
            pile = state.pile
            for card in cards:
                pile = pile.take(card)
            return replace(state, pile=pile.put_on_top(*cards), doing=Peeking(seat))
        case Ordered(_, cards):
            return replace(state, pile=state.pile.lift(len(cards)).put_on_top(*cards), doing=_nothing_laid(state))
        case Drawn(seat, card):
            hands = _at(state.hands, seat, state.hands[seat].add(card))
            return replace(state, hands=hands, pile=state.pile.take(card))


def _at(items: tuple[Any, ...], i: int, item: Any) -> tuple[Any, ...]:
    return items[:i] + (item,) + items[i + 1 :]


def _nothing_laid(state: State) -> Laying:
    return Laying((None,) * len(state.hands))


def to_move(state: State) -> frozenset[int]:
    if isinstance(state.doing, Peeking):
        return frozenset({state.doing.seat})
    return frozenset(seat for seat, card in enumerate(state.doing.laid) if card is None and len(state.hands[seat]))


def outcome(state: State) -> Outcome | None:
    if to_move(state) or any(state.doing.laid if isinstance(state.doing, Laying) else ()):
        return None
    best = max(state.points)
    winners = tuple(seat for seat, points in enumerate(state.points) if points == best)
    return Outcome(winners, state.points, "most points", "TOY-2")


# -- view and position ------------------------------------------------------------------------------------------------


def view(state: State) -> dict[str, Any]:
    doing = {"type": GAME.names[type(state.doing)]} | validation.plain(state.doing)
    made: dict[str, Any] = validation.plain(state) | {"doing": doing}
    del made["peek"]  # The options say it.
    return made


@dataclass(frozen=True, slots=True)
class Hand:
    count: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Pile:
    count: int
    cards: tuple[Card, ...]
    top: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class LayingPosition:
    type: Literal["laying"]
    laid: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class PeekingPosition:
    type: Literal["peeking"]
    seat: Annotated[int, Between(0, 2)]


@dataclass(frozen=True, slots=True)
class Position:
    hands: tuple[Hand, ...]
    pile: Pile
    doing: LayingPosition | PeekingPosition
    points: tuple[Annotated[int, Between(0, 9)], ...]
    won: tuple[Card, ...]
    shown: tuple[Card, ...]


def parse(plain: Any, seats: int, options: Options) -> State:
    position: Position = validation.read(Position, plain)
    _one_for_each_seat(position, seats)
    _a_choice_to_make(position, options)
    return State(
        hands=tuple(Bag.of(hand.cards, frozenset({seat})) for seat, hand in enumerate(position.hands)),
        pile=_pile(position),
        doing=_doing(position.doing),
        points=position.points,
        peek=options.peek,
        won=frozenset(position.won),
        shown=position.shown,
    )


def _one_for_each_seat(position: Position, seats: int) -> None:
    lists = {"hands": position.hands, "points": position.points, "shown": position.shown or position.hands}
    if isinstance(position.doing, LayingPosition):
        lists["doing.laid"] = position.doing.laid
    elif position.doing.seat >= seats:
        raise MalformedError("doing.seat", f"must be below {seats}")
    for field, items in lists.items():
        if len(items) != seats:
            raise MalformedError(field, f"must have {seats} items")
    counted = {f"hands[{seat}]": (hand.count, hand.cards) for seat, hand in enumerate(position.hands)}
    counted["pile"] = position.pile.count, position.pile.cards + position.pile.top
    for field, (count, cards) in counted.items():
        if count != len(cards):
            raise MalformedError(f"{field}.count", f"is {count}, but there are {len(cards)} cards")


def _a_choice_to_make(position: Position, options: Options) -> None:
    """Between the events of one move a state may wait for nobody; a position may not."""
    peeking = isinstance(position.doing, PeekingPosition)
    if isinstance(position.doing, LayingPosition) and None not in position.doing.laid:
        raise MalformedError("doing.laid", "waits for nobody")
    if peeking and (position.pile.count < len(position.hands) or not options.peek):
        raise MalformedError("doing", "nobody may look at the pile now")
    laid = position.doing.laid if isinstance(position.doing, LayingPosition) else (None,) * len(position.hands)
    if len({hand.count + (card is not None) for hand, card in zip(position.hands, laid, strict=True)}) > 1:
        raise MalformedError("hands", "are not of one size")
    if len(position.pile.top) != (PEEKED if peeking else 0):
        raise MalformedError("pile.top", f"has {PEEKED} cards exactly while somebody looks at them")


def _pile(position: Position) -> Bag:
    sees = frozenset({position.doing.seat}) if isinstance(position.doing, PeekingPosition) else NOBODY
    return Bag.of(position.pile.cards).put_on_top(*(Secret(card, sees) for card in position.pile.top))


def _doing(doing: LayingPosition | PeekingPosition) -> Laying | Peeking:
    if isinstance(doing, PeekingPosition):
        return Peeking(doing.seat)
    laid = enumerate(doing.laid)
    return Laying(tuple(None if card is None else Secret(card, frozenset({seat})) for seat, card in laid))


def check(state: State) -> Iterator[MalformedError]:
    laid = state.doing.laid if isinstance(state.doing, Laying) else (None,) * len(state.hands)
    cards = [card for bag in (*state.hands, state.pile) for card in bag.cards or ()]
    cards += [card.value for card in (*state.pile.top, *laid) if isinstance(card, Secret)]
    if len(cards) != len(set(cards)):
        yield MalformedError("hands", "has a card twice")


def sentence(event: Event, names: Sequence[str]) -> str:
    match event:
        case Laid(seat):
            return f"{names[seat]} lays a card."
        case Shown(cards, took):
            takes = "nobody takes the point" if took is None else f"{names[took]} takes the point"
            return f"The cards are {', '.join(cards)}: {takes}."
        case Peeked(seat, cards):
            seen = [card.value for card in cards if isinstance(card, Secret)]
            return f"{names[seat]} looks at the top of the pile{': ' if seen else ''}{', '.join(seen)}."
        case Ordered(seat):
            return f"{names[seat]} puts the top of the pile in order."
        case Drawn(seat):
            return f"{names[seat]} draws a card."


def draw(view: dict[str, Any]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in view.items())


def imagine(state: State, seat: int, dice: Dice) -> State:
    laid = state.doing.laid if isinstance(state.doing, Laying) else ()
    seen = {*(state.hands[seat].cards or ()), *state.shown, *state.won}
    seen |= {card.value for card in (*laid, *state.pile.top) if isinstance(card, Secret)}
    left = [card for card in CARDS if card not in seen]
    rest = list(dice.sample(left, len(left)))

    def filled(bag: Bag) -> Bag:
        known = bag.cards if bag.cards is not None else [rest.pop() for _ in range(bag.rest)]
        return Bag.of(known, bag.seats).put_on_top(*(imagined(card) for card in bag.top))

    def imagined(card: Veiled[str]) -> Secret[str]:
        return Secret(rest.pop(), card.seats) if isinstance(card, Hidden) else card

    doing = state.doing
    if isinstance(doing, Laying):
        doing = Laying(tuple(None if card is None else imagined(card) for card in doing.laid))
    hands = tuple(filled(hand) for hand in state.hands)
    return replace(state, hands=hands, pile=filled(state.pile), doing=doing)


GAME: Game[State, Move, Event, Options] = Game(
    id="highest_card",
    version=1,
    name="Highest Card",
    seats=range(2, 4),
    rules=(
        Rule("TOY-1", "Lay one card of your hand face down.", ("ours",)),
        Rule("TOY-2", "Most points win.", ("ours",)),
        Rule("TOY-3", "Who takes a point decides which of the two top cards is drawn first.", ("ours",)),
    ),
    state=State,
    options=Options,
    moves={"lay": Lay, "order": Order},
    events={"laid": Laid, "shown": Shown, "peeked": Peeked, "ordered": Ordered, "drawn": Drawn},
    deal=deal,
    refuse=refuse,
    decide=decide,
    evolve=evolve,
    legal=legal,
    to_move=to_move,
    outcome=outcome,
    view=view,
    parse=parse,
    check=check,
    sentence=sentence,
    draw=draw,
    imagine=imagine,
    cites=lambda said: ("TOY-1",) if isinstance(said, (Lay, Laid)) else ("TOY-3",),
    parts={"laying": Laying, "peeking": Peeking},
    upcasts={("shown", 1): shown_first_shape, ("state", 1): state_first_shape},
)
