"""Positions: read back what was shown, refuse what cannot be, and say where the fault lies."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from domain.games.cock_block import GAME
from domain.games.cock_block.state import Options
from domain.hidden import Bag, redact
from domain.validation import MalformedError
from tests.support.cock_block.table import END_TURN, GEEKS, at, block, commit, legendary, move, position, slow, table
from tests.support.dice import RandomDice
from tests.support.scenario import given

Plain = dict[str, Any]


@pytest.mark.parametrize("name", GAME.examples)
def test_the_examples_are_complete_read_back_and_keep_the_invariants(name: str) -> None:
    example = GAME.examples[name]
    state = GAME.parse(example, len(example["seats"]), Options())
    assert list(GAME.check(state)) == []
    assert GAME.view(state) == example
    assert json.loads(json.dumps(example)) == example


def test_the_example_almost_home_is_won_as_it_says() -> None:
    example = GAME.examples["almost_home"]
    start = given(GAME, GAME.parse(example, 2, Options()), 2)
    home = start.when(move("flex_gunz")).when(move("got_bread", "right forward"))
    assert home.outcome is not None
    assert start.when(move("got_bread", "forward forward"), dice=["cb", "miss"]).outcome is not None


def test_the_example_of_a_recovery_is_won_by_ending_the_turn() -> None:
    example = GAME.examples["recovery_in_the_exit"]
    risen = given(GAME, GAME.parse(example, 4, Options()), 4).when(END_TURN)
    assert risen.outcome is not None
    assert risen.outcome.winners == (3,)


def test_the_example_of_a_window_is_answered() -> None:
    example = GAME.examples["a_window"]
    start = given(GAME, GAME.parse(example, 3, Options()), 3)
    assert start.to_move == {0}
    assert {m["type"] for m in start.legal()} == {"counter", "decline"}


def test_every_pending_step_reads_back() -> None:
    tokens = {"a1": "jealous_bff", "a2": "jealous_bff"}
    windows = [
        table(at("a0", "loud_friend"), at("b3"), at("b1")).when(block("loud_friend", "b4")),
        table(at("a0", "drank_2_much"), at("b3")).when(slow(1)),
        table(at("a0", "bag_of_seeds"), at("b3"), tokens=tokens).when(legendary("bag_of_seeds")),
        table(at("b2", "flex_gunz"), at("b3", "wild"), options=GEEKS).when(move("flex_gunz")),
        table(at("b2", "flex_gunz"), at("b3", "wild"), options=GEEKS).when(move("flex_gunz")).when(commit("wild"), 1),
    ]
    for window in windows:
        state = window.state
        plain = json.loads(json.dumps(GAME.view(state)))
        assert plain["pending"] is not None
        read = GAME.parse(plain, len(state.heroes), state.options)
        assert read == state
        assert given(GAME, read, len(state.heroes), state.options).state == state


def test_what_follows_from_the_rest_may_be_left_out() -> None:
    state = GAME.parse(position(at("a0", "wild"), at("d3")), 2, Options())
    assert len(state.deck) == 109
    assert list(GAME.check(state)) == []


def spoilt(**fields: Any) -> Callable[[Plain], None]:
    return lambda plain: plain.update(fields)


def spoilt_seat(**fields: Any) -> Callable[[Plain], None]:
    return lambda plain: plain["seats"][0].update(fields)


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (spoilt(seats=[]), "seats"),
        (spoilt(seats="two"), "seats"),
        (spoilt(active=2), "active"),
        (spoilt(active=True), "active"),
        (spoilt(turn=0), "turn"),
        (spoilt(tokens={"e3": "jealous_bff"}), "tokens.e3"),
        (spoilt(tokens={"b3": "bouncer"}), "tokens.b3"),
        (spoilt(discard=["ace"]), "discard[0]"),
        (spoilt(barn_rows=8), "barn_rows"),
        (spoilt(fights="geeks"), "fights"),
        (spoilt(supply={}), "supply"),
        (spoilt(actions_left=1), "actions_left"),
        (spoilt(friend_zone={}), "friend_zone"),
        (spoilt(deck={"cards": [], "count": 3}), "deck.count"),
        (spoilt(pending={"type": "duel", "mover": 0}), "pending.foe"),
        (spoilt(pending={"type": "showdown", "mover": 0, "foe": 1}), "pending.type"),
        (spoilt(pending={"type": "puts", "card": "bag_of_seeds", "left": 5}), "pending.left"),
        (spoilt(pending=[]), "pending"),
        (spoilt(pending={"type": "duel", "mover": 0, "foe": 1, "commitments": [[], []]}), "pending.commitments"),
        (spoilt(tokens={3: "jealous_bff"}), "tokens.3"),
        (spoilt(pending={"type": "pill_window", "seat": 4}), "pending.seat"),
        (spoilt(luck=7), "luck"),
        (spoilt_seat(hero="bob"), "seats[0].hero"),
        (spoilt_seat(at="b"), "seats[0].at"),
        (spoilt_seat(hand=None), "seats[0].hand"),
        (spoilt_seat(hand={"cards": [], "count": 7}), "seats[0].hand.count"),
        (spoilt_seat(chick="bob"), "seats[0].chick"),
    ],
)
def test_garbage_is_malformed_with_its_field(spoil: Callable[[Plain], None], field: str) -> None:
    plain = position(at("a0", "wild"), at("d3"))
    spoil(plain)
    with pytest.raises(MalformedError) as fault:
        GAME.parse(plain, 2, Options())
    assert fault.value.field == field


@pytest.mark.parametrize("garbage", [None, 3, "x", [], {}, {"seats": {}}, {"seats": [1, 2], "active": 0}])
def test_anything_else_is_malformed_too(garbage: object) -> None:
    with pytest.raises(MalformedError):
        GAME.parse(garbage, 2, Options())
    with pytest.raises(MalformedError):
        GAME.parse(position(at("a0"), at("b0"), at("c0")), 2, Options())


WINDOW = {"type": "counter_window", "at": "d4", "asked": [1]}
DUEL = {"type": "duel", "mover": 0, "foe": 1}


@pytest.mark.parametrize(
    ("seats", "fields", "options", "field"),
    [
        ((at("d9"), at("d3")), {}, None, "seats[0].at"),
        ((at("a0"), at("d3")), {"tokens": {"b9": "jealous_bff"}}, None, "tokens.b9"),
        ((at("a0"), at("d3")), {"tokens": {"d3": "jealous_bff"}}, None, "tokens.d3"),
        (
            (at("a0"), at("d3")),
            {"tokens": dict.fromkeys(("a1", "a2", "a3", "a4", "a5"), "loud_friend")},
            None,
            "tokens",
        ),
        ((at("a0", hero="lil_wing"), at("d3")), {}, None, "seats"),
        ((at("a0"), at("d3")), {}, Options(heroes=("lil_wing", "trent_cooper")), "seats"),
        ((at("a1", chick="sarah"), at("d3", chick="sarah")), {}, None, "seats"),
        ((at("a0", chick="sarah"), at("d0", chick="tracy")), {}, None, "seats"),
        ((at("a0", slowed=True, all_access=True), at("d3")), {}, None, "seats[0].slowed"),
        ((at("a0", all_access=True), at("d3", all_access=True)), {}, None, "deck"),
        ((at("a0", *("wild",) * 7), at("d3")), {}, None, "deck"),
        ((at("a0", *("wild",) * 6, "bouncer", "bouncer"), at("d3")), {}, None, "seats[0].hand"),
        ((at("a0"), at("d3")), {"deck": {"cards": []}}, None, "deck"),
        ((at("a0"), at("d3")), {"actions": ["move"] * 3}, None, "actions"),
        ((at("a0"), at("d3")), {"actions": ["attack", "defend"]}, None, "actions"),
        ((at("a0"), at("d3")), {"actions": ["discard", "legendary"]}, None, "actions"),
        ((at("a0"), at("d3")), {"actions": ["discard"]}, None, "thrown"),
        ((at("a0"), at("d3")), {"actions": ["discard"], "thrown": 2}, None, "thrown"),
        ((at("a0", knocked_out=True), at("d3")), {"glory": True}, None, "glory"),
        ((at("a0", knocked_out=True), at("d3")), {"actions": ["move"]}, None, "actions"),
        ((at("a0"), at("d3")), {"pending": WINDOW, "actions": ["attack"]}, None, "pending.at"),
        ((at("a0"), at("d3")), {"pending": WINDOW, "tokens": {"d4": "loud_friend"}}, None, "actions"),
        (
            (at("a0"), at("c3")),
            {"pending": WINDOW, "tokens": {"d4": "loud_friend"}, "actions": ["attack"]},
            None,
            "pending.asked",
        ),
        ((at("a0"), at("d3")), {"pending": WINDOW | {"asked": [3]}}, None, "pending"),
        (
            (at("a0"), at("d3")),
            {"pending": {"type": "pill_window", "seat": 1}, "actions": ["attack"]},
            None,
            "pending.seat",
        ),
        (
            (at("a0"), at("d3")),
            {
                "pending": {"type": "puts", "card": "bag_of_seeds", "left": 4},
                "tokens": {"a3": "jealous_bff"},
                "actions": ["legendary"],
            },
            None,
            "tokens",
        ),
        ((at("b3"), at("b3")), {"pending": DUEL, "actions": ["move"]}, None, "pending.type"),
        ((at("b3"), at("b4")), {"pending": DUEL, "actions": ["move"]}, GEEKS, "pending"),
        ((at("b3"), at("b3", knocked_out=True)), {"pending": DUEL, "actions": ["move"]}, GEEKS, "pending"),
        ((at("b3", all_access=True), at("b3")), {"pending": DUEL, "actions": ["move"]}, GEEKS, "pending"),
        ((at("b3"), at("b3")), {"pending": DUEL | {"foe": 0}, "actions": ["move"]}, GEEKS, "pending"),
        (
            (at("b3"), at("b3")),
            {"pending": DUEL | {"commitments": [["wild"], None]}, "actions": ["move"]},
            GEEKS,
            "pending.commitments",
        ),
        ((at("b3"), at("b3")), {"pending": DUEL, "actions": ["move"], "turn": 501}, GEEKS, "pending"),
        (
            (at("b0", chick="sarah"), at("d3", slowed=True)),
            {"pending": {"type": "pill_window", "seat": 1}, "actions": ["attack"]},
            None,
            "pending",
        ),
        (
            (at("b0"), at("b0", chick="sarah")),
            {"pending": DUEL, "actions": ["move"]},
            GEEKS,
            "pending",
        ),
        (
            (at("b3", knocked_out=True), at("b4")),
            {"pending": {"type": "pill_window", "seat": 1}, "actions": ["attack"]},
            None,
            "pending",
        ),
    ],
)
def test_what_cannot_be_is_told_by_check(
    seats: tuple[Plain, ...], fields: Plain, options: Options | None, field: str
) -> None:
    state = GAME.parse(position(*seats, **fields), 2, options or Options())
    assert field in [fault.field for fault in GAME.check(state)]


def test_check_looks_at_states_too_that_no_position_can_say() -> None:
    state = GAME.deal(2, Options(), RandomDice())
    told = [
        replace(state, discard=("wild", "bouncer")),
        replace(state, tokens=(("b3", "loud_friend"), ("a3", "loud_friend"))),
        replace(state, hands=(Bag.of(state.hands[0].cards or ()), state.hands[1])),
        replace(state, deck=Bag.of(state.deck.cards or (), frozenset({0}))),
        redact(state, frozenset({0})),
        replace(state, active=2),
        replace(state, hands=state.hands[:1]),
    ]
    assert all(list(GAME.check(broken)) for broken in told)


def test_the_seat_on_turn_agrees_with_the_option_first_seat() -> None:
    plain = GAME.view(GAME.deal(3, Options(first_seat=1), RandomDice(1)))
    assert GAME.parse(plain, 3, Options(first_seat=1)).active == 1
    for turn, first in ((1, 0), (1, 2), (2, 1)):
        with pytest.raises(MalformedError) as refused:
            GAME.parse(plain | {"turn": turn}, 3, Options(first_seat=first))
        assert refused.value.field == "active"
    assert GAME.parse(plain | {"turn": 2}, 3, Options(first_seat=0)).active == 1
