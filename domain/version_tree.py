"""The tree of versions: every state a match has been in, and how they follow from each other.

A ``Node`` is one version. Undo and redo add a node whose parent is the version returned to, so nothing is ever removed
and the path from the newest node to the root is what is in force. Nodes carry a second pointer far back (a skip list for
ancestors after Myers, "An applicative random-access stack", 1983): adding costs O(1), finding any ancestor O(log n).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any


@dataclass(frozen=True, slots=True)
class Node:
    """A version, the game's state after it, and the version that it follows from (``None``: the start of play)."""

    version: int
    state: Any
    seat: int | None = None
    """Who acted."""
    quiet: bool = False
    """Whether nothing was drawn and nothing secret was said."""
    turn: int = 0
    """How many moves led here."""
    branch: int = 0
    """0 for what was played first, then one more for each undo or redo."""
    parent: Node | None = field(default=None, repr=False, compare=False)
    jump: Node | None = field(default=None, repr=False, compare=False)
    depth: int = 0

    def moved(self, version: int, state: Any, seat: int | None = None, quiet: bool = False) -> Node:
        """The node after a move."""
        return Node(version, state, seat, quiet, self.turn + 1, self.branch, self, self._far(), self.depth + 1)

    def stayed(self, version: int, seat: int | None) -> Node:
        """The node after something that is no move: the state is the same."""
        return Node(version, self.state, seat, True, self.turn, self.branch, self, self._far(), self.depth + 1)

    def returned(self, version: int, seat: int | None, branch: int) -> Node:
        """The node of a return to this one, which begins a new branch."""
        return Node(version, self.state, seat, True, self.turn, branch, self, self._far(), self.depth + 1)

    def _far(self) -> Node:
        near = self.jump
        if near is not None and near.jump is not None and self.depth - near.depth == near.depth - near.jump.depth:
            return near.jump
        return self

    def find(self, version: int) -> Node | None:
        """This node or the ancestor that is exactly this version; ``None`` if the path does not lead through it."""
        node: Node | None = self
        while node is not None and node.version > version:
            node = node.jump if node.jump is not None and node.jump.version >= version else node.parent
        return node if node is not None and node.version == version else None

    def meets(self, other: Node) -> Node:
        """The newest version that both paths lead through; both have the same start of play."""
        for node in self.path():
            if other.find(node.version) is node:
                return node
        raise ValueError("the two nodes are of different matches")

    def until(self, end: Node) -> Iterator[Node]:
        """This node and its ancestors, newest first, down to but without ``end``."""
        return takewhile(lambda node: node is not end, self.path())

    def path(self) -> Iterator[Node]:
        """This node and its ancestors, newest first."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent

    def missing(self) -> Iterator[int]:
        """The versions before this one that its path does not lead through, newest first. What has no gap is jumped over."""
        node = self
        while (parent := node.parent) is not None:
            jump = node.jump
            if jump is not None and node.version - jump.version == node.depth - jump.depth:
                node = jump
            else:
                yield from range(node.version - 1, parent.version, -1)
                node = parent


class Versions:
    """The node of every version since the start of play, on whatever branch, by its number: O(1) to find and to add.

    Immutable to who holds one. All that follow from each other share a list, which grows in place as long as the one that
    is added to is the newest; otherwise it is copied. Safe for threads: what two add at once, one of them finds not to be
    where it belongs.
    """

    __slots__ = ("_count", "_nodes")

    def __init__(self, nodes: list[Node], count: int) -> None:
        self._nodes = nodes
        self._count = count

    def at(self, version: int) -> Node | None:
        place = version - self._nodes[0].version
        return self._nodes[place] if 0 <= place < self._count else None

    def __add__(self, node: Node) -> Versions:
        nodes, place = self._nodes, self._count
        nodes.append(node)
        if nodes[place] is not node:
            nodes = [*nodes[:place], node]
        return Versions(nodes, place + 1)
