"""Control, the two ways to end, and who wins (TR-6 to TR-9)."""

import pytest

from domain import validation
from domain.game import Outcome
from domain.games.territories import GAME
from domain.games.territories.components import BLOCKERS
from domain.games.territories.control import all_controlled, controller
from domain.games.territories.events import Moved
from domain.games.territories.examples import BLOCKED_IN, THE_NINTH_TERRITORY, THE_THIRD_BLOCKER, drawn
from domain.games.territories.moves import Move, Pass, Place
from domain.games.territories.state import State
from domain.validation import MalformedError
from tests.support.scenario import Scenario, given
from tests.support.territories.pictures import ALL_CONTROLLED_TOO_EARLY, EVEN, GIVE_AND_TAKE, MOVEMENT

ALL_CONTROLLED = "all territories are controlled"
LAST_ROUND = "the last round of movement is over"
BY_BLOCKERS = "; of those with most, more blockers stand in their territories"


def controlled_by(match: Scenario, territory: str) -> int | None:
    seat: int | None = match.view()["territories"][territory]["controlled_by"]
    return seat


@pytest.mark.parametrize(
    ("blockers", "seat"),
    [
        ((1, 0), 0),
        ((2, 3), 1),
        ((2, 2), None),
        ((0, 0), None),
        ((2, 1, 1), 0),
        ((2, 2, 1), None),
        ((1, 2, 2), None),
        ((3, 3, 3), None),
        ((1, 1, 1, 2), 3),
        ((2, 2, 2, 2), None),
    ],
)
def test_tr_6_more_than_every_other_seat_is_control(blockers: tuple[int, ...], seat: int | None) -> None:
    assert controller(blockers) == seat


def test_tr_6_a_three_way_tie_in_a_territory_is_nobodys() -> None:
    match = given(GAME, THE_THIRD_BLOCKER, 3)
    assert match.view()["territories"]["triangle"] == {"blockers": [2, 2, 2], "controlled_by": None}
    assert controlled_by(match, "circle") == 0


def test_tr_6_a_move_gives_one_territory_and_loses_another() -> None:
    match = given(GAME, GIVE_AND_TAKE, 2)
    assert (controlled_by(match, "triangle"), controlled_by(match, "cross")) == (0, None)
    match = match.when(Move("A3", "A4")).then(Moved(0, "A3", "A4"))
    assert (controlled_by(match, "triangle"), controlled_by(match, "cross")) == (None, 0)


def test_tr_7_my_move_that_takes_the_ninth_territory_ends_the_match() -> None:
    match = given(GAME, THE_NINTH_TERRITORY, 2).when(Move("C5", "D5"))
    assert match.outcome == Outcome((0,), (5, 4), ALL_CONTROLLED, "TR-7")
    assert (match.match.status, match.to_move) == ("finished", frozenset())
    assert match.legal(0) == match.legal(1) == []


def test_tr_7_my_move_that_gives_the_ninth_territory_to_an_opponent_ends_the_match() -> None:
    match = given(GAME, THE_NINTH_TERRITORY, 2).when(Move("D6", "D7"))
    assert match.outcome == Outcome((1,), (4, 5), ALL_CONTROLLED, "TR-7")


def test_tr_7_a_level_territory_keeps_the_match_going() -> None:
    match = given(GAME, THE_NINTH_TERRITORY, 2).when(Move("A1", "A2"))
    assert (match.outcome, match.to_move) == (None, frozenset({1}))


def test_tr_7_placing_does_not_end_the_match() -> None:
    match = given(GAME, ALL_CONTROLLED_TOO_EARLY, 2)
    assert all_controlled(match.state)
    assert (match.outcome, match.to_move) == (None, frozenset({1}))
    assert match.when(Place("C3")).to_move == {0}


def test_tr_7_comes_before_the_last_round() -> None:
    state = THE_NINTH_TERRITORY
    last = State(state.board, 2, 1, MOVEMENT + 1, 1)
    assert given(GAME, last, 2).when(Move("C5", "D5")).outcome == Outcome((0,), (5, 4), ALL_CONTROLLED, "TR-7")


