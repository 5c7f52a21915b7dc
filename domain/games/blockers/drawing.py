"""The board as text."""

from __future__ import annotations

from typing import Any

from domain.games.blockers.components import COLUMNS, ROWS

_GLYPHS = {
    "triangle": "△",
    "cross": "+",
    "star": "★",
    "clover": "♣",
    "circle": "○",
    "diamond": "◆",
    "moon": "☾",
    "heart": "♥",
    "square": "■",
    "wild": "*",
}


def draw(view: dict[str, Any]) -> str:
    """Draws a view as text: each tile as the first letter of its colour and its face, below it racks and scores."""
    head = "    " + "".join(f" {column}  " for column in COLUMNS)
    rows = [f"  {row} " + "".join(_space(view["board"].get(f"{row}{column}")) for column in COLUMNS) for row in ROWS]
    lots = [_lot(colour, view) for colour in view["racks"]]
    scores = [f"  seat {seat}: {_score(score)}" for seat, score in enumerate(view["scores"])]
    return "\n".join(line.rstrip() for line in [head, *rows, "", *lots, "", *scores])


def _space(lying: dict[str, str] | None) -> str:
    return " ·  " if lying is None else f"{lying['colour'][0]}{_face(lying['tile'])}  "


def _face(tile: str) -> str:
    return _GLYPHS.get(tile, tile)


def _lot(colour: str, view: dict[str, Any]) -> str:
    rack, pile = view["racks"][colour], view["piles"][colour]
    shown = " ".join(map(_face, rack["cards"])) if isinstance(rack["cards"], list) else "? " * rack["count"]
    return f"  {colour:7} rack {shown.strip()}   pile {pile['count']}"


def _score(score: dict[str, int]) -> str:
    return f"{score['total']} (groups: {score['groups']}, of the colour captured most: {score['most_captured']})"
