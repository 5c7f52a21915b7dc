"""Groups and what holds them together: BL-7 and BL-8, against the definition and case by case."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.blockers import Captured, Place
from domain.games.blockers.board import BIT, groups, loose
from domain.games.blockers.components import SPACES
from tests.support.blockers.positions import at


@cache
def neighbours(space: str) -> set[str]:
    row, column = ord(space[0]), int(space[1])
    around = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
    return {f"{chr(r)}{c}" for r, c in around} & set(SPACES)


def count_groups(spaces: set[str]) -> int:
    """BL-7 by its words: take a group away until nothing is left."""
    left, count = set(spaces), 0
    while left:
        border = [left.pop()]
        while border:
            found = neighbours(border.pop()) & left
            left -= found
            border += found
        count += 1
    return count


def may_go(space: str, spaces: set[str]) -> bool:
    """BL-8 by its words: no more groups without the tile than with it."""
    return count_groups(spaces - {space}) <= count_groups(spaces)


def bits(spaces: set[str]) -> int:
    return sum(BIT[space] for space in spaces)


def capturable(spaces: str) -> set[str]:
    found = loose(bits(set(spaces.split())))
    return {space for space in SPACES if BIT[space] & found}


some_spaces = st.sets(st.sampled_from(SPACES), max_size=40)
few_gaps = st.sets(st.sampled_from(SPACES), max_size=25).map(lambda gaps: set(SPACES) - gaps)


@settings(max_examples=300, deadline=None)
@given(some_spaces | few_gaps)
def test_bl_7_groups_are_counted_as_defined(spaces: set[str]) -> None:
    assert groups(bits(spaces)) == count_groups(spaces)


@settings(max_examples=300, deadline=None)
@given(some_spaces | few_gaps)
def test_bl_8_what_may_be_taken_is_as_defined(spaces: set[str]) -> None:
    found = loose(bits(spaces))
    assert {space for space in SPACES if BIT[space] & found} == {space for space in spaces if may_go(space, spaces)}


@pytest.mark.parametrize(
    ("spaces", "count"),
    [
        ("", 0),
        ("E5", 1),
        ("E5 E6", 1),
        ("A1 B2", 2),
        ("A9 B1", 2),
        ("A1 A9", 2),
        ("A1 I1", 2),
        ("A1 A2 A3 B3 C3 C2 C1 B1", 1),
        ("A1 A2 C1 C2 E5", 3),
    ],
)
def test_bl_7_edges_connect_but_corners_and_the_edges_of_the_board_do_not(spaces: str, count: int) -> None:
    assert groups(bits(set(spaces.split()))) == count


def test_bl_8_a_lone_tile_may_always_be_taken() -> None:
    assert capturable("E5") == {"E5"}


def test_bl_8_of_a_pair_both_may_be_taken() -> None:
    assert capturable("E5 E6") == {"E5", "E6"}


@pytest.mark.parametrize("line", ["E4 E5 E6", "A1 A2 A3", "G9 H9 I9"])
def test_bl_8_a_middle_tile_of_a_line_of_three_is_safe_and_its_ends_are_not(line: str) -> None:
    left, _middle, right = line.split()
    assert capturable(line) == {left, right}


def test_bl_8_every_tile_of_a_ring_may_be_taken() -> None:
    ring = "D4 D5 D6 E4 E6 F4 F5 F6"
    assert capturable(ring) == set(ring.split())
    assert capturable(f"{ring} E5") == {*ring.split(), "E5"}


def test_bl_8_the_centre_of_a_plus_holds_it_together() -> None:
    assert capturable("E5 D5 F5 E4 E6") == {"D5", "F5", "E4", "E6"}


def test_bl_8_a_wide_ring_is_connected_the_long_way_round() -> None:
    ring = "B2 B3 B4 B5 C5 D5 E5 E4 E3 E2 D2 C2"
    assert capturable(ring) == set(ring.split())
    assert capturable(f"{ring} F5") == set(f"{ring} F5".split()) - {"E5"}


def test_bl_8_a_capture_that_would_split_only_if_diagonals_connected_is_legal() -> None:
    # C5 and D6 touch at a corner: they are two groups before and after.
    assert capturable("C5 D6") == {"C5", "D6"}
    assert capturable("C4 C5 D6") == {"C4", "C5", "D6"}
    scenario = at({"blue": "C4=4 C5=5 D6=6"}, racks={"red": "C"}).when(Place("C", "C5"))
    assert scenario.happened[0].captured == Captured("blue", "5")


def test_bl_8_is_refused_at_the_table_with_the_parts_that_it_would_leave() -> None:
    scenario = at({"blue": "E4 E5 E6 E7"}, racks={"red": "5 6 E"})
    refused = scenario.when(Place("5", "E5"))
    assert refused.refusal is not None
    assert refused.refusal.message == "E5 is blue's cut space: taking it would leave E4 and E6 apart."
    refused.refused("BL-8")
    assert {move["at"] for move in scenario.legal() if move["tile"] == "E"} == {f"E{c}" for c in "1234789"}


def test_bl_8_names_a_space_of_each_of_the_parts() -> None:
    cross = at({"blue": "C5 D4 D5 D6 E5 E6 F6"}, racks={"red": "5"}).when(Place("5", "D5"))
    assert cross.refusal is not None
    assert cross.refusal.message == "D5 is blue's cut space: taking it would leave C5, D4 and D6 apart."


def test_bl_8_only_the_group_of_the_victim_counts() -> None:
    # Green lies all around the lone blue tile; it neither protects it nor is asked.
    scenario = at({"blue": "E5=5", "green": "D5 F5 E4 E6"}, racks={"red": "E"}).when(Place("E", "E5"))
    assert scenario.happened[0].captured == Captured("blue", "5")
