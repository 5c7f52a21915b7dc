"""The difference between two views as a JSON Patch (RFC 6902): ``add``, ``remove`` and ``replace`` at JSON Pointers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Operation = dict[str, Any]


def changes(before: Any, after: Any, path: str = "") -> Iterator[Operation]:
    """The operations that turn ``before`` into ``after``, in the order of the document.

    Lists are compared place by place; a longer or shorter list gains or loses at its end. Equal values give nothing.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _of_objects(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _of_lists(before, after, path)
    elif before != after or type(before) is not type(after):
        yield {"op": "replace", "path": path, "value": after}


def _of_objects(before: dict[str, Any], after: dict[str, Any], path: str) -> Iterator[Operation]:
    for key in before:
        if key not in after:
            yield {"op": "remove", "path": _at(path, key)}
    for key, value in after.items():
        if key in before:
            yield from changes(before[key], value, _at(path, key))
        else:
            yield {"op": "add", "path": _at(path, key), "value": value}


def _of_lists(before: list[Any], after: list[Any], path: str) -> Iterator[Operation]:
    for i, (old, new) in enumerate(zip(before, after, strict=False)):
        yield from changes(old, new, _at(path, i))
    for i in range(len(before) - 1, len(after) - 1, -1):
        yield {"op": "remove", "path": _at(path, i)}
    for i in range(len(before), len(after)):
        yield {"op": "add", "path": _at(path, i), "value": after[i]}


def _at(path: str, key: str | int) -> str:
    return f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
