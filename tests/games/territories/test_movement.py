"""Moving and passing (TR-4, TR-5)."""

import pytest

from domain.games.territories import GAME
from domain.games.territories.events import Moved, Passed
from domain.games.territories.examples import BLOCKED_IN, drawn
from domain.games.territories.moves import Move, Place
from tests.support.scenario import given
from tests.support.territories.pictures import EVEN, LAST_PLACEMENT, MOVEMENT, START_OF_MOVEMENT


def test_tr_4_movement_begins_with_the_starting_seat_after_the_last_placement() -> None:
    match = given(GAME, LAST_PLACEMENT, 2)
    match.when(Move("B1", "C1")).refused("TR-4")
    match = match.when(Place("A2"))
    assert (match.to_move, match.view()["phase"]) == (frozenset({0}), "movement")


def test_tr_4_movement_begins_with_the_starting_seat_when_it_is_not_the_first() -> None:
    assert GAME.to_move(drawn(EVEN, seats=2, turns=MOVEMENT, first_seat=1)) == {1}


def test_tr_4_nothing_is_placed_any_more() -> None:
    given(GAME, START_OF_MOVEMENT, 2).when(Place("C3")).refused("TR-4")


@pytest.mark.parametrize("to", ["D3", "F3", "E2", "E4"])
def test_tr_4_a_blocker_moves_up_down_left_and_right(to: str) -> None:
    match = given(GAME, START_OF_MOVEMENT, 2).when(Move("E4", "E3")).when(Move("E2", "F2"))
    assert match.when(Move("E3", to)).then(Moved(0, "E3", to)).to_move == {1}


def test_tr_4_borders_between_territories_do_not_matter() -> None:
    match = given(GAME, START_OF_MOVEMENT, 2).when(Move("B1", "C1")).when(Move("E2", "E3"))
    match = match.when({"type": "move", "from": "C1", "to": "C2"}).when(Move("E3", "F3"))
    match = match.when(Move("C2", "C3")).when(Move("F3", "E3"))
    match.when(Move("C3", "C4")).then(Moved(0, "C3", "C4"))


def test_tr_4_a_diagonal_step_is_refused() -> None:
    given(GAME, START_OF_MOVEMENT, 2).when(Move("B1", "C2")).refused("TR-4")


def test_tr_4_an_occupied_space_is_refused() -> None:
    match = given(GAME, START_OF_MOVEMENT, 2)
    match.when(Move("B1", "B2")).refused("TR-4")
    match.when(Move("B1", "A1")).refused("TR-4")


def test_tr_4_two_steps_at_once_are_refused() -> None:
    match = given(GAME, START_OF_MOVEMENT, 2)
    match.when(Move("B4", "C4")).when(Move("E2", "F2")).when(Move("C4", "C2")).refused("TR-4")
    match.when(Move("B4", "C5")).refused("TR-4")


def test_tr_4_standing_still_is_refused() -> None:
    given(GAME, START_OF_MOVEMENT, 2).when(Move("B1", "B1")).refused("TR-4")


def test_tr_4_the_board_does_not_wrap() -> None:
    match = given(GAME, START_OF_MOVEMENT, 2)
    match.when(Move("D1", "C9")).refused("TR-4")
    match.when(Move("A1", "I1")).refused("TR-4")


def test_tr_4_only_own_blockers_move() -> None:
    match = given(GAME, START_OF_MOVEMENT, 2)
    match.when(Move("B2", "C2")).refused("TR-4")
    match.when(Move("C2", "C3")).refused("TR-4")


def test_tr_4_the_legal_moves_are_the_steps_onto_free_spaces() -> None:
    # Seat 0's blockers stand in columns 1, 4 and 7: down from rows B, E and H; up from D and G; left in columns 4 and 7.
    legal = {(move["from"], move["to"]) for move in given(GAME, START_OF_MOVEMENT, 2).legal()}
    down = {(f"{row}{column}", f"{below}{column}") for row, below in ("BC", "EF", "HI") for column in "147"}
    up = {(f"{row}{column}", f"{above}{column}") for row, above in ("DC", "GF") for column in "147"}
    left = {(f"{row}{column}", f"{row}{int(column) - 1}") for row in "ABDEGH" for column in "47"}
    assert legal == down | up | left


def test_tr_5_a_seat_that_can_move_must() -> None:
    match = given(GAME, START_OF_MOVEMENT, 2)
    assert {"type": "pass"} not in match.legal()
    match.when({"type": "pass"}).refused("TR-5")


def test_tr_5_a_blocked_in_seat_passes() -> None:
    match = given(GAME, BLOCKED_IN, 2)
    assert match.legal() == [{"type": "pass"}]
    after = match.when({"type": "pass"}).then(Passed(0))
    assert after.state.board == match.state.board
    assert (after.to_move, after.outcome) == (frozenset({1}), None)


def test_tr_5_a_blocked_in_seat_moves_again_once_there_is_room() -> None:
    match = given(GAME, BLOCKED_IN, 2).when({"type": "pass"}).when(Move("D5", "E5")).when({"type": "pass"})
    match = match.when(Move("C5", "D5"))
    assert match.legal() == [{"type": "move", "from": "B5", "to": "C5"}]
