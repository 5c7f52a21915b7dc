"""Highest Card by version 2 of its rules: the *lowest* card alone takes the point, and the state counts the rounds.

Both versions are here as a game's folder keeps them: the newest record holds the older one, and a lift from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from domain.game import Dice, Game
from domain.hidden import Bag, Secret
from domain.validation import MalformedError
from tests.support import toy


@dataclass(frozen=True, slots=True)
class Options:
    hand: int = 2
    peek: bool = True
    first_seat: None = None
    low: bool = True


@dataclass(frozen=True, slots=True)
class State:
    hands: tuple[Bag, ...]
    pile: Bag
    doing: toy.Laying | toy.Peeking
    points: tuple[int, ...]
    peek: bool
    won: frozenset[str] = frozenset()
    shown: tuple[str, ...] = ()
    rounds: int = 0
    """How often the cards were shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    cards: tuple[str, ...]
    took: int | None
    round: int


def lifted(old: toy.State, rounds: int = 0) -> State:
    return State(**{field.name: getattr(old, field.name) for field in fields(toy.State)}, rounds=rounds)


def lift(old: toy.State, options: toy.Options) -> tuple[State, Options]:
    return lifted(old), Options(options.hand, options.peek)


def taker(cards: Sequence[str]) -> int | None:
    best = min(cards)
    return cards.index(best) if cards.count(best) == 1 else None


def decide(state: Any, seat: int, move: Any, dice: Dice) -> Sequence[Any]:
    if isinstance(move, toy.Order):
        return toy.decide(state, seat, move, dice)
    laid = toy.Laid(seat, Secret(move.card, frozenset({seat})))
    after = evolve(state, laid)
    if toy.to_move(after) or not isinstance(after.doing, toy.Laying):
        return [laid]
    cards = tuple(card.value for card in after.doing.laid if isinstance(card, Secret))
    shown = Shown(cards, taker(cards), state.rounds + 1)
    after = evolve(after, shown)
    if state.peek and shown.took is not None and len(after.pile) >= len(after.hands):
        sees = frozenset({shown.took})
        drawn = dice.sample(after.pile.cards or (), toy.PEEKED)
        return [laid, shown, toy.Peeked(shown.took, tuple(Secret(card, sees) for card in drawn))]
    return [laid, shown, *toy.draws(after, dice)]


def evolve(state: Any, event: Any) -> Any:
    if isinstance(event, Shown):
        shown: Any = toy.evolve(state, toy.Shown(event.cards, event.took))
        return replace(shown, rounds=event.round)
    return toy.evolve(state, event)


def parse(plain: Any, seats: int, options: Options) -> State:
    rounds = plain.get("rounds") if isinstance(plain, dict) else None
    if type(rounds) is not int or rounds < 0:
        raise MalformedError("rounds", "must be a number")
    rest = {name: value for name, value in plain.items() if name != "rounds"}
    return lifted(toy.parse(rest, seats, toy.Options(options.hand, options.peek)), rounds)


def sentence(event: Any, names: Sequence[str]) -> str:
    if isinstance(event, Shown):
        return f"Round {event.round}. {toy.sentence(toy.Shown(event.cards, event.took), names)}"
    return toy.sentence(event, names)


FIRST: Game[Any, Any, Any, Any] = toy.GAME

ONLY_2 = replace(
    FIRST,
    version=2,
    state=State,
    options=Options,
    events={**toy.GAME.events, "shown": Shown},
    deal=lambda seats, options, dice: lifted(toy.deal(seats, options, dice)),
    decide=decide,
    evolve=evolve,
    parse=parse,
    sentence=sentence,
    upcasts={
        **toy.GAME.upcasts,
        ("shown", 2): lambda plain: plain | {"round": 0},
        ("state", 2): lambda plain: plain | {"rounds": 0},
    },
)
"""Version 2 without the code of version 1, whose matches it can still read."""

GAME = replace(ONLY_2, earlier={1: FIRST}, lifts={1: lift})
"""Both versions."""
