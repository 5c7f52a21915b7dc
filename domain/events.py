"""Events: facts about a match, whatever the game. Each class is named in the past tense.

The events of an accepted move are the game's own events, stored as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from domain.commands import Direction, Origin, Ruling, UndoPolicy


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
    origin: Origin | None = None
    """Where that state comes from, if it is one of another match."""
    arbiter: str | None = None
    """The player who rules on disputes, and never sits at this match."""


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


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """A seat asks others to agree to a return."""

    seat: int
    direction: Direction
    to: int
    asks: tuple[int, ...]
    """The seats that must all accept."""
    reason: str


@dataclass(frozen=True, slots=True)
class UndoAnswered:
    seat: int
    accepted: bool
    blocks: bool


@dataclass(frozen=True, slots=True)
class UndoWithdrawn:
    seat: int


@dataclass(frozen=True, slots=True)
class Forked:
    """Another match starts from this version."""

    version: int
    match: str


@dataclass(frozen=True, slots=True)
class Disputed:
    """A seat disputes a version; a running match is frozen until that is settled."""

    seat: int
    version: int
    reason: str


@dataclass(frozen=True, slots=True)
class HiddenLookedAt:
    """The arbiter looked at what is hidden of the disputed version."""

    dispute: int
    version: int


@dataclass(frozen=True, slots=True)
class RulingBacked:
    """A seat is for this ruling."""

    dispute: int
    seat: int
    ruling: Ruling
    reason: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """The dispute is settled. A return to the version before, if that is the ruling, is an event of its own before it."""

    dispute: int
    version: int
    ruling: Ruling
    reason: str


@dataclass(frozen=True, slots=True)
class DisputeLapsed:
    """Nobody ruled in time, so the version stands. The first event of whatever is done next, or the only one."""

    dispute: int
    version: int


MatchEvent = (
    Opened
    | Joined
    | Left
    | Cancelled
    | Started
    | Resigned
    | Rewound
    | Restored
    | UndoAsked
    | UndoAnswered
    | UndoWithdrawn
    | Forked
    | Disputed
    | HiddenLookedAt
    | RulingBacked
    | Ruled
    | DisputeLapsed
)

EVENTS: dict[str, type] = {
    "opened": Opened,
    "joined": Joined,
    "left": Left,
    "cancelled": Cancelled,
    "started": Started,
    "resigned": Resigned,
    "rewound": Rewound,
    "restored": Restored,
    "undo_asked": UndoAsked,
    "undo_answered": UndoAnswered,
    "undo_withdrawn": UndoWithdrawn,
    "forked": Forked,
    "disputed": Disputed,
    "hidden_looked_at": HiddenLookedAt,
    "ruling_backed": RulingBacked,
    "ruled": Ruled,
    "dispute_lapsed": DisputeLapsed,
}

NAMES: dict[type, str] = {cls: name for name, cls in EVENTS.items()}
