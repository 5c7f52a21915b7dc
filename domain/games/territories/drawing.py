"""The board as text."""

from __future__ import annotations

from typing import Any

_ROWS = "ABCDEFGHI"


def draw(view: dict[str, Any]) -> str:
    """Draws a view as text: each blocker as the number of its seat, below it the territories and who controls them."""
    rows = []
    for i, (name, row) in enumerate(zip(_ROWS, view["board"], strict=True)):
        rows += [""] if i in (3, 6) else []
        rows.append(f"  {name}  " + "  ".join(" ".join(_space(c) for c in row[j : j + 3]) for j in (0, 3, 6)))
    held = [f"  {name}: {_held(territory)}" for name, territory in view["territories"].items()]
    return "\n".join(["     1 2 3  4 5 6  7 8 9", *rows, "", *held])


def _space(glyph: str) -> str:
    return "·" if glyph == "." else glyph


def _held(territory: dict[str, Any]) -> str:
    holder = territory["controlled_by"]
    counts = " : ".join(map(str, territory["blockers"]))
    return f"{counts}, {'nobody' if holder is None else f'seat {holder}'}"
