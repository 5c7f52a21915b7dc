"""What can be asked of a match and what can happen to it, whatever the game: commands, events, and the commit.

Commands are imperative, events past tense. A game's own moves and events travel inside them: a ``Move`` carries the
game's move, and the events of an accepted move are the game's events as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

UndoPolicy = Literal["off", "free_only", "host"]

UNDO_POLICIES: tuple[UndoPolicy, ...] = ("off", "free_only", "host")


# -- commands ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Open:
    """Open a match and sit on seat 0 as its host. A position is stored in the event only, where it can be secret."""

    game: str
    seats: int
    options: Mapping[str, Any]
    undo: UndoPolicy = "host"
    private: bool = False
    entropy: str = ""
    positioned: bool = False


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat, the first free one if none is named; may add entropy to the match's chance."""

    seat: int | None = None
    entropy: str = ""


@dataclass(frozen=True, slots=True)
class Leave:
    """Give a seat back before the start; the host leaving cancels the match."""

    seat: int


@dataclass(frozen=True, slots=True)
class Move:
    """A seat's move within the game's rules."""

    seat: int
    move: Any


@dataclass(frozen=True, slots=True)
class Resign:
    seat: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Return to an earlier version that is in force: the state after that commit."""

    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class Redo:
    """Return to a version that was undone."""

    seat: int
    to: int


Command = Open | Join | Leave | Move | Resign | Undo | Redo

COMMANDS: dict[str, type] = {
    "open": Open,
    "join": Join,
    "leave": Leave,
    "move": Move,
    "resign": Resign,
    "undo": Undo,
    "redo": Redo,
}


# -- events -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opened:
    game: str
    rules: int
    """The version of the game's rules."""
    seats: int
    options: Any
    host: str
    """A player id."""
    undo: UndoPolicy
    private: bool
    seed_commitment: str
    """Lower-case hexadecimal."""
    position: Any = None
    """The game's state to start from, if the match does not start with the usual deal."""


@dataclass(frozen=True, slots=True)
class Joined:
    seat: int
    player: str
    entropy: str


@dataclass(frozen=True, slots=True)
class Left:
    seat: int


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The host left before the start."""


@dataclass(frozen=True, slots=True)
class Started:
    """The last seat was taken; ``state`` is the game's state as it was dealt or posted."""

    state: Any


@dataclass(frozen=True, slots=True)
class Resigned:
    seat: int


@dataclass(frozen=True, slots=True)
class Rewound:
    """The state is that of an earlier version again. The versions in between stay in the log, undone."""

    to: int


@dataclass(frozen=True, slots=True)
class Restored:
    """The state is that of a version that had been undone."""

    to: int


MatchEvent = Opened | Joined | Left | Cancelled | Started | Resigned | Rewound | Restored

EVENTS: dict[str, type] = {
    "opened": Opened,
    "joined": Joined,
    "left": Left,
    "cancelled": Cancelled,
    "started": Started,
    "resigned": Resigned,
    "rewound": Rewound,
    "restored": Restored,
}

NAMES: dict[type, str] = {cls: name for table in (COMMANDS, EVENTS) for name, cls in table.items()}


# -- the commit -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Commit:
    """One accepted command with its events: one stream entry, one version, one replay step.

    Its events are either all the match's own or all the game's.
    """

    version: int
    at: int
    """Milliseconds since 1970-01-01 UTC."""
    player: str
    token: str
    """The id of the token that was used, not the token."""
    command_id: str
    command: Any
    events: tuple[Any, ...]
    draws: int
    """How many words the dice gave."""
    hash: bytes
    secrets: int = 0
    """How many secrets it holds, whoever may know them."""

    def stored_as(self, hash_: bytes, secrets: int) -> Commit:
        """The same commit, now that it is known how it is stored."""
        given = (self.version, self.at, self.player, self.token, self.command_id, self.command, self.events, self.draws)
        return Commit(*given, hash_, secrets)
