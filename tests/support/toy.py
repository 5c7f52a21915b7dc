"""Highest Card: a game as small as can be that still needs all of the kernel.

Everybody lays one card face down, in any order; when all are in they are shown, the highest alone takes a point, and each
draws a card while there are any. It ends when nobody has a card. Most points win.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from domain import shape
from domain.game import Dice, Game, Outcome, Rejected, Rule
from domain.hidden import NOBODY, Bag, Hidden, Secret, Veiled
from domain.shape import FACE_DOWN, Between, Malformed, OneOf

CARDS = tuple("123456789")
Card = Annotated[str, OneOf(CARDS)]


@dataclass(frozen=True, slots=True)
class Options:
    hand: Annotated[int, Between(1, 3)] = 2
    first_seat: None = None


@dataclass(frozen=True, slots=True)
class State:
    hands: tuple[Bag, ...]
    pile: Bag
    laid: tuple[Secret[str] | Hidden | None, ...]
    points: tuple[int, ...]
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lay:
    card: Annotated[Card, FACE_DOWN]


@dataclass(frozen=True, slots=True)
class Laid:
    seat: int
    card: Veiled[str]


@dataclass(frozen=True, slots=True)
class Shown:
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    seat: int
    card: Veiled[str]


Event = Laid | Shown | Drawn


def deal(seats: int, options: Options, dice: Dice) -> State:
    drawn = dice.sample(CARDS, seats * options.hand)
    hands = tuple(Bag.of(drawn[seat::seats], frozenset({seat})) for seat in range(seats))
    pile = Bag.of(set(CARDS) - set(drawn))
    return State(hands, pile, (None,) * seats, (0,) * seats)


def refuse(state: State, seat: int, move: Lay) -> Rejected | None:
    return None if move.card in state.hands[seat] else Rejected("TOY-1", f"You do not have the {move.card}.")


def legal(state: State, seat: int) -> Iterator[Lay]:
    if seat in to_move(state):
        yield from (Lay(card) for card in dict.fromkeys(state.hands[seat].cards or ()))


def decide(state: State, seat: int, move: Lay, dice: Dice) -> Sequence[Event]:
    laid = Laid(seat, Secret(move.card, frozenset({seat})))
    after = evolve(state, laid)
    if to_move(after):
        return [laid]
    shown = Shown(tuple(card.value for card in after.laid if isinstance(card, Secret)))
    events: list[Event] = [laid, shown]
    after = evolve(after, shown)
    for drawer in range(len(after.hands)):
        if len(after.pile):
            events.append(Drawn(drawer, Secret(after.pile.draw(dice), frozenset({drawer}))))
            after = evolve(after, events[-1])
    return events


def evolve(state: State, event: Event) -> State:
    match event:
        case Laid(seat, card):
            hands = _at(state.hands, seat, state.hands[seat].take(card))
            return State(hands, state.pile, _at(state.laid, seat, card), state.points, state.shown)
        case Shown(cards):
            best = max(cards)
            winner = cards.index(best) if cards.count(best) == 1 else None
            points = tuple(had + (seat == winner) for seat, had in enumerate(state.points))
            return State(state.hands, state.pile, (None,) * len(cards), points, cards)
        case Drawn(seat, card):
            hands = _at(state.hands, seat, state.hands[seat].add(card))
            return State(hands, state.pile.take(card), state.laid, state.points, state.shown)


def _at(items: tuple[Any, ...], i: int, item: Any) -> tuple[Any, ...]:
    return items[:i] + (item,) + items[i + 1 :]


def to_move(state: State) -> frozenset[int]:
    return frozenset(seat for seat, card in enumerate(state.laid) if card is None and len(state.hands[seat]))


def outcome(state: State) -> Outcome | None:
    if any(len(hand) for hand in state.hands) or any(state.laid):
        return None
    best = max(state.points)
    winners = tuple(seat for seat, points in enumerate(state.points) if points == best)
    return Outcome(winners, state.points, "most points", "TOY-2")


def view(state: State) -> dict[str, Any]:
    made: dict[str, Any] = shape.plain(state)
    return made


@dataclass(frozen=True, slots=True)
class Cards:
    count: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Position:
    hands: tuple[Cards, ...]
    pile: Cards
    laid: tuple[Card | None, ...]
    points: tuple[int, ...]
    shown: tuple[Card, ...]


def parse(plain: Any, seats: int, options: Options) -> State:
    position: Position = shape.read(Position, plain)
    if not len(position.hands) == len(position.laid) == len(position.points) == seats:
        raise Malformed("hands", f"must have {seats} seats")
    return State(
        hands=tuple(Bag.of(hand.cards, frozenset({seat})) for seat, hand in enumerate(position.hands)),
        pile=Bag.of(position.pile.cards, NOBODY),
        laid=tuple(None if card is None else Secret(card, frozenset({s})) for s, card in enumerate(position.laid)),
        points=position.points,
        shown=position.shown,
    )


def check(state: State) -> Iterator[Malformed]:
    cards = [card for bag in (*state.hands, state.pile) for card in bag.cards or ()]
    cards += [card.value for card in state.laid if isinstance(card, Secret)]
    if len(cards) != len(set(cards)):
        yield Malformed("hands", "has a card twice")


def sentence(event: Event, names: Sequence[str]) -> str:
    match event:
        case Laid(seat):
            return f"{names[seat]} lays a card."
        case Shown(cards):
            return f"The cards are {', '.join(cards)}."
        case Drawn(seat):
            return f"{names[seat]} draws a card."


def imagine(state: State, seat: int, dice: Dice) -> State:
    seen = {*(state.hands[seat].cards or ()), *(card.value for card in state.laid if isinstance(card, Secret))}
    rest = list(dice.sample([card for card in CARDS if card not in seen], len(CARDS) - len(seen)))

    def filled(bag: Bag) -> Bag:
        return bag if bag.cards is not None else Bag.of([rest.pop() for _ in range(bag.rest)], bag.seats)

    laid = tuple(Secret(rest.pop(), card.seats) if isinstance(card, Hidden) else card for card in state.laid)
    hands = tuple(filled(hand) for hand in state.hands)
    return State(hands, filled(state.pile), laid, state.points, state.shown)


GAME: Game[State, Lay, Event, Options] = Game(
    id="highest_card",
    version=1,
    name="Highest Card",
    seats=range(2, 4),
    rules=(
        Rule("TOY-1", "Lay one card of your hand face down.", ("ours",)),
        Rule("TOY-2", "Most points win.", ("ours",)),
    ),
    state=State,
    options=Options,
    moves={"lay": Lay},
    events={"laid": Laid, "shown": Shown, "drawn": Drawn},
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
    imagine=imagine,
)
