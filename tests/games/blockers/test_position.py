"""The position format: what is read, what is refused and how it is said, and events as sentences."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.blockers import GAME, Captured, Options, Passed, Place, TilePlaced
from domain.games.blockers.components import COLOURS
from domain.hidden import Hidden, Secret, redact
from domain.validation import HIDDEN, MalformedError
from tests.support.blockers.positions import at, position, state
from tests.support.dice import RandomDice

NAMES = ("Ada", "Ben", "Cleo")

MIDDLE = position({"red": "A1=1 C5=5", "blue": "E5=5"}, captured=[{"blue": "9"}], racks={"red": "2 C"}, turns=30)


def parsed(change: Callable[[dict[str, Any]], object]) -> None:
    """The middle position, changed, read and checked; raises what is found first."""
    plain = copy.deepcopy(MIDDLE)
    change(plain)
    for fault in GAME.check(GAME.parse(plain, 3, Options())):
        raise fault


def test_the_position_that_the_faults_are_made_of_is_sound() -> None:
    parsed(lambda plain: None)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda p: p.update(turns=-1), "turns"),
        (lambda p: p.update(turns=73), "turns"),
        (lambda p: p.update(turns=2), "turns"),
        (lambda p: p.update(first_seat=3), "first_seat"),
        (lambda p: p.update(first_seat=True), "first_seat"),
        (lambda p: p.update(scoring="uptown"), "scoring"),
        (lambda p: p.update(extra=1), "extra"),
        (lambda p: p.pop("racks"), "racks"),
        (lambda p: p["board"].update(J1={"colour": "red", "tile": "1"}), "board.J1"),
        (lambda p: p["board"]["A1"].update(colour="purple"), "board.A1.colour"),
        (lambda p: p["board"]["A1"].update(tile="2"), "board.A1.tile"),
        (lambda p: p["board"]["A1"].update(tile="10"), "board.A1.tile"),
        (lambda p: p["board"].pop("A1"), "piles.red"),
        (lambda p: p["board"].update(A2={"colour": "red", "tile": "2"}), "piles.red"),
        (lambda p: p["racks"].pop("red"), "racks.red"),
        (lambda p: p["racks"].update(purple={"cards": []}), "racks.purple"),
        (lambda p: p["racks"]["red"].update(count=4), "racks.red.count"),
        (lambda p: p["racks"]["red"].update(cards=HIDDEN), "racks.red.cards"),
        (lambda p: p["piles"]["red"]["cards"].append(p["racks"]["red"]["cards"].pop()), "racks.red"),
        (lambda p: p["racks"]["red"]["cards"].append(p["piles"]["red"]["cards"].pop()), "racks.red"),
        (lambda p: p["captured"].pop(), "captured"),
        (lambda p: p["captured"][1].update(purple=["1"]), "captured[1].purple"),
        (lambda p: p["captured"][1].update(red=["0"]), "captured[1].red[0]"),
        (lambda p: p["captured"][1].update(blue=[p["piles"]["blue"]["cards"].pop()]), "captured[1].blue"),
        (lambda p: p["captured"][2].update(p["captured"][0]), "captured[2]"),
        (lambda p: p.update(scores={}), "scores"),
    ],
)
def test_what_breaks_an_invariant_is_named(change: Callable[[dict[str, Any]], object], field: str) -> None:
    with pytest.raises(MalformedError) as caught:
        parsed(change)
    assert caught.value.field == field
    assert len(caught.value.message) >= 10


def test_the_scores_in_a_position_are_counted_anew() -> None:
    plain = GAME.view(state({"red": "A1"}))
    claimed = plain | {"scores": [{"groups": 9, "most_captured": 9, "all_captured": 9, "total": 18}]}
    assert GAME.view(GAME.parse(claimed, 3, Options())) == plain


def test_a_position_must_agree_with_the_options_of_the_match() -> None:
    plain = GAME.view(state())
    assert GAME.parse(plain, 3, Options(first_seat=0)).first_seat == 0
    for options, field in ((Options(first_seat=1), "first_seat"), (Options(scoring="uptown"), "scoring")):
        with pytest.raises(MalformedError) as caught:
            GAME.parse(plain, 3, options)
        assert caught.value.field == field


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 100) | st.sampled_from(["red", "1", "C5", "wild", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*MIDDLE, *COLOURS, "A1"]), inner),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(MIDDLE)), json_values, st.integers(2, 5))
def test_garbage_is_only_ever_malformed(field: str, value: Any, seats: int) -> None:
    for plain in (value, MIDDLE | {field: value}):
        try:
            faults = list(GAME.check(GAME.parse(plain, seats, Options())))
        except MalformedError as fault:
            faults = [fault]
        assert all(isinstance(fault, MalformedError) for fault in faults)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 72), st.sets(st.sampled_from(["A1", "A2", "A3", "B1", "B2", "C5", "I9", "E5"])), st.integers(0, 99)
)
def test_a_position_that_checks_clean_can_be_played_to_the_end(turns: int, spaces: set[str], seed: int) -> None:
    try:
        current = state({"blue": " ".join(sorted(spaces))}, turns=turns)
    except MalformedError:
        return
    if list(GAME.check(current)):
        return
    dice = RandomDice(seed)
    while GAME.outcome(current) is None:
        (seat,) = GAME.to_move(current)
        move = dice.choice(list(GAME.legal(redact(current, frozenset({seat})), seat)))
        for event in GAME.decide(current, seat, move, dice):
            current = GAME.evolve(current, event)
    assert not list(GAME.check(current))


@pytest.mark.parametrize("name", list(GAME.examples))
def test_every_example_reads(name: str) -> None:
    plain = GAME.examples[name]
    seats = len(plain["captured"])
    for scoring in ("blockers", "uptown"):
        found = GAME.parse(plain, seats, Options(scoring=scoring))
        assert not list(GAME.check(found))
        assert GAME.legal(found, 0)


def test_bl_8_the_example_shows_what_is_held_together() -> None:
    held = GAME.parse(GAME.examples["held_together"], 3, Options())
    places = {move.at for move in GAME.legal(held, 0) if isinstance(move, Place)}
    captures = places & set(GAME.examples["held_together"]["board"])
    assert " ".join(sorted(captures)) == "C8 D4 D5 D6 D7 D9 E4 E6 E8 F4 F5 F6 H2 I1"


def test_bl_12_the_example_shows_a_pass() -> None:
    stuck = GAME.parse(GAME.examples["nothing_to_place"], 4, Options())
    assert [GAME.plain_move(move) for move in GAME.legal(stuck, 0)] == [{"type": "pass"}]


def test_a_view_is_json_and_the_same_whatever_is_hidden() -> None:
    scenario = at({"red": "A1 C5", "blue": "E5"}, racks={"red": "2 B moon"})
    other = at({"red": "A1 C5", "blue": "E5"}, racks={"red": "3 D heart"})
    for viewer in ((), (1,), (2,), (1, 2)):
        assert json.dumps(scenario.view(*viewer)) == json.dumps(other.view(*viewer))
    assert json.loads(json.dumps(scenario.view(0))) == scenario.view(0)


def test_cards_and_captures_are_shown_in_the_order_of_the_tiles() -> None:
    scenario = at(
        {"blue": "A1 A2 A3 A4"},
        racks={"red": "wild moon cross B 2"},
        captured=[{}, {"red": "square triangle A 9"}],
    )
    assert scenario.view(0)["racks"]["red"] == {"count": 5, "cards": ["2", "B", "cross", "moon", "wild"]}
    assert scenario.view(0)["captured"][1] == {"red": ["9", "A", "triangle", "square"]}


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Passed(2), "Cleo can place nothing and passes."),
        (TilePlaced(0, "red", "5", "C5", None, None), "Ada places the red 5 on C5."),
        (
            TilePlaced(0, "red", "5", "C5", None, Hidden(frozenset({0}))),
            "Ada places the red 5 on C5 and draws a tile.",
        ),
        (
            TilePlaced(1, "blue", "wild", "C5", Captured("red", "5"), Secret("moon", frozenset({1}))),
            "Ben places the blue wild on C5, captures the red 5 and draws the blue moon.",
        ),
        (
            TilePlaced(1, "blue", "star", "A9", Captured("green", "A"), None),
            "Ben places the blue star on A9 and captures the green A.",
        ),
    ],
)
def test_each_event_is_a_sentence(event: Any, said: str) -> None:
    assert GAME.sentence(event, NAMES) == said
