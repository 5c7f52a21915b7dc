"""Who may know what of Cock Block (CB-34, CB-38): every field of every event and move.

A value is "public", "face_down" for a move's field that belongs to the acting seat, or a function from the full event to
the seats that may know the field.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.hidden import NOBODY

Who = str | Callable[..., Any]


def _the_seat(event: Any) -> frozenset[int]:
    return frozenset({event.seat})


def _public(kind: str, *fields: str) -> dict[tuple[str, str], Who]:
    return {(kind, field): "public" for field in fields}


EVENTS: dict[tuple[str, str], Who] = {
    **_public("moved", "seat", "cards", "path", "to"),
    **_public("picked_up", "seat", "chick"),
    **_public("discarded", "seat", "cards", "actions"),
    **_public("blocked", "seat", "card", "at", "asked"),
    **_public("rumored", "seat", "target", "path", "to", "lost"),
    **_public("slowed", "seat", "target"),
    **_public("countered", "seat", "card", "at", "to"),
    **_public("tokens_lifted", "seat", "card", "count"),
    **_public("token_put", "seat", "kind", "at"),
    **_public("tokens_cleared", "seat"),
    **_public("access_gained", "seat"),
    **_public("glory_began", "seat"),
    **_public("recovered", "seat"),
    **_public("declined", "seat"),
    **_public("fight_began", "mover", "foe"),
    **_public("rolled", "mover", "foe", "faces", "gains", "hits"),
    **_public("committed", "seat"),
    ("committed", "cards"): _the_seat,
    **_public("revealed", "mover", "foe", "cards", "points"),
    **_public("turned", "seat", "card"),
    **_public("knocked_out", "seat", "winner"),
    **_public("rose", "seat"),
    **_public("drew", "seat"),
    ("drew", "cards"): _the_seat,
    **_public("reshuffled", "count"),
    **_public("turn_ended", "seat"),
}

MOVES: dict[tuple[str, str], Who] = {
    **_public("move", "cards", "path"),
    **_public("discard", "cards"),
    **_public("block", "card", "at"),
    **_public("rumor", "target", "path"),
    **_public("slow", "target"),
    **_public("counter", "card", "from", "to"),
    **_public("legendary", "card"),
    **_public("put", "at"),
    ("commit", "cards"): "face_down",
}
"""pick_up, end_turn, all_access, tomahawk, glory, corn_pills and decline have no fields."""

EXPOSURE: dict[tuple[str, str], Who] = EVENTS | MOVES

STATE: dict[tuple[str, str], Who] = {
    **_public("state", "options", "turn", "active", "heroes", "discard", "tokens", "actions", "thrown", "glory"),
    ("state", "hands"): lambda state, _state: tuple(frozenset({seat}) for seat in range(len(state.hands))),
    ("state", "deck"): lambda _holder, _state: NOBODY,
    ("state", "pending"): "parts",
    **_public("counter_window", "at", "asked"),
    **_public("pill_window", "seat"),
    **_public("puts", "card", "left"),
    **_public("duel", "mover", "foe"),
    ("duel", "commitments"): lambda duel, _state: tuple(
        frozenset({seat})
        for seat, chosen in zip((duel.mover, duel.foe), duel.commitments, strict=True)
        if chosen is not None
    ),
    **_public("showdown", "mover", "foe", "table"),
}

REVEALS: frozenset[tuple[str, str | None]] = frozenset({("revealed", "cards"), ("revealed", "points")})
"""What shows everybody what was hidden: the two commitments of a fight. A card that is turned at a tie is drawn, as by dice."""
