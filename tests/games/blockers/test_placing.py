"""Where a tile may go: BL-4 to BL-6 and BL-9 to BL-13."""

from __future__ import annotations

import pytest

from domain.games.blockers import GAME, Captured, Options, Pass, Passed, Place, State, TilePlaced
from domain.games.blockers.board import BARE, COLOUR_GLYPHS, INDEX, put
from domain.games.blockers.components import COLOURS, SPACES, TILES
from domain.hidden import Bag, Secret, redact
from tests.support.blockers.bots import OF_THE_ROWS, U_SHAPES
from tests.support.blockers.positions import Tiles, at, state

PASS = {"type": "pass"}

FULL_ROWS = {
    "blue": "A1 A2 A3 A4 A5 A6 A7 A8 A9 C1 C2 C3 C4 C5",
    "green": "B1 B2 B3 B4 B5 B6 B7 B8 B9 C6 C7 C8 C9",
}
"""Rows A to C are full, and some tiles there can be captured."""


def spaces_of(moves: list[dict[str, str]], tile: str) -> set[str]:
    return {move["at"] for move in moves if move.get("tile") == tile}


def test_bl_4_a_turn_places_one_tile_of_the_rack_and_draws_one() -> None:
    scenario = at(racks={"red": "5 A star circle wild"}).when(Place("5", "C5"), dice=["moon"])
    scenario.then(TilePlaced(0, "red", "5", "C5", None, Secret("moon", frozenset({0}))))
    assert scenario.state.racks[0].cards == ("A", "circle", "moon", "star", "wild")
    assert len(scenario.state.piles[0]) == 22
    assert scenario.to_move == {1}


def test_bl_4_a_tile_that_is_not_on_the_rack_cannot_be_placed() -> None:
    at(racks={"red": "5 A star circle wild"}).when(Place("6", "C6")).refused("BL-4")


def test_bl_4_a_tile_is_drawn_after_a_capture_too() -> None:
    scenario = at({"blue": "C5=C"}, racks={"red": "5 A star circle wild"}).when(Place("5", "C5"), dice=["moon"])
    scenario.then(TilePlaced(0, "red", "5", "C5", Captured("blue", "C"), Secret("moon", frozenset({0}))))
    assert len(scenario.state.racks[0]) == 5


def test_bl_4_nothing_is_drawn_once_the_pile_is_empty() -> None:
    scenario = at(racks={"red": "5 A star circle wild"}, piles=False).when(Place("5", "C5"))
    scenario.then(TilePlaced(0, "red", "5", "C5", None, None))
    assert len(scenario.state.racks[0]) == 4


@pytest.mark.parametrize(
    ("tile", "spaces"),
    [
        ("5", {"A5", "B5", "C5", "D5", "E5", "F5", "G5", "H5", "I5"}),
        ("C", {"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9"}),
        ("triangle", {"A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"}),
        ("cross", {"A4", "A5", "A6", "B4", "B5", "B6", "C4", "C5", "C6"}),
        ("star", {"A7", "A8", "A9", "B7", "B8", "B9", "C7", "C8", "C9"}),
        ("clover", {"D1", "D2", "D3", "E1", "E2", "E3", "F1", "F2", "F3"}),
        ("circle", {"D4", "D5", "D6", "E4", "E5", "E6", "F4", "F5", "F6"}),
        ("diamond", {"D7", "D8", "D9", "E7", "E8", "E9", "F7", "F8", "F9"}),
        ("moon", {"G1", "G2", "G3", "H1", "H2", "H3", "I1", "I2", "I3"}),
        ("heart", {"G4", "G5", "G6", "H4", "H5", "H6", "I4", "I5", "I6"}),
        ("square", {"G7", "G8", "G9", "H7", "H8", "H9", "I7", "I8", "I9"}),
        ("wild", set(SPACES)),
    ],
)
def test_bl_5_a_number_goes_in_its_column_a_letter_in_its_row_a_symbol_in_its_block(
    tile: str, spaces: set[str]
) -> None:
    scenario = at(racks={"red": tile})
    assert spaces_of(scenario.legal(), tile) == spaces
    for space in set(SPACES) - spaces:
        scenario.when(Place(tile, space)).refused("BL-5")


def test_bl_5_holds_for_captures_too() -> None:
    scenario = at({"blue": "C5"}, racks={"red": "5 C cross B star"})
    for tile in ("B", "star"):
        scenario.when(Place(tile, "C5")).refused("BL-5")
    for tile in ("5", "C", "cross"):
        assert scenario.when(Place(tile, "C5")).refusal is None


