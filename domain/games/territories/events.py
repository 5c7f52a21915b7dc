"""The events of the game, and the sentence that narrates each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.games.territories.components import territory_name


@dataclass(frozen=True, slots=True)
class Placed:
    """A seat put a blocker from its supply on a space."""

    seat: int
    at: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat pushed one of its blockers to the space beside it."""

    seat: int
    from_: str
    to: str


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat could move none of its blockers."""

    seat: int


Event = Placed | Moved | Passed


def sentence(event: Event, names: Sequence[str]) -> str:
    match event:
        case Placed(seat, at):
            return f"{names[seat]} places a blocker on {at}, in the {territory_name(at)}."
        case Moved(seat, start, to):
            return f"{names[seat]} moves a blocker from {start} to {to}, {_where(start, to)}."
        case Passed(seat):
            return f"{names[seat]} cannot move any blocker and passes."


def _where(start: str, to: str) -> str:
    left, entered = territory_name(start), territory_name(to)
    return f"within the {left}" if left == entered else f"out of the {left} into the {entered}"
