"""The state of requests for returns, as the match keeps it: the open request, and the use that each seat made of its right.

They belong to the match, not to the game: no return undoes them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from domain import commands, events
from domain.hidden import NOBODY, Seats


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """A return to version ``to`` that ``seat`` asks the others to agree to. Any commit but an answer to it ends it."""

    version: int
    """The version of the asking commit."""
    seat: int
    direction: commands.Direction
    to: int
    asks: Seats
    """The seats that still have to accept."""
    accepted: Seats
    reason: str
    expires_at: int | None = None
    """Milliseconds since 1970-01-01 UTC; ``None`` without clocks, where it does not expire."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The use that a seat has made of its right to return and to ask for returns."""

    asked: int = 0
    """Requests since the newest move of another seat, or the newest agreed return."""
    refused: int = 0
    """Requests in a row that were declined or, from protocol 2 on, that the seat itself gave up."""
    blocked_by: Seats = NOBODY
    free: int = 0
    """Free returns since the newest move or return of another seat, or the newest agreed return."""


def requested(event: events.UndoAsked, version: int, expires_at: int | None) -> UndoRequest:
    """The request that is open after this event of this version."""
    asks = frozenset(event.asks)
    return UndoRequest(version, event.seat, event.direction, event.to, asks, NOBODY, event.reason, expires_at)


def asked(items: tuple[Asking, ...], seat: int) -> tuple[Asking, ...]:
    return _with(items, seat, replace(items[seat], asked=items[seat].asked + 1))


def agreed(items: tuple[Asking, ...], seat: int) -> tuple[Asking, ...]:
    """The use of their rights after all have accepted a request of this seat."""
    return _with(items, seat, replace(items[seat], refused=0))


def declined(items: tuple[Asking, ...], seat: int, blocks: Seats = NOBODY) -> tuple[Asking, ...]:
    """The use of their rights after a request of this seat was declined, or given up by itself."""
    had = items[seat]
    return _with(items, seat, replace(had, refused=had.refused + 1, blocked_by=had.blocked_by | blocks))


def returned(items: tuple[Asking, ...], seat: int | None) -> tuple[Asking, ...]:
    """The use of their rights after a free return of this seat. Other seats may return freely again."""
    return tuple(replace(item, free=item.free + 1 if place == seat else 0) for place, item in enumerate(items))


def afresh(items: tuple[Asking, ...], mover: int | None) -> tuple[Asking, ...]:
    """Lets every seat but the mover ask and return again; a seat's own moves, often free to undo, would do so for ever."""
    if not any(item.asked or item.free for item in items):
        return items
    return tuple(item if seat == mover else replace(item, asked=0, free=0) for seat, item in enumerate(items))


def _with(items: tuple[Asking, ...], seat: int, item: Asking) -> tuple[Asking, ...]:
    return items[:seat] + (item,) + items[seat + 1 :]