def test_tr_8_equal_territories_are_decided_by_the_blockers_standing_in_ones_own() -> None:
    match = given(GAME, State(BLOCKED_IN.board, 2, 1, MOVEMENT + 1, 1), 2).when(Pass())
    # Three territories each. Seat 0 stands in its own with 18 blockers, seat 1 with 9: its others are in lost ones.
    assert match.outcome == Outcome((0,), (3, 3), LAST_ROUND + BY_BLOCKERS, "TR-8")


def test_tr_8_blockers_of_others_in_ones_own_territory_do_not_count() -> None:
    state = drawn(
        """
        0 0 .   1 1 2   1 2 .
        0 0 .   1 1 2   1 2 .
        0 . .   . . 2   . . .

        0 1 2   0 1 2   0 1 2
        0 1 2   0 1 2   0 1 2
        0 . 2   . . .   . . .

        0 1 2   0 1 2   0 1 2
        0 1 2   0 1 2   0 1 2
        . . .   . . .   . . .
        """,
        seats=3,
        turns=3 * BLOCKERS + 2,
        first_seat=1,
        max_rounds=1,
    )
    match = given(GAME, state, 3).when(Move("C1", "C2"))
    # Five in the triangle beat four in the cross, where seven stand in all.
    assert match.outcome == Outcome((0,), (1, 1, 0), LAST_ROUND + BY_BLOCKERS, "TR-8")


def test_tr_8_a_victory_is_shared_where_both_counts_are_level() -> None:
    after_even = drawn(EVEN, seats=2, turns=MOVEMENT + 1, first_seat=1, max_rounds=1)
    match = given(GAME, after_even, 2).when(Move("B1", "C1"))
    assert match.outcome == Outcome((0, 1), (0, 0), LAST_ROUND, "TR-9")


def test_tr_8_a_shared_victory_leaves_out_who_has_less() -> None:
    state = drawn(
        """
        0 0 2   1 1 2   0 1 2
        . . .   . . .   0 1 2
        . . .   . . .   0 1 2

        0 1 2   0 1 2   0 1 2
        0 1 2   0 1 2   0 1 2
        0 1 2   . . .   . . .

        0 1 2   0 1 2   0 1 2
        0 1 2   0 1 2   0 1 2
        . . .   . . .   . . .
        """,
        seats=3,
        turns=3 * BLOCKERS + 2,
        first_seat=1,
        max_rounds=1,
    )
    match = given(GAME, state, 3).when(Move("A1", "B1"))
    assert match.outcome == Outcome((0, 1), (1, 1, 0), LAST_ROUND, "TR-9")


def test_tr_9_the_match_ends_when_every_seat_has_had_its_turn_of_the_last_round() -> None:
    match = given(GAME, drawn(EVEN, seats=2, turns=MOVEMENT, max_rounds=2), 2)
    for start, to in (("B1", "C1"), ("B2", "C2"), ("C1", "B1")):
        match = match.when(Move(start, to))
        assert match.outcome is None
    match = match.when(Move("C2", "B2"))
    assert match.outcome == Outcome((0, 1), (0, 0), LAST_ROUND, "TR-9")
    assert match.to_move == frozenset()


def test_tr_9_a_pass_is_a_turn_of_the_round() -> None:
    match = given(GAME, State(BLOCKED_IN.board, 2, 0, MOVEMENT + 2, 2), 2).when(Pass())
    assert match.outcome is None
    match = match.when(Move("D1", "E1"))
    assert match.outcome is not None
    assert match.outcome.reason.startswith(LAST_ROUND)


def test_tr_9_sixty_rounds_are_the_default_and_one_to_two_hundred_can_be_chosen() -> None:
    assert validation.read(GAME.options, {}).max_rounds == 60
    assert [validation.read(GAME.options, {"max_rounds": rounds}).max_rounds for rounds in (1, 200)] == [1, 200]
    for rounds in (0, 201):
        with pytest.raises(MalformedError, match="max_rounds"):
            validation.read(GAME.options, {"max_rounds": rounds})
