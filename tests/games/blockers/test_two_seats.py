"""Two seats with two colours each: BL-20."""

from __future__ import annotations

from domain.games.blockers import GAME, Captured, Options, Pass, Place, TilePlaced
from domain.games.blockers.components import COLOURS
from domain.games.blockers.scoring import score
from domain.hidden import Secret
from domain.validation import HIDDEN
from tests.support.blockers.positions import at, end, state
from tests.support.scenario import dealt


def test_bl_20_seat_0_has_red_and_green_and_seat_1_blue_and_yellow() -> None:
    scenario = dealt(GAME, 2, Options(first_seat=0))
    view = scenario.view(0)
    assert list(view["racks"]) == list(COLOURS[:4])
    for colour in ("red", "green"):
        assert len(view["racks"][colour]["cards"]) == 5
    for colour in ("blue", "yellow"):
        assert view["racks"][colour] == {"count": 5, "cards": HIDDEN}
    assert {pile["count"] for pile in view["piles"].values()} == {23}


def test_bl_20_a_turn_places_from_either_rack_and_draws_from_that_colours_pile() -> None:
    scenario = at(seats=2, racks={"red": "1", "green": "1"})
    moves = scenario.legal()
    assert {"type": "place", "tile": "1", "at": "A1", "colour": "red"} in moves
    assert {"type": "place", "tile": "1", "at": "A1", "colour": "green"} in moves
    after = scenario.when(Place("1", "A1", "green"), dice=["2"])
    after.then(TilePlaced(0, "green", "1", "A1", None, Secret("2", frozenset({0}))))
    assert [len(pile) for pile in after.state.piles] == [23, 23, 22, 23]
    assert after.to_move == {1}
    assert after.view()["board"] == {"A1": {"colour": "green", "tile": "1"}}


def test_bl_20_the_colour_must_be_named_and_be_an_own_one() -> None:
    scenario = at(seats=2, racks={"red": "1", "green": "1", "blue": "1"})
    scenario.when(Place("1", "A1")).refused("BL-20")
    scenario.when(Place("1", "A1", "blue")).refused("BL-20")
    scenario.when(Place("1", "A1", "purple")).refused("BL-20")


def test_bl_20_a_tile_must_lie_on_the_rack_of_the_colour_named() -> None:
    scenario = at(seats=2, racks={"red": "1 2 3 4 5", "green": "A B C D E"})
    scenario.when(Place("1", "A1", "green")).refused("BL-4")
    assert scenario.when(Place("A", "A1", "green")).refusal is None


def test_bl_20_neither_own_colour_may_be_captured() -> None:
    scenario = at(
        {"red": "A1", "green": "B1", "blue": "C1=C", "yellow": "D1=D"}, seats=2, racks={"red": "1", "green": "1"}
    )
    scenario.when(Place("1", "A1", "red")).refused("BL-9")
    scenario.when(Place("1", "B1", "red")).refused("BL-20")
    scenario.when(Place("1", "A1", "green")).refused("BL-20")
    scenario.when(Place("1", "B1", "green")).refused("BL-9")
    for space, captured in (("C1", Captured("blue", "C")), ("D1", Captured("yellow", "D"))):
        assert scenario.when(Place("1", space, "red")).happened[0].captured == captured


def test_bl_20_a_group_is_of_one_colour_not_of_one_seat() -> None:
    position = state({"red": "A1 A3", "green": "A2 C3"}, seats=2)
    assert score(position, 0).groups == 4
    # Blue's two tiles are connected by yellow only, so yellow's may be taken.
    scenario = at({"blue": "A1 A3", "yellow": "A2"}, seats=2, racks={"red": "2 A"})
    assert scenario.when(Place("2", "A2", "red")).refusal is None


def test_bl_20_a_rack_never_goes_below_four() -> None:
    scenario = at(seats=2, sizes={"red": 4, "blue": 4}, racks={"red": "1 2 3 4", "green": "A B C D E"}, piles=False)
    assert {move["colour"] for move in scenario.legal()} == {"green"}
    scenario.when(Place("1", "A1", "red")).refused("BL-20")


def test_bl_20_tiles_of_a_rack_at_four_do_not_keep_a_seat_from_passing() -> None:
    # All of rows A to C is held together, green's rack fits only there, and red's wild lies on a rack of four.
    board = {"blue": "A1 A2 A3 A4 A5 A6 A7 A8 A9 B1 C1 D1 B9 C9 D9", "yellow": "B2 B3 B4 B5 B6 B7 B8 C2 C8 D2 D8"}
    board |= {"red": "C3 C4 C5 C6 C7"}
    scenario = at(
        board,
        seats=2,
        racks={"red": "E F G wild", "green": "A B C triangle cross"},
        sizes={"red": 4},
        piles=False,
    )
    assert scenario.legal() == [{"type": "pass"}]
    scenario.when(Place("wild", "E5", "red")).refused("BL-20")
    assert scenario.when(Pass()).to_move == {1}


def test_bl_20_captures_are_forced_from_either_rack() -> None:
    board = {"blue": "A1 A3 A5 A7 A9 B2 B4 B6 B8 C1 C3 C5 C7 C9", "yellow": "A2 A4 A6 A8 B1 B3 B5 B7 B9 C2 C4 C6 C8"}
    rack = "A B C triangle cross"
    scenario = at(board, seats=2, racks={"red": rack, "green": rack})
    assert len(scenario.legal()) == 2 * 9 * 5
    scenario.when(Pass()).refused("BL-11")


def test_bl_20_each_seat_has_48_turns() -> None:
    assert end(2) == 96
    scenario = at(seats=2, turns=95, to_move=1)
    assert scenario.to_move == {1}
    assert scenario.when(scenario.legal()[0]).outcome is not None


def test_bl_20_the_score_adds_both_colours_and_the_most_captured_colour_of_the_opponent() -> None:
    position = state(
        {"red": "A1 A2 C5", "green": "E1 E3", "blue": "G1", "yellow": "G3 G4"},
        seats=2,
        captured=[{"blue": "1 2 3", "yellow": "1 2"}, {"red": "A"}],
        turns=96,
    )
    assert [score(position, seat).total for seat in (0, 1)] == [4 + 3, 2 + 1]
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((1,), (7, 3))
