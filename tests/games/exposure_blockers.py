"""Who may know each field of each event and move of Blockers!, written from BL-2 and BL-13."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

EXPOSURE: dict[tuple[str, str], str | Callable[[Any], frozenset[int]]] = {
    ("tile_placed", "seat"): "public",
    ("tile_placed", "colour"): "public",
    ("tile_placed", "tile"): "public",
    ("tile_placed", "at"): "public",
    ("tile_placed", "captured"): "public",
    ("tile_placed", "drawn"): lambda event: frozenset({event.seat}),
    ("passed", "seat"): "public",
    ("place", "tile"): "public",
    ("place", "at"): "public",
    ("place", "colour"): "public",
}

REVEALS: frozenset[str] = frozenset()
"""The events that by the rules tell everybody what was hidden before: none."""
