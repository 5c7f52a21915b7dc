"""Turns: placing (TR-2, TR-3), moving and passing (TR-4, TR-5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.game import Dice, Rejected, Turn
from domain.games.territories.components import (
    EVEN_SHARE,
    FREE,
    INDEX,
    MARKS,
    NEIGHBOURS,
    TERRITORIES,
    TERRITORY_OF,
    territory_name,
)
from domain.games.territories.control import marks, outcome
from domain.games.territories.events import Event, Moved, Passed, Placed
from domain.games.territories.moves import PASS, PLACES, STEPS, AnyMove, Move, Pass, Place
from domain.games.territories.state import State

# Made once: ``to_move`` is asked after every move of a fold.
NOBODY: frozenset[int] = frozenset()
ALONE = tuple(frozenset({seat}) for seat in range(len(MARKS)))

# -- legal ------------------------------------------------------------------------------------------------------------


def legal(state: State, seat: int) -> Iterator[AnyMove]:
    if seat not in to_move(state):
        return
    if state.placing:
        yield from _placements(state, seat)
    else:
        found = False
        for move in _steps(state, seat):
            found = True
            yield move
        if not found:
            yield PASS


def _placements(state: State, seat: int) -> Iterator[Place]:
    full = [marks(state.board, t).count(MARKS[seat]) >= EVEN_SHARE for t in range(len(TERRITORIES))]
    for i, mark in enumerate(state.board):
        if mark == FREE and not full[TERRITORY_OF[i]]:
            yield PLACES[i]


def _steps(state: State, seat: int) -> Iterator[Move]:
    own = MARKS[seat]
    for i, mark in enumerate(state.board):
        if mark == own:
            for to, move in STEPS[i]:
                if state.board[to] == FREE:
                    yield move


def refuse(state: State, seat: int, move: AnyMove) -> Rejected | None:
    match move:
        case Place(at):
            return _refuse_place(state, seat, at)
        case Move(start, to):
            return _refuse_move(state, seat, start, to)
        case Pass():
            return _refuse_pass(state, seat)


def _refuse_place(state: State, seat: int, at: str) -> Rejected | None:
    if not state.placing:
        return Rejected("TR-4", "All blockers are placed; now you move one of yours.")
    if state.board[INDEX[at]] != FREE:
        return Rejected("TR-2", f"{at} is occupied by a blocker of seat {state.board[INDEX[at]]}.")
    if marks(state.board, TERRITORY_OF[INDEX[at]]).count(MARKS[seat]) >= EVEN_SHARE:
        return Rejected("TR-3", f"You have {EVEN_SHARE} blockers in the {territory_name(at)} already.")
    return None


def _refuse_move(state: State, seat: int, start: str, to: str) -> Rejected | None:
    if state.placing:
        return Rejected("TR-4", f"Blockers move once all are placed; {-state.movement_turns} are still to come.")
    if state.board[INDEX[start]] != MARKS[seat]:
        return Rejected("TR-4", f"You have no blocker on {start}.")
    if INDEX[to] not in NEIGHBOURS[INDEX[start]]:
        return Rejected("TR-4", f"{to} is not directly beside {start}.")
    if state.board[INDEX[to]] != FREE:
        return Rejected("TR-4", f"{to} is occupied by a blocker of seat {state.board[INDEX[to]]}.")
    return None


def _refuse_pass(state: State, seat: int) -> Rejected | None:
    if state.placing:
        return Rejected("TR-2", "While blockers are being placed, you place one on each turn.")
    possible = next(_steps(state, seat), None)
    if possible is not None:
        return Rejected("TR-5", f"You can move, for one from {possible.from_} to {possible.to}.")
    return None


# -- decide -----------------------------------------------------------------------------------------------------------


def decide(state: State, seat: int, move: AnyMove, dice: Dice) -> Sequence[Event]:
    match move:
        case Place(at):
            return (Placed(seat, at),)
        case Move(start, to):
            return (Moved(seat, start, to),)
        case Pass():
            return (Passed(seat),)


# -- evolve -----------------------------------------------------------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    match event:
        case Placed(seat, at):
            board = _put(state.board, at, MARKS[seat])
        case Moved(seat, start, to):
            board = _put(_put(state.board, start, FREE), to, MARKS[seat])
        case Passed():
            board = state.board
    # By position, in the order of the fields: ``evolve`` runs for every event of a fold, and ``dataclasses.replace`` takes
    # more than twice as long.
    return State(board, state.seats, state.first_seat, state.turns + 1, state.max_rounds)


def _put(board: str, at: str, mark: str) -> str:
    i = INDEX[at]
    return board[:i] + mark + board[i + 1 :]


# -- to move ----------------------------------------------------------------------------------------------------------


def turn_of(state: State) -> Turn:
    return Turn(state.on_turn, state.turns)


def to_move(state: State) -> frozenset[int]:
    return NOBODY if outcome(state) is not None else ALONE[state.on_turn]


def imagine(state: State, seat: int, dice: Dice) -> State:
    """The state itself, for every seat sees everything."""
    return state
