"""Events: facts about a match, whatever the game. Each class is named in the past tense.

An accepted move is stored as the game's own events.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from domain.commands import Clock, Direction, Join, Open, Origin, Ruling, UndoPolicy
from domain.hidden import Sees, redact

RetirementReason = Literal["timeout", "resigned", "deleted"]
"""The reason for which a seat retires: its time ran out, it resigned, or its account was deleted."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The match was opened: the first event of version 1, and of no other."""

    game: str
    """The id of the game."""
    rules: int
    """The version of the game's rules."""
    seats: int
    """The number of seats."""
    options: Any
    """The game's own options."""
    host: str
    """The id of the player that opened the match."""
    undo: UndoPolicy
    private: bool
    seed_commitment: str
    """The SHA-256 of the seed, see ``domain.chance``; 64 lower-case hexadecimal digits."""
    position: Any = None
    """The game's state to start from, if the match does not start with the usual deal."""
    origin: Origin | None = None
    """The version of another match that this state is taken from."""
    arbiter: str | None = None
    """The id of the player that is asked to rule on disputes; by protocol 1 it does so without being asked."""
    protocol: int = 1
    """The version of the match's own rules, see ``domain.protocol``."""
    rated: bool | None = None
    """True if its result is to count for ratings; ``None`` by protocol 1, where it follows from the other fields."""
    clock: Clock | None = None
    """``None``: the match has no clocks."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A player took a seat and added entropy to the match's chance."""

    seat: int
    player: str
    entropy: str


@dataclass(frozen=True, slots=True)
class ArbiterAccepted:
    """The player that the host had asked became the arbiter of the match."""

    player: str


@dataclass(frozen=True, slots=True)
class ArbiterDeclined:
    """The player that the host had asked declined, so the match has no arbiter."""

    player: str


@dataclass(frozen=True, slots=True)
class ArbiterResigned:
    """The arbiter resigned, so the match has none any more."""

    player: str


@dataclass(frozen=True, slots=True)
class Left:
    """A player released its seat before the start."""

    seat: int


@dataclass(frozen=True, slots=True)
class Removed:
    """The host removed a player from its seat before the start. That player cannot sit at this match again."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class InviteRenewed:
    """The host replaced the invite: the one before lets nobody in any more. Whoever has a seat keeps it."""

    hash: str
    """The SHA-256 of "invite " and the new invite; 64 lower-case hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class Expired:
    """The match waited for players for too long, so it is void."""


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The host left before the start, so the match is void."""


@dataclass(frozen=True, slots=True)
class Started:
    """The last seat was taken; ``state`` is the game's state as it was dealt or posted."""

    state: Any


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat resigned, which ends the match; all others win."""

    seat: int


@dataclass(frozen=True, slots=True)
class Aborted:
    """A seat resigned a match of two before it had made a move, so the match is void. From protocol 3 on: ``Annulled``."""

    seat: int


@dataclass(frozen=True, slots=True)
class Retired:
    """A seat retired. Of two seats the other wins, of more a stand-in plays on for it."""

    seat: int
    reason: RetirementReason
    due: int | None = None
    """The time at which its clock ran out, in milliseconds since 1970-01-01 UTC; ``None`` for another reason."""


@dataclass(frozen=True, slots=True)
class Annulled:
    """The match of two became void, because the seat that retired had not made a move."""


@dataclass(frozen=True, slots=True)
class AnswerMissed:
    """A seat let its time to answer run out, so the server answered for it: the game's events follow."""

    seat: int
    due: int
    """The time at which the answer was due, in milliseconds since 1970-01-01 UTC. The clocks go on from then."""


@dataclass(frozen=True, slots=True)
class RequestExpired:
    """Nobody answered the open request, or the open proposal, in time. That counts as declining it."""

    version: int
    """The version of the commit that asked."""
    due: int
    """The time at which it expired, in milliseconds since 1970-01-01 UTC."""


@dataclass(frozen=True, slots=True)
class ClocksExtended:
    """The clocks that run got more time, because the server did not record what is due for a while."""

    ms: int


@dataclass(frozen=True, slots=True)
class TooLong:
    """A seat moved when the match had the most commits that it may have. The move was not made; the match is void."""


@dataclass(frozen=True, slots=True)
class Rewound:
    """The match returned to the state of an earlier version. The versions in between stay in the log, undone."""

    to: int


@dataclass(frozen=True, slots=True)
class Restored:
    """The match returned to the state of a version that had been undone."""

    to: int


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """A seat asked others to agree to a return."""

    seat: int
    direction: Direction
    to: int
    asks: tuple[int, ...]
    """The seats that must all accept."""
    reason: str


@dataclass(frozen=True, slots=True)
class UndoAnswered:
    """A seat accepted or declined the open request. If it was the last to accept, the return is the next event."""

    seat: int
    accepted: bool
    blocks: bool
    """True if the seat also declines all later requests of the seat that asked."""


@dataclass(frozen=True, slots=True)
class UndoWithdrawn:
    """A seat withdrew its own request."""

    seat: int


