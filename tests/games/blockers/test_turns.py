"""Seats, deal, order and end: BL-1 to BL-3 and BL-14."""

from __future__ import annotations

import pytest

from domain.games.blockers import GAME, Options, Pass, Place
from domain.games.blockers.components import COLOURS, TILES
from domain.hidden import redact
from domain.validation import HIDDEN, MalformedError
from tests.support.blockers.bots import OF_THE_ROWS, U_SHAPES
from tests.support.blockers.positions import at, end, state
from tests.support.dice import RandomDice
from tests.support.scenario import dealt


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_bl_1_each_seat_has_a_colour_of_its_own(seats: int) -> None:
    scenario = dealt(GAME, seats, Options(first_seat=0))
    assert list(scenario.view()["racks"]) == list(COLOURS[:seats])
    for seat in range(seats):
        assert scenario.state.own(seat) == range(seat, seat + 1)
        assert scenario.state.racks[seat].seats == {seat}


def test_bl_1_two_to_five_seats_play() -> None:
    assert list(GAME.seats) == [2, 3, 4, 5]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_bl_2_five_tiles_of_each_colour_go_on_its_rack_and_the_rest_in_its_pile(seats: int) -> None:
    dealt_state = GAME.deal(seats, Options(), RandomDice(seats))
    for rack, pile in zip(dealt_state.racks, dealt_state.piles, strict=True):
        assert (len(rack), len(pile)) == (5, 23)
        assert sorted([*(rack.cards or ()), *(pile.cards or ())]) == sorted(TILES)


def test_bl_2_the_dice_say_which_tiles() -> None:
    script = [1, "1", "2", "3", "4", "5", "A", "B", "C", "D", "E", "wild", "moon", "heart", "square", "9"]
    scenario = dealt(GAME, 3, dice=script)
    assert scenario.to_move == {1}
    assert scenario.view(2)["racks"]["green"]["cards"] == ["9", "moon", "heart", "square", "wild"]


def test_bl_2_only_the_owner_sees_a_rack_and_nobody_a_pile() -> None:
    scenario = dealt(GAME, 3)
    for viewer in ((), (0,), (1,), (2,)):
        view = scenario.view(*viewer)
        for seat, colour in enumerate(COLOURS[:3]):
            assert (view["racks"][colour]["cards"] == HIDDEN) == (seat not in viewer)
            assert view["racks"][colour]["count"] == 5
            assert view["piles"][colour] == {"count": 23, "cards": HIDDEN}


def test_bl_2_a_drawn_tile_is_known_to_who_drew_it() -> None:
    scenario = at(racks={"red": "5 A star circle wild"}).when(Place("5", "C5"), dice=["moon"])
    assert "moon" in scenario.view(0)["racks"]["red"]["cards"]
    assert scenario.view(1)["racks"]["red"] == {"count": 5, "cards": HIDDEN}
    assert scenario.view()["piles"]["red"]["count"] == 22


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_bl_3_turns_go_round_from_the_first_seat(seats: int) -> None:
    for first in range(seats):
        scenario = dealt(GAME, seats, Options(first_seat=first))
        for turn in range(2 * seats):
            assert scenario.to_move == {(first + turn) % seats}
            scenario = scenario.when(scenario.legal()[turn])


def test_bl_3_the_first_seat_is_drawn_unless_the_option_says_so() -> None:
    assert [dealt(GAME, 3, dice=[seat]).state.first_seat for seat in range(3)] == [0, 1, 2]
    assert dealt(GAME, 3, Options(first_seat=2)).to_move == {2}


def test_bl_3_the_option_must_name_a_seat_of_the_match() -> None:
    assert GAME.options_fault(Options(first_seat=2), 3) is None
    assert GAME.options_fault(Options(), 2) is None
    fault = GAME.options_fault(Options(first_seat=3), 3)
    assert isinstance(fault, MalformedError)
    assert fault.field == "first_seat"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_bl_14_the_match_ends_when_every_seat_has_had_its_turns(seats: int) -> None:
    dice, position = RandomDice(seats), GAME.deal(seats, Options(first_seat=seats - 1), RandomDice(0))
    while GAME.outcome(position) is None:
        (seat,) = GAME.to_move(position)
        move = dice.choice(list(GAME.legal(redact(position, frozenset({seat})), seat)))
        for event in GAME.decide(position, seat, move, dice):
            position = GAME.evolve(position, event)
    each = 48 if seats == 2 else 24
    assert position.turns == each * seats
    assert [position.turns_of(seat) for seat in range(seats)] == [each] * seats
    assert [(len(rack), len(pile)) for rack, pile in zip(position.racks, position.piles, strict=True)] == [
        (4, 0) for _ in position.racks
    ]
    assert GAME.to_move(position) == frozenset()
    assert not any(GAME.legal(position, seat) for seat in range(seats))


def test_bl_14_it_does_not_end_with_the_first_rack_of_four() -> None:
    scenario = at(turns=end(3) - 3, piles=False)
    scenario = scenario.when(scenario.legal()[0])
    assert len(scenario.state.racks[0]) == 4
    assert scenario.outcome is None
    scenario = scenario.when(scenario.legal()[0])
    assert scenario.outcome is None
    scenario = scenario.when(scenario.legal()[0])
    assert scenario.outcome is not None
    assert scenario.outcome.rule in ("BL-14", "BL-16")


def test_bl_14_a_pass_leaves_one_tile_more() -> None:
    scenario = at(U_SHAPES, seats=4, racks=OF_THE_ROWS, turns=end(4) - 4)
    before = len(scenario.state.racks[0]) + len(scenario.state.piles[0])
    after = scenario.when(Pass())
    assert len(after.state.racks[0]) + len(after.state.piles[0]) == before


def test_bl_14_the_last_turn_may_be_a_pass() -> None:
    scenario = at(U_SHAPES, seats=4, racks=OF_THE_ROWS, turns=end(4) - 4)
    scenario = scenario.when(Pass())
    for _ in range(3):
        scenario = scenario.when(scenario.legal()[0])
    assert scenario.outcome is not None


def test_bl_14_a_position_after_all_turns_is_over_at_once() -> None:
    over = state({"red": "A1"}, turns=end(3))
    assert GAME.outcome(over) is not None
    assert GAME.to_move(over) == frozenset()
