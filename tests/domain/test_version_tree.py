"""The tree of versions: finding an ancestor, also behind undone branches."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from domain.version_tree import Node


def grown(returns: list[int]) -> Node:
    """A history in which each step follows from the newest version, or from an earlier one still in force."""
    node = Node(3, "state 3")
    for version, back in enumerate(returns, 4):
        parents = list(node.path())
        node = parents[back % len(parents)].moved(version, f"state {version}")
    return node


def walked(node: Node, version: int) -> Node | None:
    return next((found for found in node.path() if found.version == version), None)


def steps_to(node: Node, version: int) -> int:
    """How many nodes ``find`` looks at, counted by the same rule."""
    steps, at = 0, node
    while at.version > version:
        closer = at.jump if at.jump is not None and at.jump.version >= version else at.parent
        assert closer is not None
        at, steps = closer, steps + 1
    return steps


@given(st.lists(st.one_of(st.just(0), st.integers(0, 40)), max_size=80), st.integers(0, 90))
def test_finding_agrees_with_walking_the_whole_path(returns: list[int], version: int) -> None:
    node = grown(returns)
    assert node.find(version) is walked(node, version)


@given(st.lists(st.one_of(st.just(0), st.integers(0, 40)), max_size=60))
def test_the_path_leads_down_to_the_start_of_play(returns: list[int]) -> None:
    versions = [node.version for node in grown(returns).path()]
    assert versions == sorted(versions, reverse=True)
    assert versions[-1] == 3
    assert grown(returns).depth == len(versions) - 1


def test_a_version_of_an_undone_branch_is_not_on_the_path() -> None:
    start = Node(3, "dealt")
    fifth = start.moved(4, "a").moved(5, "b")
    undone = start.moved(6, "dealt again")
    assert undone.find(5) is None
    assert undone.find(3) is start
    redone = fifth.moved(7, "b again")
    assert redone.find(5) is fifth
    assert redone.find(6) is None
    assert redone.find(8) is None
    assert redone.find(2) is None


def test_the_start_of_a_long_match_is_found_in_a_few_steps() -> None:
    node = grown([0] * 5_000)
    assert (
        max(steps_to(node, version) for version in range(3, 5_004)) <= 3 * 13
    )  # three times the logarithm, after Myers
    found = node.find(3)
    assert found is not None
    assert found.parent is None


def test_a_node_is_told_by_version_and_state_alone() -> None:
    assert Node(4, "a", parent=Node(3, "x")) == Node(4, "a", parent=Node(2, "y"))
    assert "parent" not in repr(Node(4, "a", parent=Node(3, "x")))


def test_a_return_has_the_state_and_turn_of_its_target_and_a_branch_of_its_own() -> None:
    start = Node(3, "dealt")
    fourth = start.moved(4, "a", seat=0)
    back = fourth.moved(5, "b", seat=1).returned(6, seat=1, branch=1)
    again = fourth.returned(6, seat=1, branch=1)
    assert (again.state, again.turn, again.branch, again.seat) == ("a", 1, 1, 1)
    assert again.parent is fourth
    assert (back.state, back.turn) == ("b", 2)
    assert again.moved(7, "c").branch == 1


def test_two_branches_meet_where_they_part() -> None:
    start = Node(3, "dealt")
    fourth = start.moved(4, "a")
    old = fourth.moved(5, "b").moved(6, "c")
    new = fourth.returned(7, seat=0, branch=1).moved(8, "d")
    assert new.meets(old) is fourth
    assert old.meets(new) is fourth
    assert new.meets(start) is start
    assert [node.version for node in old.until(fourth)] == [6, 5]
    assert list(fourth.until(fourth)) == []
