"""Commands: requests to change a match, whatever the game. Each class is named in the imperative.

A ``Move`` carries the game's own move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

UndoPolicy = Literal["off", "free_only", "consent", "host"]

UNDO_POLICIES: tuple[UndoPolicy, ...] = ("off", "free_only", "consent", "host")

Direction = Literal["undo", "redo"]

Ruling = Literal["stands", "rewind", "void"]

RULINGS: tuple[Ruling, ...] = ("stands", "rewind", "void")


@dataclass(frozen=True, slots=True)
class Origin:
    """The version of a finished match that another match starts from."""

    match: str
    version: int


@dataclass(frozen=True, slots=True)
class Open:
    """Open a match and sit on seat 0 as its host. A position is stored in the event only, where it can be secret."""

    game: str
    seats: int
    options: Mapping[str, Any]
    undo: UndoPolicy = "consent"
    private: bool = False
    entropy: str = ""
    positioned: bool = False
    origin: Origin | None = None
    arbiter: str | None = None


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
    """Return to an earlier version that is in force, the state after that commit; or ask for it, where others must agree."""

    seat: int
    to: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Redo:
    """Return to a version that was undone, or ask for it."""

    seat: int
    to: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AnswerUndo:
    """Accept or decline what another seat asks for; ``block`` also declines what it will ask for later."""

    seat: int
    accept: bool
    block: bool = False
    request: int | None = None
    """The version of the asking commit that is meant; ``None``: the open one."""


@dataclass(frozen=True, slots=True)
class WithdrawUndo:
    """Take one's own request back."""

    seat: int


@dataclass(frozen=True, slots=True)
class RecordFork:
    """Note that another match starts from a version of this one."""

    version: int
    match: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """Say that a version should not be as it is."""

    seat: int
    version: int
    reason: str


@dataclass(frozen=True, slots=True)
class Look:
    """As the arbiter, look at what is hidden of the disputed version. Everybody sees that it was done."""

    dispute: int


@dataclass(frozen=True, slots=True)
class Rule:
    """Settle a dispute, as the arbiter; or, where there is none, be for a ruling."""

    dispute: int
    ruling: Ruling
    reason: str


@dataclass(frozen=True, slots=True)
class Lapse:
    """Record that a dispute's time is over. The house asks for it, for nobody else may come by for long."""

    dispute: int


Command = (
    Open
    | Join
    | Leave
    | Move
    | Resign
    | Undo
    | Redo
    | AnswerUndo
    | WithdrawUndo
    | RecordFork
    | Dispute
    | Look
    | Rule
    | Lapse
)

COMMANDS: dict[str, type] = {
    "open": Open,
    "join": Join,
    "leave": Leave,
    "move": Move,
    "resign": Resign,
    "undo": Undo,
    "redo": Redo,
    "answer_undo": AnswerUndo,
    "withdraw_undo": WithdrawUndo,
    "record_fork": RecordFork,
    "dispute": Dispute,
    "look": Look,
    "rule": Rule,
    "lapse": Lapse,
}

NAMES: dict[type, str] = {cls: name for name, cls in COMMANDS.items()}