def test_bl_6_a_capture_is_free_choice_while_an_empty_space_fits() -> None:
    scenario = at({"blue": "C5=C A1"}, racks={"red": "5 A B C D"})
    assert spaces_of(scenario.legal(), "5") == {"A5", "B5", "C5", "D5", "E5", "F5", "G5", "H5", "I5"}
    draws = Secret("wild", frozenset({0}))
    scenario.when(Place("5", "A5"), dice=["wild"]).then(TilePlaced(0, "red", "5", "A5", None, draws))
    scenario.when(Place("5", "C5"), dice=["wild"]).then(TilePlaced(0, "red", "5", "C5", Captured("blue", "C"), draws))


def test_bl_6_the_captured_tile_is_replaced() -> None:
    scenario = at({"blue": "C5=C"}, racks={"red": "5 A B C D"}).when(Place("5", "C5"))
    assert scenario.view()["board"] == {"C5": {"colour": "red", "tile": "5"}}


def test_bl_9_own_tiles_are_never_captured() -> None:
    scenario = at({"red": "C5"}, racks={"red": "5 A B C D"})
    assert "C5" not in {move["at"] for move in scenario.legal()}
    scenario.when(Place("5", "C5")).refused("BL-9")


def test_bl_9_a_space_that_an_opponent_took_may_be_taken_back() -> None:
    scenario = at({"red": "C5=5"}, racks={"blue": "5 A", "green": "I", "red": "C"}, to_move=1)
    scenario = scenario.when(Place("5", "C5")).when(Place("I", "I1")).when(Place("C", "C5"))
    assert scenario.view()["board"]["C5"] == {"colour": "red", "tile": "C"}
    assert scenario.view()["captured"] == [{"blue": ["5"]}, {"red": ["5"]}, {}]


def test_bl_10_the_wild_tile_obeys_bl_8_and_bl_9() -> None:
    scenario = at({"blue": "E4 E5 E6", "red": "A1"}, racks={"red": "wild 1 2 3 4"})
    scenario.when(Place("wild", "E5")).refused("BL-8")
    scenario.when(Place("wild", "A1")).refused("BL-9")
    assert spaces_of(scenario.legal(), "wild") == set(SPACES) - {"E5", "A1"}


def test_bl_10_a_wild_tile_on_the_board_is_captured_like_any_other() -> None:
    scenario = at({"blue": "E4 E5=wild E6 I9"}, racks={"red": "4 5 6 9 circle"})
    scenario.when(Place("5", "E5")).refused("BL-8")
    lone = at({"blue": "E5=wild"}, racks={"red": "4 5 6 9 circle"}).when(Place("5", "E5"), dice=["A"])
    lone.then(TilePlaced(0, "red", "5", "E5", Captured("blue", "wild"), Secret("A", frozenset({0}))))


def test_bl_11_if_no_tile_fits_an_empty_space_a_capture_is_mandatory() -> None:
    scenario = at(FULL_ROWS, racks=OF_THE_ROWS)
    moves = scenario.legal()
    assert PASS not in moves
    assert " ".join(sorted({move["at"] for move in moves})) == "A1 A9 B1 B7 B8 B9 C1 C5 C6 C7 C8 C9"
    scenario.when(Pass()).refused("BL-11")
    scenario.when(Place("A", "A5")).refused("BL-8")


def test_bl_11_with_every_space_of_all_five_tiles_taken_only_captures_are_legal() -> None:
    full = {"blue": "A1 A3 A5 A7 A9 B2 B4 B6 B8 C1 C3 C5 C7 C9", "green": "A2 A4 A6 A8 B1 B3 B5 B7 B9 C2 C4 C6 C8"}
    scenario = at(full, racks=OF_THE_ROWS)
    moves = scenario.legal()
    assert len(moves) == 9 * 5
    assert {move["at"] for move in moves} == {space for space in SPACES if space[0] in "ABC"}
    scenario.when(Pass()).refused("BL-11")
    for move in moves:
        assert scenario.when(move).happened[0].captured is not None


def test_bl_12_without_any_placement_the_seat_passes() -> None:
    scenario = at(U_SHAPES, seats=4, racks=OF_THE_ROWS)
    assert scenario.legal() == [PASS]
    after = scenario.when(Pass()).then(Passed(0))
    assert after.to_move == {1}
    assert after.state.turns == scenario.state.turns + 1
    assert after.state.racks == scenario.state.racks
    assert after.state.piles == scenario.state.piles


