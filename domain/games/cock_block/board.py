"""The board: four columns, the Exit Area in row 0, the barn, and the Friend Zone above it.

A space is its column's letter and its row's digit, ``"b3"``. Up is toward the Friend Zone. The sides are joined: left of
column a lies column d.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from domain.games.cock_block.components import BARN_ROWS, CHICKS
from domain.validation import OneOf

COLUMNS: Final = "abcd"

ALL_SPACES: Final = tuple(f"{column}{row}" for row in range(BARN_ROWS[1] + 2) for column in COLUMNS)
"""The spaces of the highest barn, row by row."""

Space = Annotated[str, OneOf(ALL_SPACES)]


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A barn of some height, as tables made once. ``steps`` has one for each direction, without the steps off the board."""

    friend_zone: int
    """The row of the Friend Zone."""
    spaces: tuple[str, ...]
    steps: Mapping[str, Mapping[str, str]]
    """"up", "down", "left", "right" → space → the next space."""
    neighbours: Mapping[str, tuple[str, ...]]
    homes: Mapping[str, str]
    """Space of the Friend Zone → the chick that waits there."""

    def step(self, space: str, direction: str) -> str | None:
        """The next space, ``None`` off the board."""
        return self.steps[direction].get(space)


def _board(barn_rows: int) -> Board:
    top = barn_rows + 1
    spaces = ALL_SPACES[: 4 * (top + 1)]
    steps = {
        "up": {space: _at(column(space), row(space) + 1) for space in spaces if row(space) < top},
        "down": {space: _at(column(space), row(space) - 1) for space in spaces if row(space) > 0},
        "left": {space: _at(column(space) - 1, row(space)) for space in spaces},
        "right": {space: _at(column(space) + 1, row(space)) for space in spaces},
    }
    neighbours = {space: tuple(table[space] for table in steps.values() if space in table) for space in spaces}
    homes = {_at(i, top): chick for i, chick in enumerate(CHICKS)}
    return Board(top, spaces, steps, neighbours, homes)


def column(space: str) -> int:
    """The number of a space's column, 0 to 3."""
    return COLUMNS.index(space[0])


def row(space: str) -> int:
    return int(space[1])


def _at(at_column: int, at_row: int) -> str:
    return f"{COLUMNS[at_column % 4]}{at_row}"


def exits() -> tuple[str, ...]:
    """The four spaces of the Exit Area, where the heroes start."""
    return ALL_SPACES[:4]


def in_exit(space: str) -> bool:
    return space[1] == "0"


BOARDS: Final = {rows: _board(rows) for rows in range(BARN_ROWS[0], BARN_ROWS[1] + 1)}
"""Number of barn rows → the board."""
