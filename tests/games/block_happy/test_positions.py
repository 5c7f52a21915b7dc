"""Positions: what reads, what is refused with which field, and the examples."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from domain.games.block_happy import GAME
from domain.games.block_happy.check import unsettled
from domain.games.block_happy.components import NAMES
from domain.games.block_happy.examples import composed
from domain.games.block_happy.state import HandSeen, Options, Pending, State, TopSeen, Window, changed
from domain.hidden import Secret
from domain.validation import MalformedError
from tests.support.block_happy.matches import finished
from tests.support.block_happy.tables import OTHER, PLAIN, known
from tests.support.dice import RandomDice

HANDS = (f"annoyed {PLAIN}", f"smug {OTHER}")
START = GAME.view(composed(HANDS, [1, 2]))


def parsed(**fields: Any) -> State:
    return GAME.parse(copy.deepcopy(START) | fields, 2, Options())


def faults(state: State) -> set[str]:
    return {fault.field for fault in (*GAME.check(state), *unsettled(state))}


@pytest.mark.parametrize("name", GAME.examples)
def test_every_example_reads_is_whole_and_can_be_played_to_the_end(name: str) -> None:
    position = GAME.examples[name]
    state = GAME.parse(position, len(position["hands"]), Options())
    assert not list(GAME.check(state))
    assert GAME.view(state) == position
    assert GAME.outcome(finished(state, seed=1)) is not None


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"turn": 5}, "turn"),
        ({"turn": True}, "turn"),
        ({"turns": -1}, "turns"),
        ({"hands": []}, "hands"),
        ({"hands": START["hands"] + START["hands"][:1]}, "hands"),
        ({"hands": [START["hands"][0], {"count": 1, "cards": ["mad"]}]}, "hands[1].cards[0]"),
        ({"hands": [START["hands"][0], {"count": 6, "cards": ["sad"]}]}, "hands[1].count"),
        ({"hands": [START["hands"][0], {"count": 1, "cards": {"hidden": True}}]}, "hands[1].cards"),
        ({"happiness": [1]}, "happiness"),
        ({"happiness": [1, 8]}, "happiness[1]"),
        ({"hidden_pile": {"count": 0, "cards": ["sad"]}}, "hidden_pile.count"),
        ({"hidden_pile": {"count": 0}}, "hidden_pile.cards"),
        ({"show_pile": "sad"}, "show_pile"),
        ({"skips": [0, 5000]}, "skips[1]"),
        ({"skips": [0]}, "skips"),
        ({"shocked": 1}, "shocked"),
        ({"pending": {"type": "nap"}}, "pending.type"),
        ({"pending": {"type": "top_seen", "count": 0}}, "pending.count"),
        ({"tickled_pink": 9}, "tickled_pink"),
        ({"mood": "good"}, "mood"),
    ],
)
def test_what_is_malformed_is_named(fields: dict[str, Any], named: str) -> None:
    with pytest.raises(MalformedError) as fault:
        parsed(**fields)
    assert fault.value.field == named


@pytest.mark.parametrize("garbage", [None, 7, "sad", [], {}, {"hands": None}])
def test_garbage_is_malformed(garbage: Any) -> None:
    with pytest.raises(MalformedError):
        GAME.parse(garbage, 2, Options())


@pytest.mark.parametrize(
    ("state", "named"),
    [
        (composed(HANDS, [1, 2], turn=2), "turn"),
        (composed(HANDS, [1, 2], show="glum glum"), "hidden_pile"),
        (composed(HANDS, [4, 4]), "hidden_pile"),
        (composed([f"happy {PLAIN}", OTHER], [1, 2]), "hands[0].cards"),
        (composed(HANDS, [1, 2], show="happy"), "show_pile"),
        (composed([f"tickled_pink {PLAIN}", OTHER], [6, 0]), "hands[0].cards"),
        (composed(HANDS, [1, 2], tickled_pink=0), "tickled_pink"),
        (composed(HANDS, [1, 2], tickled_pink=4), "tickled_pink"),
        (composed(["sad", OTHER], [1, 2]), "hands[0]"),
        (composed(HANDS, [1, 2], top="glum happy"), "hidden_pile.top"),
    ],
)
def test_a_broken_invariant_is_named(state: State, named: str) -> None:
    assert faults(state) == {named}


@pytest.mark.parametrize(
    ("pending", "more", "named"),
    [
        (Window(0, "annoyed"), {"show": "annoyed"}, "pending.target"),
        (Window(3, "annoyed"), {"show": "annoyed"}, "pending.target"),
        (Window(1, "annoyed"), {}, "show_pile"),
        (Window(1, "magical"), {"show": "magical"}, "pending.card"),
        (Window(1, "creative"), {"show": "creative"}, "pending.as"),
        (Window(1, "creative", "bored"), {"show": "creative"}, "pending.card"),
        (Window(1, "annoyed", "bored"), {"show": "annoyed"}, "pending.as"),
        (Window(1, "creative", "smug"), {"show": "creative"}, "pending.as"),
        (Window(1, "annoyed"), {"show": "annoyed", "happiness": [1, 0]}, "pending.target"),
        (Window(1, "annoyed"), {"show": "annoyed", "happiness": [0, 7]}, "pending"),
        (Window(1, "curious"), {"show": "curious"}, "pending.ask"),
        (Window(1, "curious", None, "happy"), {"show": "curious"}, "pending.ask"),
        (Window(1, "bored", None, "sad"), {"show": "bored"}, "pending.ask"),
        (HandSeen(0, known(("sad",), 0)), {}, "pending.target"),
        (HandSeen(1, known(("sad",), 0)), {}, "pending.cards"),
        (TopSeen(2), {"top": "glum"}, "pending.count"),
        (TopSeen(2), {"top": "glum happy"}, "hidden_pile.top"),
    ],
)
def test_a_pending_step_that_could_not_be_is_named(pending: Pending, more: dict[str, Any], named: str) -> None:
    happiness = more.pop("happiness", [1, 2]) if "happiness" in more else [1, 2]
    assert faults(composed(HANDS, happiness, pending=pending, **more)) == {named}


def test_a_position_in_the_middle_of_a_play_does_not_read() -> None:
    for state in (
        composed([f"tickled_pink {PLAIN}", OTHER], [6, 0]),
        composed(HANDS, [0, 7], pending=TopSeen(1), top="glum"),
        composed(HANDS, [1, 2], top="glum happy"),
        composed(["sad", OTHER], [1, 2]),
    ):
        with pytest.raises(MalformedError):
            GAME.parse(GAME.view(state), 2, Options())


def test_an_empty_hand_cannot_wait_to_be_robbed() -> None:
    state = composed([PLAIN, ""], [1, 2], pending=HandSeen(1, known((), 0)))
    assert faults(state) == {"pending.cards"}


@pytest.mark.parametrize(
    ("pending", "more"),
    [
        (Window(1, "annoyed"), {"show": "annoyed"}),
        (Window(1, "creative", "outraged"), {"show": "creative"}),
        (Window(1, "curious", None, "glum"), {"show": "curious"}),
        (TopSeen(1), {"top": "glum bored flirty bored"}),
        (TopSeen(3), {"top": "glum bored flirty jealous"}),
        (None, {"top": "glum bored flirty jealous"}),
        (None, {"skips": (2000, 2000)}),
        (None, {"turns": 1999}),
        (None, {"turns": 2000}),
        (None, {"hidden": ""}),
    ],
)
def test_a_position_that_is_whole_reads_back_and_can_be_played_to_the_end(
    pending: Pending | None, more: dict[str, Any]
) -> None:
    state = composed(HANDS, [3, 4] if "hidden" in more else [1, 2], pending=pending, **more)
    assert not faults(state)
    assert GAME.parse(GAME.view(state), 2, Options()) == state
    for seed in range(3):
        assert GAME.outcome(finished(state, seed)) is not None


def test_a_hand_seen_is_listed_in_any_order() -> None:
    state = composed(HANDS, [1, 2])
    seen = changed(state, pending=HandSeen(1, Secret(state.hands[1].cards or (), frozenset({0}))))
    position = GAME.view(seen)
    position["pending"]["cards"] = position["pending"]["cards"][::-1]
    assert GAME.parse(position, 2, Options()) == seen


def test_rules_are_numbered_without_gaps() -> None:
    assert [rule.number for rule in GAME.rules] == [f"BH-{number}" for number in range(1, 30)]
    assert all(len(rule.text) > 15 and rule.basis for rule in GAME.rules)


def test_cards_are_listed_as_the_components_are_creative_last() -> None:
    view = GAME.view(GAME.deal(2, Options(), RandomDice(3)))
    for lot in (*view["hands"], view["hidden_pile"]):
        assert lot["cards"] == sorted(lot["cards"], key=NAMES.index)
    assert (
        view["hidden_pile"]["cards"][-1] == "creative"
        or "creative" in view["hands"][0]["cards"] + view["hands"][1]["cards"]
    )


def test_a_position_of_the_first_turn_agrees_with_the_option_first_seat() -> None:
    plain = GAME.view(GAME.deal(3, Options(first_seat=1), RandomDice(1)))
    assert GAME.parse(plain, 3, Options(first_seat=1)).turn == 1
    with pytest.raises(MalformedError) as refused:
        GAME.parse(plain, 3, Options(first_seat=2))
    assert refused.value.field == "turn"
    assert GAME.parse(plain | {"turns": 4}, 3, Options(first_seat=2)).turn == 1