def test_bl_12_one_tile_less_on_the_board_and_exactly_two_captures_are_open() -> None:
    without_d1 = U_SHAPES | {"blue": U_SHAPES["blue"].replace("D1 ", "")}
    scenario = at(without_d1, seats=4, racks=OF_THE_ROWS)
    assert scenario.legal() == [
        {"type": "place", "tile": "C", "at": "C1"},
        {"type": "place", "tile": "triangle", "at": "C1"},
    ]
    scenario.when(Pass()).refused("BL-11")


def coloured(board: Tiles, rack: str) -> State:
    """A board of which only the colours are given; its tiles could not all lie there."""
    colours = BARE
    for colour, spaces in board.items():
        for space in spaces.split():
            colours = put(colours, INDEX[space], COLOUR_GLYPHS[COLOURS.index(colour)])
    racks = (Bag.of(rack.split(), frozenset({0})), *(Bag.of(TILES[:5], frozenset({seat})) for seat in (1, 2, 3)))
    piles = (Bag.of(TILES[:9]),) * 4
    return State("blockers", 0, 0, colours, colours, racks, piles, (("",) * 4,) * 4)


THREE_U_SHAPES = {
    "blue": "A1 A2 A3 B1 C1 D1 B3 C3 D3",
    "green": "A4 A5 A6 B4 C4 D4 B6 C6 D6",
    "yellow": "A7 A8 A9 B7 C7 D7 B9 C9 D9",
    "red": "B2 C2 B5 C5 B8 C8",
}


def test_bl_12_three_u_shapes_around_own_tiles_leave_nothing_to_place() -> None:
    dead = redact(coloured(THREE_U_SHAPES, OF_THE_ROWS["red"]), frozenset({0}))
    assert GAME.legal(dead, 0) == [Pass()]
    assert GAME.refuse(dead, 0, Pass()) is None
    without_d1 = THREE_U_SHAPES | {"blue": THREE_U_SHAPES["blue"].replace(" D1", "")}
    alive = redact(coloured(without_d1, OF_THE_ROWS["red"]), frozenset({0}))
    assert GAME.legal(alive, 0) == [Place("C", "C1"), Place("triangle", "C1")]


def test_bl_12_who_can_place_on_an_empty_space_cannot_pass() -> None:
    at(racks={"red": "1 2 3 4 5"}).when(Pass()).refused("BL-12")


def test_bl_13_captured_tiles_lie_open_before_the_captor_and_never_return() -> None:
    scenario = at({"blue": "C5=C", "green": "D5=5"}, racks={"red": "5 D", "blue": "I", "green": "I"})
    scenario = scenario.when(Place("5", "C5")).when(Place("I", "I1")).when(Place("I", "I2")).when(Place("D", "D5"))
    for viewer in ((), (0,), (1,), (2,)):
        assert scenario.view(*viewer)["captured"] == [{"blue": ["C"], "green": ["5"]}, {}, {}]
    assert "C" not in scenario.state.racks[1].cards + scenario.state.piles[1].cards


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("board", [{}, FULL_ROWS, {"blue": "E4 E5 E6", "red": "E3 D1", "green": "C3 C5 A1 A2"}])
def test_exactly_the_legal_moves_are_not_refused(board: Tiles, seats: int) -> None:
    position = redact(state(board, seats=seats, racks={"red": "A 5 wild"}, options=Options()), frozenset({0}))
    fine = [
        Place(tile, space, name)
        for name in (("red", "green") if seats == 2 else (None,))
        for tile in TILES
        for space in SPACES
        if GAME.refuse(position, 0, Place(tile, space, name)) is None
    ]
    legal = list(GAME.legal(position, 0))
    assert len(legal) == len(set(legal))
    assert set(legal) == set(fine)
    assert GAME.refuse(position, 0, Pass()) is not None
    assert not any(GAME.legal(position, seat) for seat in range(1, seats))


def test_bl_1_naming_the_own_colour_means_the_same_and_another_is_refused() -> None:
    scenario = at({"blue": "C5=C"}, racks={"red": "5 A B C D"})
    plain, named = (scenario.when(Place("5", "C5", colour), dice=["6"]) for colour in (None, "red"))
    assert plain.happened == named.happened
    scenario.when(Place("5", "C5", "blue")).refused("BL-1")
    scenario.when(Place("5", "C5", "purple")).refused("BL-1")
