"""Who may know what in Highest Card: every field of every event and move."""

from __future__ import annotations

from tests.support.toy import Drawn, Laid, Ordered, Peeked


def its_seat(event: Laid | Drawn | Peeked | Ordered) -> frozenset[int]:
    return frozenset({event.seat})


EXPOSURE = {
    ("lay", "card"): "face_down",
    ("order", "first"): "face_down",
    ("laid", "seat"): "public",
    ("laid", "card"): its_seat,
    ("shown", "cards"): "public",
    ("shown", "took"): "public",
    ("peeked", "seat"): "public",
    ("peeked", "cards"): its_seat,
    ("ordered", "seat"): "public",
    ("ordered", "cards"): its_seat,
    ("drawn", "seat"): "public",
    ("drawn", "card"): its_seat,
}

REVEALS = frozenset({"shown"})
"""The events that by the rules tell everybody what was hidden before; no other may depend on it."""
