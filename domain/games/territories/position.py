"""A state as JSON, and back: view, parse, check."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from domain import validation
from domain.games.territories.components import BLOCKERS, COLUMNS, EVEN_SHARE, FREE, MARKS, ROWS, SPACES, TERRITORIES
from domain.games.territories.control import controller, counts
from domain.games.territories.state import ROUNDS, SEATS, Options, State
from domain.validation import Between, Length, MalformedError

# -- view -------------------------------------------------------------------------------------------------------------


def view(state: State) -> dict[str, Any]:
    """The state as JSON: the rows of the board from A to I, then the derived fields (phase, supply, territories)."""
    return {
        "board": [state.board[i : i + len(COLUMNS)] for i in range(0, len(SPACES), len(COLUMNS))],
        "first_seat": state.first_seat,
        "turns": state.turns,
        "max_rounds": state.max_rounds,
        "phase": "placement" if state.placing else "movement",
        "supply": [BLOCKERS - state.placed(seat) for seat in range(state.seats)],
        "territories": {name: _territory(state, i) for i, name in enumerate(TERRITORIES)},
    }


def _territory(state: State, territory: int) -> dict[str, Any]:
    blockers = counts(state, territory)
    return {"blockers": list(blockers), "controlled_by": controller(blockers)}


# -- parse ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Territory:
    blockers: tuple[int, ...]
    controlled_by: int | None


@dataclass(frozen=True, slots=True)
class Position:
    """The shape of a posted position. The fields with a default may be left out; if given, they must be right."""

    board: Annotated[tuple[Annotated[str, Length(len(COLUMNS), len(COLUMNS))], ...], Length(len(ROWS), len(ROWS))]
    first_seat: Annotated[int, Between(0, SEATS[-1] - 1)]
    turns: Annotated[int, Between(0, SEATS[-1] * (BLOCKERS + ROUNDS.most))]
    max_rounds: Annotated[int, ROUNDS] | None = None
    phase: Literal["placement", "movement"] | None = None
    supply: tuple[int, ...] | None = None
    territories: dict[str, Territory] | None = None


DERIVED = ("max_rounds", "phase", "supply", "territories")


def parse(plain: Any, seats: int, options: Options) -> State:
    """Reads a position from untrusted JSON data. Raises ``MalformedError``."""
    position: Position = validation.read(Position, plain)
    for i, row in enumerate(position.board):
        _read_row(row, seats, f"board[{i}]")
    if position.first_seat >= seats:
        raise MalformedError("first_seat", f"must be from 0 to {seats - 1}")
    if options.first_seat not in (None, position.first_seat):
        raise MalformedError("first_seat", f"must be {options.first_seat}, as the options say")
    state = State("".join(position.board), seats, position.first_seat, position.turns, options.max_rounds)
    following = view(state)
    for field in DERIVED:
        given = validation.plain(getattr(position, field))
        if given is not None and given != following[field]:
            raise MalformedError(field, "does not follow from the board, the turns and the options")
    return state


def _read_row(row: str, seats: int, field: str) -> None:
    for mark in row:
        if mark != FREE and mark not in MARKS[:seats]:
            raise MalformedError(field, f"may hold {FREE!r} and the digits of seats 0 to {seats - 1} only")


# -- check ------------------------------------------------------------------------------------------------------------


def check(state: State) -> Iterator[MalformedError]:
    """The faults of a state. Counts nothing on a state whose shape is broken already."""
    broken = list(_shape_faults(state))
    yield from broken
    if not broken:
        yield from _count_faults(state)
        yield from _share_faults(state)


def _shape_faults(state: State) -> Iterator[MalformedError]:
    """Faults of form and range, with which nothing else about the state can be checked."""
    if state.seats not in SEATS:
        yield MalformedError("seats", f"must be from {SEATS[0]} to {SEATS[-1]}")
    if len(state.board) != len(SPACES) or not set(state.board) <= {FREE, *MARKS[: state.seats]}:
        yield MalformedError("board", "must be nine rows of nine spaces, each free or a seat's")
    if not 0 <= state.first_seat < state.seats:
        yield MalformedError("first_seat", f"must be from 0 to {state.seats - 1}")
    if not ROUNDS.least <= state.max_rounds <= ROUNDS.most:
        yield MalformedError("max_rounds", f"must be from {ROUNDS.least} to {ROUNDS.most}")
    most = state.seats * (BLOCKERS + state.max_rounds)
    if not 0 <= state.turns <= most:
        yield MalformedError("turns", f"must be from 0 to {most}")


def _count_faults(state: State) -> Iterator[MalformedError]:
    """Faults in the number of blockers on the board, which follows from the number of turns (TR-2)."""
    for seat in range(state.seats):
        found, expected = state.board.count(MARKS[seat]), state.placed(seat)
        if found != expected:
            message = f"has {found} blockers of seat {seat}, who has placed {expected} in {state.turns} turns"
            yield MalformedError("board", message)


def _share_faults(state: State) -> Iterator[MalformedError]:
    """Territories with more than an even share of a seat's blockers, before anything has moved (TR-3)."""
    if state.movement_turns > 0:
        return
    for territory, name in enumerate(TERRITORIES):
        for seat, blockers in enumerate(counts(state, territory)):
            if blockers > EVEN_SHARE:
                message = f"has {blockers} blockers of seat {seat} in the {name}; {EVEN_SHARE} may be placed"
                yield MalformedError("board", message)
