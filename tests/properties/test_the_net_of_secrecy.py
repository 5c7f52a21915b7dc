"""The secrecy suite catches what it is there for, and says why: the toy game with one leak planted each.

Each leak stands in a field that an honest table declares public. So its author overlooked it, and only a property finds it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from types import SimpleNamespace
from typing import Any

import pytest

from domain.game import AnyGame, Dice
from domain.hidden import Bag
from tests.games import exposure_highest_card as honest
from tests.properties import test_deals, test_exposure, test_folding_twice, test_twins
from tests.support import toy
from tests.support.exposure import exposure, planted
from tests.support.lasting import lasting


def caught(check: Callable[[AnyGame, int], None], game: AnyGame, cause: str, **tables: Any) -> None:
    """The check fails for this game, with a message that names the cause. The tables are the honest ones but for those given."""
    made = {name: getattr(honest, name) for name in ("EXPOSURE", "STATE", "REVEALS")} | tables
    with pytest.raises(AssertionError) as found, planted(game, SimpleNamespace(**made)):
        check(game, 3)
    assert cause in str(found.value)


# -- a field of an event ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Guessed:
    """The cards are shown; and ``right`` tells something that lies hidden."""

    cards: tuple[str, ...]
    took: int | None
    right: str


Tell = Callable[[toy.State], str]


def the_next_card(state: toy.State) -> str:
    return min(state.pile.cards or ("0",))


def difference_of_two_hidden_cards(state: toy.State) -> str:
    held = [int(min(hand.cards or ("0",))) for hand in state.hands]
    return str(abs(held[0] - held[-1]))


def telling(tell: Tell) -> AnyGame:
    """The toy, in which the event ``shown`` has one field more."""

    def decide(state: toy.State, seat: int, move: toy.Move, dice: Dice) -> list[Any]:
        happened = toy.decide(state, seat, move, dice)
        return [Guessed(e.cards, e.took, tell(state)) if isinstance(e, toy.Shown) else e for e in happened]

    def known(event: Any) -> Any:
        return toy.Shown(event.cards, event.took) if isinstance(event, Guessed) else event

    return replace(
        toy.GAME,
        events={**toy.GAME.events, "shown": Guessed},
        upcasts={},
        decide=decide,
        evolve=lambda state, event: toy.evolve(state, known(event)),
        sentence=lambda event, names: toy.sentence(known(event), names),
    )


@pytest.mark.parametrize("tell", [the_next_card, difference_of_two_hidden_cards])
def test_a_field_that_tells_hidden_cards_is_found_although_its_event_reveals_others(tell: Tell) -> None:
    cause = "shown.right depends on what is hidden, and REVEALS does not name it"
    table = honest.EXPOSURE | {("shown", "right"): "public"}
    caught(test_twins.test_twins_cannot_be_told_apart, telling(tell), cause, EXPOSURE=table)


def test_an_event_that_happens_only_with_some_hidden_cards_is_found_although_its_fields_are_declared() -> None:
    def decide(state: toy.State, seat: int, move: toy.Move, dice: Dice) -> Sequence[toy.Event]:
        happened = toy.decide(state, seat, move, dice)
        shown = toy.Shown((), None)
        return [*happened, shown] if "9" in state.pile and len(happened) == 1 else happened

    def evolve(state: toy.State, event: toy.Event) -> toy.State:
        return state if event == toy.Shown((), None) else toy.evolve(state, event)

    faulty = replace(toy.GAME, decide=decide, evolve=evolve)
    caught(test_twins.test_twins_cannot_be_told_apart, faulty, "shown depends on what is hidden")


def test_a_table_that_does_not_say_what_reveals_excuses_nothing() -> None:
    tables = SimpleNamespace(EXPOSURE=honest.EXPOSURE, STATE=honest.STATE)
    with pytest.raises(AssertionError, match="exposure of highest_card has no REVEALS"), planted(copy_of(), tables):
        pass


def test_a_table_without_the_state_is_none() -> None:
    tables = SimpleNamespace(EXPOSURE=honest.EXPOSURE, REVEALS=honest.REVEALS)
    with pytest.raises(AssertionError, match="exposure of highest_card has no STATE"), planted(copy_of(), tables):
        pass


def copy_of(**changes: Any) -> AnyGame:
    """The toy as a game of its own, so that its usual tables do not count."""
    return replace(toy.GAME, **changes)


@pytest.mark.parametrize(
    ("revealed", "cause"),
    [
        (("showed", "cards"), "showed is no event"),
        (("shown", "card"), "shown.card is no public field"),
        (("laid", "card"), "laid.card is no public field"),
    ],
)
def test_what_reveals_must_be_there_and_be_public(revealed: tuple[str, str], cause: str) -> None:
    def check(game: AnyGame, _seats: int) -> None:
        test_exposure.test_what_reveals_is_an_event_or_a_public_field_of_one(game)

    caught(check, copy_of(), cause, REVEALS=honest.REVEALS | {revealed})


# -- a field of the state ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Leaky(toy.State):
    told: str = ""
    """Set by the deal, and never changed."""


def leaking(tell: Tell) -> AnyGame:
    """The toy, whose deal sets one field more of the state, for everybody to see."""

    def deal(seats: int, options: toy.Options, dice: Dice) -> Leaky:
        state = toy.deal(seats, options, dice)
        return Leaky(**{field.name: getattr(state, field.name) for field in fields(state)}, told=tell(state))

    return replace(toy.GAME, state=Leaky, deal=deal, upcasts={})


def a_dealt_card(state: toy.State) -> str:
    return (state.hands[0].cards or ("",))[0]


def count_of_high_cards_in_the_pile(state: toy.State) -> str:
    return str(sum(card > "5" for card in state.pile.cards or ()))


@pytest.mark.parametrize("tell", [a_dealt_card, count_of_high_cards_in_the_pile, difference_of_two_hidden_cards])
def test_a_field_of_the_state_in_which_the_deal_tells_hidden_cards_is_found(tell: Tell) -> None:
    table = honest.STATE | {("state", "told"): "public"}
    cause = "state.told tells everybody what is hidden"
    check = test_deals.test_hidden_cards_that_are_exchanged_at_the_deal_change_nothing_for_anybody_else
    caught(check, leaking(tell), cause, STATE=table)


def test_a_field_of_the_state_that_nobody_declares_is_found() -> None:
    def check(game: AnyGame, _seats: int) -> None:
        test_exposure.test_the_table_has_every_field_and_nothing_else(game)

    caught(check, leaking(a_dealt_card), "('state', 'told')")


def shows_the_hand_to_the_next_seat(seats: int, options: toy.Options, dice: Dice) -> toy.State:
    state = toy.deal(seats, options, dice)
    shown = (Bag(hand.cards, hand.rest, hand.seats | {1}) for hand in state.hands)
    return replace(state, hands=tuple(shown))


def test_a_secret_of_the_state_that_belongs_to_somebody_else_is_found() -> None:
    check = test_exposure.test_every_secret_of_a_state_belongs_to_whom_the_table_says
    caught(check, copy_of(deal=shows_the_hand_to_the_next_seat), "state.hands is shown to")


def test_a_deal_without_any_hidden_card_to_exchange_is_no_proof() -> None:
    def deal(seats: int, options: toy.Options, dice: Dice) -> toy.State:
        """Draws a number, and not the cards themselves."""
        first = dice.below(len(toy.CARDS))
        cards = toy.CARDS[first:] + toy.CARDS[:first]
        hands = tuple(Bag.of(cards[seat : seat + 1], frozenset({seat})) for seat in range(seats))
        return replace(toy.deal(seats, options, FixedDice()), hands=hands, pile=Bag.of(cards[seats:]))

    check = test_deals.test_hidden_cards_that_are_exchanged_at_the_deal_change_nothing_for_anybody_else
    caught(check, copy_of(deal=deal), "could be exchanged at its deal")


class FixedDice:
    def below(self, bound: int) -> int:
        return 0

    def choice(self, options: Sequence[Any]) -> Any:
        return options[0]

    def sample(self, options: Sequence[Any], count: int) -> tuple[Any, ...]:
        return tuple(options[:count])


# -- what lasts -------------------------------------------------------------------------------------------------------

SHOWN: list[tuple[str, ...]] = []


def remembers(state: toy.State, event: toy.Event) -> toy.State:
    """Knows from the second fold on what was shown in the first."""
    after = toy.evolve(state, event)
    if isinstance(event, toy.Shown):
        SHOWN.append(event.cards)
        return after if SHOWN.count(event.cards) == 1 else replace(after, points=(0,) * len(after.points))
    return after


def test_an_evolve_that_remembers_is_found_by_a_second_fold() -> None:
    check = test_folding_twice.test_a_history_that_is_folded_again_gives_the_same_states
    caught(check, copy_of(evolve=remembers), "evolve of highest_card keeps something outside of the state")


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("SEEN = []", "SEEN can be changed"),
        ("SEEN: list[str] = list()", "SEEN can be changed"),
        ("SEEN = {*()}", "SEEN can be changed"),
        ("SEEN: dict[str, int] = {}", "SEEN can be changed"),
        ("SEEN = collections.Counter()", "SEEN can be changed"),
        ("class State:\n    seen = []", "seen can be changed"),
        ("def evolve(state, event, seen=[]): ...", "the default [] lasts"),
        ("def evolve(state, event, *, seen={'a': 1}): ...", "the default {'a': 1} lasts"),
        ("SEEN = {'a': 1}\ndef evolve(state, event):\n    SEEN['b'] = 2", "SEEN['b'] changes SEEN"),
        (
            "SEEN = {'a': []}\ndef evolve(state, event):\n    SEEN['a'].append(event)",
            "SEEN['a'].append(event) changes SEEN",
        ),
        ("def evolve(state, event):\n    evolve.seen = event", "evolve.seen changes evolve"),
        ("from domain.games.toy import TABLE\ndef evolve(state, event):\n    TABLE.update(a=1)", "changes TABLE"),
        ("NUMBERS = itertools.count()", "NUMBERS can be changed"),
        ("it = make()\ndef evolve(state, event):\n    return next(it)", "next(it) changes it"),
    ],
)
def test_a_value_of_a_module_that_can_remember_is_found(source: str, cause: str) -> None:
    found = [why for _line, why in lasting(ast.parse(source))]
    assert any(cause in why for why in found), found


@pytest.mark.parametrize(
    "source",
    [
        "TABLE = {'a': 1}\ndef look(a):\n    return TABLE[a]",
        "NAMES = ('a', 'b')",
        "__all__ = ['GAME']",
        "def legal(state):\n    found = []\n    found.append(1)\n    return found",
        "TABLE = {'a': 1}\ndef copied():\n    TABLE = {}\n    TABLE['b'] = 2\n    return TABLE",
    ],
)
def test_tables_and_what_is_made_anew_at_each_call_may_be(source: str) -> None:
    assert list(lasting(ast.parse(source))) == []


def test_the_toy_as_it_is_passes() -> None:
    assert exposure(toy.GAME).reveals == {("shown", "cards"), ("shown", "took")}
