"""Who begins, and placing (TR-1 to TR-3)."""

import pytest

from domain.games.territories import GAME
from domain.games.territories.components import BLOCKERS, MARKS, TERRITORIES, TERRITORY_OF
from domain.games.territories.control import counts
from domain.games.territories.events import Placed
from domain.games.territories.examples import THE_THIRD_BLOCKER
from domain.games.territories.moves import Place
from domain.games.territories.state import Options
from tests.support.dice import RandomDice, ScriptedDice
from tests.support.scenario import dealt, given
from tests.support.territories.pictures import LAST_PLACEMENT


def test_tr_1_two_to_four_seats_play() -> None:
    assert list(GAME.seats) == [2, 3, 4]


@pytest.mark.parametrize("seats", GAME.seats)
def test_tr_1_every_seat_can_be_drawn_to_start(seats: int) -> None:
    starts = {dealt(GAME, seats, dice=[first]).to_move for first in range(seats)}
    assert starts == {frozenset({seat}) for seat in range(seats)}


def test_tr_1_an_option_fixes_who_starts_and_nothing_is_drawn() -> None:
    dice = ScriptedDice()
    state = GAME.deal(3, Options(first_seat=2), dice)
    assert (GAME.to_move(state), dice.draws) == (frozenset({2}), 0)


def test_tr_1_a_start_seat_that_nobody_sits_on_is_a_fault_of_the_options() -> None:
    fault = GAME.options_fault(Options(first_seat=3), 3)
    assert fault is not None
    assert fault.field == "first_seat"
    assert GAME.options_fault(Options(first_seat=2), 3) is None
    assert GAME.options_fault(Options(), 2) is None


def test_tr_1_turns_go_clockwise_and_round_again() -> None:
    match = dealt(GAME, 3, Options(first_seat=1))
    order = []
    for space in ("A1", "A4", "A7", "D1"):
        order.append(min(match.to_move))
        match = match.when(Place(space))
    assert order == [1, 2, 0, 1]


def test_tr_2_a_turn_places_one_blocker_on_a_free_space() -> None:
    match = dealt(GAME, 2, Options(first_seat=0)).when({"type": "place", "at": "C5"}).then(Placed(0, "C5"))
    assert match.view()["board"][2] == "....0...."
    assert match.view()["supply"] == [BLOCKERS - 1, BLOCKERS]


def test_tr_2_an_occupied_space_is_refused() -> None:
    match = dealt(GAME, 2, Options(first_seat=0)).when(Place("C5"))
    match.when(Place("C5")).refused("TR-2")
    match.when(Place("C6")).when(Place("C5")).refused("TR-2")


def test_tr_2_nobody_passes_while_placing() -> None:
    dealt(GAME, 2).when({"type": "pass"}).refused("TR-2")


def test_tr_2_the_first_placement_may_be_anywhere() -> None:
    assert len(dealt(GAME, 4).legal()) == 81


def test_tr_3_a_third_blocker_in_a_territory_is_refused() -> None:
    match = given(GAME, THE_THIRD_BLOCKER, 3)
    match.when(Place("B1")).refused("TR-3")
    match.when(Place("A4")).then(Placed(1, "A4"))


def test_tr_3_a_full_share_takes_the_whole_territory_out_of_the_legal_moves() -> None:
    legal = {move["at"] for move in given(GAME, THE_THIRD_BLOCKER, 3).legal()}
    assert len(legal) == 81 - 9 - 1  # the triangle, and E5 is occupied
    assert "B1" not in legal


def test_tr_3_the_last_blocker_has_one_territory_left() -> None:
    legal = [move["at"] for move in given(GAME, LAST_PLACEMENT, 2).legal()]
    assert legal == ["A2", "A3", "B3", "C1", "C2", "C3"]


@pytest.mark.parametrize("seats", GAME.seats)
def test_tr_3_placement_ends_with_two_of_each_seat_in_each_territory(seats: int) -> None:
    dice = RandomDice(seats)
    match = dealt(GAME, seats)
    for _ in range(BLOCKERS * seats):
        match = match.when(dice.choice(match.legal()))
    assert {counts(match.state, territory) for territory in range(len(TERRITORIES))} == {(2,) * seats}
    assert match.state.board.count(MARKS[0]) == BLOCKERS
    assert match.view()["phase"] == "movement"


def test_the_nine_territories_are_the_nine_blocks() -> None:
    assert "".join(str(territory) for territory in TERRITORY_OF[:9]) == "000111222"
    assert TERRITORY_OF[3 * 9 + 4] == TERRITORIES.index("circle")
    assert TERRITORY_OF[8 * 9 + 8] == TERRITORIES.index("square")
    assert sorted(TERRITORY_OF) == sorted(list(range(9)) * 9)
