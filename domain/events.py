"""What can be asked of a match and what can happen to it, whatever the game: commands, events, and the commit.

Commands are imperative, events past tense. A game's own moves and events travel inside them: a ``Move`` carries the
game's move, and the events of an accepted move are the game's events as they are.
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


# -- commands ---------------------------------------------------------------------------------------------------------


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

NAMES: dict[type, str] = {cls: name for table in (COMMANDS, EVENTS) for name, cls in table.items()}


# -- the commit -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Commit:
    """One accepted command with its events: one stream entry, one version, one replay step.

    Its events are either all the match's own or all the game's, save that a ``DisputeLapsed`` may stand before any.
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
