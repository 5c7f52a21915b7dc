"""Commands: requests to change a match, whatever the game. Each class is named in the imperative.

A ``Move`` carries the game's own move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from domain.players import BotLevel
from domain.validation import Between, MalformedError

UndoPolicy = Literal["off", "free_only", "consent", "host"]

UNDO_POLICIES: tuple[UndoPolicy, ...] = ("off", "free_only", "consent", "host")

Direction = Literal["undo", "redo"]

Ruling = Literal["stands", "rewind", "void"]

Start = Literal["full", "ready"]

STARTS: tuple[Start, ...] = ("full", "ready")

RULINGS: tuple[Ruling, ...] = ("stands", "rewind", "void")


@dataclass(frozen=True, slots=True)
class Origin:
    """The version of a finished match that another match starts from."""

    match: str
    version: int


DAY = 24 * 60 * 60
SPAN = Between(1, 60 * DAY)


@dataclass(frozen=True, slots=True)
class Clock:
    """The time that seats have, in seconds: ``turn`` for each turn, or a ``bank`` for the whole match. Either, never both."""

    turn: Annotated[int, SPAN] | None = None
    bank: Annotated[int, SPAN] | None = None
    increment: Annotated[int, Between(0, DAY)] = 0
    """The seconds that the bank gains by the end of each of its own turns."""
    answer: Annotated[int, SPAN] | None = None
    """The time for each answer that is asked for in another seat's turn; ``None``: the smaller of the turn and a day, or a
    minute with a bank."""

    @property
    def answer_seconds(self) -> int:
        """The time for an answer."""
        if self.answer is not None:
            return self.answer
        return 60 if self.turn is None else min(self.turn, DAY)

    def fault(self) -> MalformedError | None:
        """The contradiction between the fields; ``None`` if there is none."""
        if (self.turn is None) == (self.bank is None):
            return MalformedError("clock", "must have either a turn or a bank")
        if self.increment and self.bank is None:
            return MalformedError("clock.increment", "belongs to a bank")
        return None


@dataclass(frozen=True, slots=True)
class Open:
    """Open a match and sit on seat 0 as its host. A position is stored in the event only, where it can be secret."""

    game: str
    """The id of the game."""
    seats: int
    """The number of seats."""
    options: Mapping[str, Any]
    """The options as they were posted, as JSON data."""
    undo: UndoPolicy = "consent"
    private: bool = False
    entropy: str = ""
    """The host's addition to the match's chance."""
    positioned: bool = False
    """True if the match starts from a position instead of the game's deal."""
    origin: Origin | None = None
    """The version of another match that the position is taken from."""
    arbiter: str | None = None
    """The id of a player that is asked to rule on disputes and takes no seat."""
    clock: Clock | None = None
    """``None``: a match without clocks."""
    start: Start = "full"
    """``full``: the match starts with the last seat that is taken; ``ready``: once all seats have said that they are ready."""


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat, the first free one if none is named; may add entropy to the match's chance."""

    seat: int | None = None
    entropy: str = ""
    arbiter: str | None = None
    """The id of the arbiter that the player agrees to; ``None``: it names none."""


@dataclass(frozen=True, slots=True)
class SeatBot:
    """Give a free seat to a bot, as the host."""

    seat: int
    level: BotLevel


@dataclass(frozen=True, slots=True)
class Ready:
    """Say that the seat is ready to start."""

    seat: int


@dataclass(frozen=True, slots=True)
class AcceptArbitration:
    """Agree to be the arbiter of a match, as the player that its host has asked."""


@dataclass(frozen=True, slots=True)
class DeclineArbitration:
    """Decline to be the arbiter of a match, or resign from it later."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Release a seat before the start. The match is cancelled if the host leaves."""

    seat: int


@dataclass(frozen=True, slots=True)
class RemovePlayer:
    """Remove another player from its seat before the start, as the host."""

    seat: int


@dataclass(frozen=True, slots=True)
class RenewInvite:
    """Replace the invite of a private match, as the host. Only the hash is stored; see ``domain.table.Invite``."""

    hash: str


