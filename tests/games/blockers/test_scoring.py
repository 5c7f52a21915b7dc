"""What counts and who wins: BL-15 to BL-17."""

from __future__ import annotations

from collections.abc import Sequence

from domain.game import Outcome
from domain.games.blockers import GAME, Options
from domain.games.blockers.scoring import Score, score
from tests.support.blockers.positions import Tiles, end, state

UPTOWN = Options(scoring="uptown")

THREE_BOARDS = {
    "red": "A1 A3 A5 A7",
    "blue": "C1 C2 C5 C6",
    "green": "E1 E2 F1 E8 E9",
}
"""Four groups, two groups, two groups."""


def ended(board: Tiles, captured: Sequence[Tiles] = (), *, seats: int = 3, options: Options | None = None) -> Outcome:
    outcome = GAME.outcome(state(board, captured=captured, seats=seats, turns=end(seats), options=options))
    assert outcome is not None
    return outcome


def test_bl_15_groups_and_the_captures_of_one_colour_make_the_score() -> None:
    position = state({"red": "A1 A2 B2 C3 E5"}, captured=[{"blue": "1 2 3", "green": "A"}])
    assert score(position, 0) == Score(groups=3, most_captured=3, all_captured=4, total=6)
    assert score(position, 1) == Score(groups=0, most_captured=0, all_captured=0, total=0)


def test_bl_15_most_captured_tied_at_three_counts_three() -> None:
    position = state({"green": "A1"}, captured=[{}, {}, {"red": "1 2 3", "blue": "A B C"}], turns=end(3) - 1)
    assert score(position, 2) == Score(groups=1, most_captured=3, all_captured=6, total=4)


def test_bl_15_is_shown_while_the_match_goes_on() -> None:
    view = GAME.view(state({"red": "A1 A2 B2 C3 E5"}, captured=[{"blue": "1 2 3", "green": "A"}]))
    assert view["scores"][0] == {"groups": 3, "most_captured": 3, "all_captured": 4, "total": 6}


def test_bl_16_the_lowest_score_wins() -> None:
    outcome = ended(THREE_BOARDS, [{"blue": "1"}, {"red": "1 2", "green": "1"}, {}])
    assert (outcome.winners, outcome.scores, outcome.rule) == ((2,), (5, 4, 2), "BL-14")


def test_bl_16_a_tie_goes_to_the_fewest_captures_of_all_colours() -> None:
    # All have 2 + 3; seat 0 captured 3 and 3, seat 1 captured 3 and 2, seat 2 captured 3 only.
    board = {"red": "A1 A3", "blue": "C1 C3", "green": "E1 E3 E5 E7 E9 I1"}
    outcome = ended(board, [{"blue": "1 2 3", "green": "1 2 3"}, {"red": "1 2 3", "green": "A B"}, {"red": "B"}])
    assert (outcome.winners, outcome.scores, outcome.rule) == ((1,), (5, 5, 7), "BL-16")


def test_bl_16_the_tie_break_counts_six_where_the_score_counts_three() -> None:
    board = {"red": "A1", "blue": "C1", "green": "E1 E3 E5 E7 E9"}
    outcome = ended(board, [{"blue": "1 2 3", "green": "1 2 3"}, {"red": "1 2 3", "green": "A B"}, {}])
    assert (outcome.winners, outcome.scores) == ((1,), (4, 4, 5))


def test_bl_16_those_who_are_still_equal_share_the_victory() -> None:
    board = {"red": "A1 A3", "blue": "C1 C3", "green": "E1 E3 E5 E7"}
    outcome = ended(board, [{"blue": "1", "green": "1"}, {"red": "1", "green": "A"}, {}])
    assert (outcome.winners, outcome.scores, outcome.rule) == ((0, 1), (3, 3, 4), "BL-16")


def test_bl_16_fewest_captures_matter_only_among_the_lowest() -> None:
    board = {"red": "A1 A3", "blue": "C1 C3 C5 C7 C9"}
    outcome = ended(board, [{"blue": "1", "green": "1"}, {}, {"red": "4 5 6 A B C 7 8"}], seats=3)
    assert outcome.winners == (0,)


def test_bl_17_uptown_counts_groups_only() -> None:
    captured: list[Tiles] = [{"blue": "1 2 3 A B"}, {}, {}]
    board = {"red": "A1 A2", "blue": "C1 C3", "green": "E1 E3 E5"}
    uptown = ended(board, captured, options=UPTOWN)
    assert (uptown.winners, uptown.scores) == ((0,), (1, 2, 3))
    usual = ended(board, captured)
    assert (usual.winners, usual.scores) == ((1,), (6, 2, 3))


def test_bl_17_uptown_breaks_ties_the_same_way() -> None:
    board = {"red": "A1 A2", "blue": "C1", "green": "E1 E3 E5"}
    broken = ended(board, [{"blue": "1 2"}, {"red": "3"}, {}], options=UPTOWN)
    assert (broken.winners, broken.scores, broken.rule) == ((1,), (1, 1, 3), "BL-16")
    shared = ended(board, [{"blue": "A B"}, {"red": "4 3"}, {}], options=UPTOWN)
    assert (shared.winners, shared.rule) == ((0, 1), "BL-16")


def test_bl_17_the_scoring_is_an_option() -> None:
    assert Options().scoring == "blockers"
    assert state(options=UPTOWN).scoring == "uptown"
