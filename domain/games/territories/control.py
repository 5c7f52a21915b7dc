"""Control of territories, and the end of the match (TR-6 to TR-9)."""

from __future__ import annotations

from domain.game import Outcome
from domain.games.territories.components import CORNERS, MARKS
from domain.games.territories.state import State

Counts = tuple[int, ...]
"""The blockers of each seat in one territory."""


def marks(board: str, territory: int) -> str:
    """The nine spaces of a territory, as they stand on the board."""
    i = CORNERS[territory]
    return board[i : i + 3] + board[i + 9 : i + 12] + board[i + 18 : i + 21]


def counts(state: State, territory: int) -> Counts:
    """The blockers of each seat in this territory."""
    inside = marks(state.board, territory)
    return tuple([inside.count(mark) for mark in MARKS[: state.seats]])


def controller(blockers: Counts) -> int | None:
    """The seat that has more than every other (TR-6); ``None`` if the most is shared."""
    most = max(blockers)
    return blockers.index(most) if blockers.count(most) == 1 else None


def all_controlled(state: State) -> bool:
    for territory in range(len(CORNERS)):  # noqa: SIM110 - half the time of a generator, and asked after every turn
        if controller(counts(state, territory)) is None:
            return False
    return True


def outcome(state: State) -> Outcome | None:
    """The end by TR-7 or TR-9; ``None`` before. The scores are the numbers of controlled territories."""
    if state.movement_turns <= 0:
        return None
    if all_controlled(state):
        return _scored(state, "all territories are controlled", "TR-7")
    if state.movement_turns >= state.max_rounds * state.seats:
        return _scored(state, "the last round of movement is over", "TR-9")
    return None


def _scored(state: State, reason: str, rule: str) -> Outcome:
    """Ranks the seats by the territories they control, then by the blockers they have inside these (TR-8)."""
    controlled, standing = [0] * state.seats, [0] * state.seats
    for territory in range(len(CORNERS)):
        blockers = counts(state, territory)
        seat = controller(blockers)
        if seat is not None:
            controlled[seat] += 1
            standing[seat] += blockers[seat]
    ranks = list(zip(controlled, standing, strict=True))
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
    if len(winners) < controlled.count(max(controlled)):
        reason, rule = f"{reason}; of those with most, more blockers stand in their territories", "TR-8"
    return Outcome(winners, tuple(controlled), reason, rule)