@dataclass(frozen=True, slots=True)
class Expire:
    """Record that an open match has waited for too long. The server sends it."""


@dataclass(frozen=True, slots=True)
class RunOut:
    """Record what is due first: time that ran out, or a request that nobody answered. The server sends it."""


@dataclass(frozen=True, slots=True)
class ExtendClocks:
    """Give more time to the clocks that run, after an absence of the server."""

    ms: int


@dataclass(frozen=True, slots=True)
class Retire:
    """Retire a seat whose account was deleted. The server sends it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Move:
    """Make a move of the game."""

    seat: int
    move: Any
    """One of the game's own move classes."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Retire from a running match. By protocols 1 and 2 that ends it, and all other seats win."""

    seat: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Return to version ``to``, an earlier one that is in force; or ask for it, where other seats must agree."""

    seat: int
    to: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Redo:
    """Return to version ``to``, which was undone; or ask for it, where other seats must agree."""

    seat: int
    to: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AnswerUndo:
    """Accept or decline another seat's request for a return; ``block`` declines its later requests, too."""

    seat: int
    accept: bool
    block: bool = False
    request: int | None = None
    """The version of the commit that asked; ``None``: whichever request is open."""


@dataclass(frozen=True, slots=True)
class WithdrawUndo:
    """Withdraw the seat's own request for a return."""

    seat: int


@dataclass(frozen=True, slots=True)
class ProposeRules:
    """Ask the other seats to go on by a newer version of the game's rules."""

    seat: int
    rules: int
    """The version to go on by."""


@dataclass(frozen=True, slots=True)
class AnswerRules:
    """Accept or decline the open proposal to go on by newer rules; the seat that made it withdraws it by declining."""

    seat: int
    accept: bool
    request: int
    """The version of the commit that proposed."""


@dataclass(frozen=True, slots=True)
class RecordFork:
    """Note that another match starts from a version of this one."""

    version: int
    match: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """Dispute a version: claim that it should not be as it is."""

    seat: int
    version: int
    reason: str


@dataclass(frozen=True, slots=True)
class Look:
    """Look at the hidden part of the disputed version, as the arbiter. The look itself is public."""

    dispute: int


@dataclass(frozen=True, slots=True)
class GiveRuling:
    """Settle a dispute, as the arbiter; in a match without an arbiter, back a ruling as a seat."""

    dispute: int
    ruling: Ruling
    reason: str


@dataclass(frozen=True, slots=True)
class Lapse:
    """Record that a dispute has expired. The server sends it, so that the log learns of it even if no player acts."""

    dispute: int


Command = (
    Open
    | Join
    | SeatBot
    | Ready
    | AcceptArbitration
    | DeclineArbitration
    | Leave
    | RemovePlayer
    | RenewInvite
    | Expire
    | RunOut
    | ExtendClocks
    | Retire
    | Move
    | Resign
    | Undo
    | Redo
    | AnswerUndo
    | WithdrawUndo
    | ProposeRules
    | AnswerRules
    | RecordFork
    | Dispute
    | Look
    | GiveRuling
    | Lapse
)

COMMANDS: dict[str, type] = {
    "open": Open,
    "join": Join,
    "seat_bot": SeatBot,
    "ready": Ready,
    "accept_arbitration": AcceptArbitration,
    "decline_arbitration": DeclineArbitration,
    "leave": Leave,
    "remove": RemovePlayer,
    "renew_invite": RenewInvite,
    "expire": Expire,
    "run_out": RunOut,
    "extend_clocks": ExtendClocks,
    "retire": Retire,
    "move": Move,
    "resign": Resign,
    "undo": Undo,
    "redo": Redo,
    "answer_undo": AnswerUndo,
    "withdraw_undo": WithdrawUndo,
    "propose_rules": ProposeRules,
    "answer_rules": AnswerRules,
    "record_fork": RecordFork,
    "dispute": Dispute,
    "look": Look,
    "rule": GiveRuling,
    "lapse": Lapse,
}

NAMES: dict[type, str] = {cls: name for name, cls in COMMANDS.items()}