@dataclass(frozen=True, slots=True)
class RulesProposed:
    """A seat asked others to go on by a newer version of the game's rules."""

    seat: int
    rules: int
    """The version to go on by."""
    asks: tuple[int, ...]
    """The seats that must all accept."""


@dataclass(frozen=True, slots=True)
class RulesAnswered:
    """A seat accepted or declined the open proposal. If it was the last to accept, the change is the next event."""

    seat: int
    accepted: bool


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The match goes on by a newer version of the game's rules, from a state and with options of that version."""

    rules: int
    options: Any
    state: Any


@dataclass(frozen=True, slots=True)
class Forked:
    """Another match was started from this version."""

    version: int
    match: str


@dataclass(frozen=True, slots=True)
class Disputed:
    """A seat disputed a version. A running match is frozen until the dispute is settled."""

    seat: int
    version: int
    reason: str


@dataclass(frozen=True, slots=True)
class HiddenLookedAt:
    """The arbiter looked at the hidden part of the disputed version."""

    dispute: int
    version: int


@dataclass(frozen=True, slots=True)
class Unrated:
    """The match lost its rating: its result will count for no rating."""

    reason: Literal["looked", "early"]
    """``looked``: the arbiter looked at what is hidden while the match ran. ``early``: a seat retired before it had moved."""


@dataclass(frozen=True, slots=True)
class RulingBacked:
    """A seat backed this ruling, in a match without an arbiter."""

    dispute: int
    seat: int
    ruling: Ruling
    reason: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """The dispute was settled. If the ruling is ``rewind``, the return to the version before is the event before this one."""

    dispute: int
    version: int
    ruling: Ruling
    reason: str


@dataclass(frozen=True, slots=True)
class DisputeLapsed:
    """The dispute expired, so the version stands. The first event of the next commit, whatever its command, or its only one."""

    dispute: int
    version: int


MatchEvent = (
    Opened
    | Joined
    | ArbiterAccepted
    | ArbiterDeclined
    | ArbiterResigned
    | Left
    | Removed
    | InviteRenewed
    | Expired
    | Cancelled
    | Started
    | Resigned
    | Aborted
    | Retired
    | Annulled
    | AnswerMissed
    | RequestExpired
    | ClocksExtended
    | TooLong
    | Rewound
    | Restored
    | UndoAsked
    | UndoAnswered
    | UndoWithdrawn
    | RulesProposed
    | RulesAnswered
    | RulesChanged
    | Forked
    | Disputed
    | HiddenLookedAt
    | Unrated
    | RulingBacked
    | Ruled
    | DisputeLapsed
)

EVENTS: dict[str, type] = {
    "opened": Opened,
    "joined": Joined,
    "arbiter_accepted": ArbiterAccepted,
    "arbiter_declined": ArbiterDeclined,
    "arbiter_resigned": ArbiterResigned,
    "left": Left,
    "removed": Removed,
    "invite_renewed": InviteRenewed,
    "expired": Expired,
    "cancelled": Cancelled,
    "started": Started,
    "resigned": Resigned,
    "aborted": Aborted,
    "retired": Retired,
    "annulled": Annulled,
    "answer_missed": AnswerMissed,
    "request_expired": RequestExpired,
    "clocks_extended": ClocksExtended,
    "too_long": TooLong,
    "rewound": Rewound,
    "restored": Restored,
    "undo_asked": UndoAsked,
    "undo_answered": UndoAnswered,
    "undo_withdrawn": UndoWithdrawn,
    "rules_proposed": RulesProposed,
    "rules_answered": RulesAnswered,
    "rules_changed": RulesChanged,
    "forked": Forked,
    "disputed": Disputed,
    "hidden_looked_at": HiddenLookedAt,
    "unrated": Unrated,
    "ruling_backed": RulingBacked,
    "ruled": Ruled,
    "dispute_lapsed": DisputeLapsed,
}

NAMES: dict[type, str] = {cls: name for name, cls in EVENTS.items()}


LATER: Mapping[type, Mapping[str, Any]] = {
    Opened: {"protocol": 1, "rated": None, "clock": None},
    Open: {"clock": None},
    Join: {"arbiter": None},
}
"""Fields that an event or a command did not have at first, and their defaults, at which they are not stored.

So a match of an earlier protocol is written as the release that made this protocol wrote it, and that release can read it: in
a rolling update both write to the same matches.
"""


def seen_event(event: Any, sees: Sees) -> Any:
    """The event, of the match or of its game, with the secrets hidden that ``sees`` may not know."""
    # The kernel annotates a game's state as ``Any``, where ``redact`` cannot find secrets: these are redacted by hand.
    match event:
        case Started(state):
            return Started(redact(state, sees))
        case Opened() if event.position is not None:
            return replace(event, position=redact(event.position, sees))
        case RulesChanged(_rules, _options, state):
            return replace(event, state=redact(state, sees))
        case _:
            return redact(event, sees)
