"""JSON that is nearly right: one or a few nodes of a tree deleted, replaced, doubled, exchanged or of another type."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from domain.game import Dice

STRANGE: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    9,
    2**53 - 1,
    "",
    "x",
    "A1",
    "ö\x00",
    "1" * 500,
    [],
    [None],
    [[]],
    {},
    {"hidden": True},
    {"type": "x"},
    {"": 0},
)

Place = tuple[Any, Any]
"""A container, and the key or index of one node in it."""


def places(node: Any) -> Iterator[Place]:
    """Every place of a tree where a node stands."""
    keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in keys:
        yield node, key
        yield from places(node[key])


def mutated(tree: Any, dice: Dice, changes: int = 1) -> Any:
    """A copy of the tree with so many changes."""
    made = [copy.deepcopy(tree)]
    for _ in range(changes):
        change(made, dice)
    return made[0]


def change(root: list[Any], dice: Dice) -> None:
    every = list(places(root))
    node, key = dice.choice(every)
    other, where = dice.choice(every)
    match dice.choice(("replace", "nudge", "copy", "exchange", "delete", "double", "add")):
        case "replace":
            node[key] = copy.deepcopy(dice.choice(STRANGE))
        case "nudge":
            node[key] = nudged(node[key], dice)
        case "copy":
            node[key] = copy.deepcopy(other[where])
        case "exchange" if isinstance(node[key], (str, int)) and isinstance(other[where], (str, int)):
            node[key], other[where] = other[where], node[key]
        case "delete" if node is not root:
            del node[key]
        case "double" if isinstance(node, list) and node is not root:
            node.insert(key, copy.deepcopy(node[key]))
        case "add" if isinstance(node[key], dict):
            node[key]["extra"] = copy.deepcopy(dice.choice(STRANGE))


def nudged(value: Any, dice: Dice) -> Any:
    """Something near: the next number, the other truth value, a list in another order."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + dice.choice((-1, 1, 7))
    if isinstance(value, list):
        return list(dice.sample(value, len(value)))
    return value
