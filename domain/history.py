"""The tree of versions: every state a match has been in, and how they follow from each other.

A ``Node`` is one version. Undo and redo add a node whose parent is the version returned to, so nothing is ever removed
and the path from the newest node to the root is what is in force. Nodes carry a second pointer far back (a skip list
for ancestors after Myers, "An applicative random-access stack", 1983): adding costs O(1), finding any ancestor O(log n).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Node:
    """A version, the game's state after it, and the version that it follows from (``None``: the start of play)."""

    version: int
    state: Any
    parent: Node | None = field(default=None, repr=False, compare=False)
    jump: Node | None = field(default=None, repr=False, compare=False)
    depth: int = 0

    def then(self, version: int, state: Any) -> Node:
        """The node that follows from this one."""
        jump = self.jump
        if jump is not None and jump.jump is not None and self.depth - jump.depth == jump.depth - jump.jump.depth:
            far: Node | None = jump.jump
        else:
            far = self
        return Node(version, state, self, far, self.depth + 1)

    def find(self, version: int) -> Node | None:
        """This node or the ancestor that is exactly this version; ``None`` if the path does not lead through it."""
        node: Node | None = self
        while node is not None and node.version > version:
            node = node.jump if node.jump is not None and node.jump.version >= version else node.parent
        return node if node is not None and node.version == version else None

    def path(self) -> Iterator[Node]:
        """This node and its ancestors, newest first."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent
