"""The table as text."""

from __future__ import annotations

from typing import Any

_SHOWN = 6
"""The number of cards of the show pile that are drawn: the newest ones."""


def draw(view: dict[str, Any]) -> str:
    """Draws a view as text: every seat with its happiness and its hand as far as it is seen, and the two piles."""
    seats = [_seat(view, seat) for seat in range(len(view["hands"]))]
    newest = view["show_pile"][: -_SHOWN - 1 : -1]
    piles = [
        f"  hidden pile  {view['hidden_pile']['count']} cards",
        f"  show pile    {len(view['show_pile'])} cards{': ' + ', '.join(newest) if newest else ''}",
    ]
    return "\n".join([*seats, "", *piles, *_pending(view["pending"])])


def _seat(view: dict[str, Any], seat: int) -> str:
    mark = ">" if seat == view["turn"] else " "
    hand = view["hands"][seat]
    cards = ", ".join(hand["cards"]) if isinstance(hand["cards"], list) else f"{hand['count']} cards"
    skips = f"  misses {view['skips'][seat]}" if view["skips"][seat] else ""
    return f"{mark} seat {seat}  {'☺' * view['happiness'][seat] or '-':8} {cards}{skips}"


def _pending(pending: dict[str, Any] | None) -> list[str]:
    if pending is None:
        return []
    told = ", ".join(f"{name} {value}" for name, value in pending.items() if isinstance(value, (str, int)))
    return ["", f"  waiting: {told}"]
