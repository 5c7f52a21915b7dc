"""Who may know each field of each event and move of Blockers!, written from BL-2 and BL-13."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.hidden import NOBODY

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

STATE: dict[tuple[str, str], str | Callable[[Any, Any], Any]] = {
    ("state", "scoring"): "public",
    ("state", "first_seat"): "public",
    ("state", "turns"): "public",
    ("state", "colours"): "public",
    ("state", "tiles"): "public",
    # A rack is its owner's. With two seats each plays two colours, the first and the third or the second and the fourth.
    ("state", "racks"): lambda state, _state: tuple(
        frozenset({colour % len(state.captured)}) for colour in range(len(state.racks))
    ),
    ("state", "piles"): lambda _holder, _state: NOBODY,
    ("state", "captured"): "public",
}

REVEALS: frozenset[tuple[str, str | None]] = frozenset()
"""What by the rules tells everybody what was hidden before: nothing."""
