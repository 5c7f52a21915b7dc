"""Who may know what in Highest Card: every field of every event and move."""

from __future__ import annotations

from domain.hidden import NOBODY, Seats
from tests.support.toy import Drawn, Laid, Laying, Ordered, Peeked, Peeking, State


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

STATE = {
    ("state", "hands"): lambda state, _state: tuple(frozenset({seat}) for seat in range(len(state.hands))),
    ("state", "pile"): lambda state, _state: (NOBODY, *those_looked_at(state)),
    ("state", "doing"): "parts",
    ("state", "points"): "public",
    ("state", "peek"): "public",
    ("state", "won"): "public",
    ("state", "shown"): "public",
    ("laying", "laid"): lambda laying, _state: its_own(laying),
    ("peeking", "seat"): "public",
}


def its_own(laying: Laying) -> tuple[Seats, ...]:
    return tuple(frozenset({seat}) for seat, card in enumerate(laying.laid) if card is not None)


def those_looked_at(state: State) -> tuple[Seats, ...]:
    return tuple(frozenset({state.doing.seat}) for _ in state.pile.top if isinstance(state.doing, Peeking))


REVEALS = frozenset({("shown", "cards"), ("shown", "took")})
"""What by the rules tells everybody what was hidden before; no other field may depend on it."""
