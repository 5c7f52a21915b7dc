"""The tree of versions: finding an ancestor, also behind undone branches."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from domain.history import Node


def grown(returns: list[int]) -> Node:
    """A history in which each step follows from the newest version, or from an earlier one still in force."""
    node = Node(3, "state 3")
    for version, back in enumerate(returns, 4):
        parents = list(node.path())
        node = parents[back % len(parents)].then(version, f"state {version}")
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
    fifth = start.then(4, "a").then(5, "b")
    undone = start.then(6, "dealt again")
    assert undone.find(5) is None
    assert undone.find(3) is start
    redone = fifth.then(7, "b again")
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
    assert Node(4, "a", Node(3, "x")) == Node(4, "a", Node(2, "y"))
    assert "parent" not in repr(Node(4, "a", Node(3, "x")))
