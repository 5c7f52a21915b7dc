"""A match: the one aggregate, and how it evolves with each commit. The module ``decide`` decides commands.

``advance`` never refuses. The match holds seats, status and versions; the game's state is inside it and knows none of that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from domain.clocks import Clocks
from domain.dispute_state import Case
from domain.game import AnyGame, Dice, Outcome
from domain.hidden import ALL, NOBODY, Seats, Sees
from domain.players import is_bot, stand_in
from domain.proposal import Proposal
from domain.retirement import Retirement, in_play
from domain.table import Table
from domain.undo_state import Asking, UndoRequest
from domain.version_tree import Node, Versions

Status = Literal["open", "live", "frozen", "finished", "void"]

VoidReason = Literal["cancelled", "expired", "aborted", "deserted", "too_long", "ruled"]
"""The reason why a match is void: its host left, it waited too long, a seat retired without a move, all seats retired at the
same moment, it has too many commits, or by a ruling."""

ENDED: frozenset[Status] = frozenset({"finished", "void"})


@dataclass(frozen=True, slots=True)
class Match:
    """One playing of a game, as of ``version``."""

    id: str
    table: Table
    version: int
    head: bytes
    """The hash of the newest commit."""
    at: int
    """The time of the newest commit, in milliseconds since 1970-01-01 UTC."""
    status: Status
    node: Node | None = None
    """The newest version in the version tree; ``None`` before the start of play."""
    to_move: Seats = NOBODY
    since: int = 0
    """The version at which the present choice opened; a command that was made for an older version is stale."""
    outcome: Outcome | None = None
    void_reason: VoidReason | None = None
    """``None`` for a match that is not void."""
    cases: tuple[Case, ...] = field(default=(), repr=False)
    """The disputes, in the order in which they were raised."""
    ended_at: int | None = None
    """The version by which it ended; commits that only note something may follow. ``None`` before."""
    over_since: int | None = None
    """The time of that version, as ``at``."""
    versions: Versions | None = field(default=None, repr=False, compare=False)
    """All versions since the start of play, in force or undone; ``None`` before it."""
    branches: int = 0
    """The number of returns to another version."""
    requests: int = 0
    """The number of requests for returns, and of proposals of newer rules."""
    forks: int = 0
    """The number of forks that its log notes."""
    request: UndoRequest | None = None
    proposal: Proposal | None = None
    """The open proposal to go on by newer rules."""
    asking: tuple[Asking, ...] = field(default=(), repr=False)
    """One for each seat."""
    clocks: Clocks | None = field(default=None, repr=False)
    """``None`` before the start of play, and for a match without clocks."""
    retired: tuple[Retirement, ...] = ()
    """The seats that have retired, in this order."""

    @property
    def game(self) -> AnyGame:
        """The rules of the newest state; ``game_at`` gives those of an earlier one."""
        return self.table.game

    def game_at(self, version: int) -> AnyGame:
        """The rules of the state after this version, and of its commit."""
        return self.table.at(version).game

    @property
    def state(self) -> Any:
        """The game's state, ``None`` before the start of play."""
        return None if self.node is None else self.node.state

    @property
    def case(self) -> Case | None:
        """The open dispute, ``None`` without one. At most one is open at a time."""
        return self.cases[-1] if self.cases and self.cases[-1].open else None

    @property
    def ended(self) -> bool:
        return self.status in ENDED

    @property
    def rated(self) -> bool:
        """True if its result counts for ratings, or will once it is finished."""
        return self.table.rated and self.status != "void"

    @property
    def in_play(self) -> list[int]:
        """The seats that have not retired."""
        return in_play(len(self.table.seats), self.retired)

    @property
    def people_in_play(self) -> list[int]:
        """The seats of people that have not retired: those whose consent counts. Bots accept what they all accept."""
        seats = self.table.seats
        return [seat for seat in self.in_play if (seated := seats[seat]) is not None and not is_bot(seated.player)]

    @property
    def has_bots(self) -> bool:
        """True if a bot sits at the match. Stand-ins do not."""
        return any(map(is_bot, self.table.players))

    @property
    def bots_to_move(self) -> list[tuple[int, str]]:
        """The seats that a bot is to move for, with its player id: its own seat, or one that has retired."""
        if self.status != "live" or not (self.retired or self.has_bots):
            return []
        found = []
        for seat in sorted(self.to_move):
            seated = self.table.seats[seat]
            player = stand_in(seat) if self.has_retired(seat) or seated is None else seated.player
            if is_bot(player):
                found.append((seat, player))
        return found

    def has_retired(self, seat: int | None) -> bool:
        return any(each.seat == seat for each in self.retired)

    def side_of(self, player: str | None) -> int | None:
        """The seat whose side a player sees: its own, but as long as the match runs only while it has not retired."""
        seat = self.table.seat_of(player)
        return None if not self.ended and self.has_retired(seat) else seat

    def seat_of(self, player: str) -> int | None:
        """The seat that a player plays for: its own, or as a stand-in one that has retired."""
        for each in self.retired:
            if player == stand_in(each.seat):
                return each.seat
        return self.table.seat_of(player)

    def node_at(self, version: int) -> Node | None:
        """The node of any version since the start of play, in force or undone; ``None`` where there is none. O(1)."""
        return None if self.versions is None else self.versions.at(version)

    def to_move_at(self, version: int) -> Seats:
        """The seats that could move at that version; empty before the start of play and once the match had ended."""
        if self._over_at(version):
            return NOBODY
        node = self.node_at(version)
        return NOBODY if node is None else self.game_at(version).to_move(node.state)

    def outcome_at(self, version: int) -> Outcome | None:
        """The outcome as of that version; ``None`` while the match ran, and for a void match."""
        return self.outcome if self._over_at(version) else None

    def _over_at(self, version: int) -> bool:
        return self.ended_at is not None and version >= self.ended_at

    def sees(self, player: str | None) -> Sees:
        """The viewpoint of this player now: its own seat's while the match runs, ``ALL`` once it has ended."""
        if self.status in ENDED:
            return ALL
        seat = None if player is None else self.seat_of(player)
        if seat is None or (self.retired and self.has_retired(seat) and player != stand_in(seat)):
            return NOBODY
        return frozenset({seat})


@dataclass(frozen=True, slots=True)
class Refused:
    """The reason why a command changes nothing: a stable code, a sentence, and the rule or the field where there is one."""

    code: str
    message: str
    rule: str | None = None
    field: str | None = None


NOT_SEATED = Refused("not_seated", "You have no seat at this match.")
RETIRED = Refused("retired", "You have retired from this match.")


def retired_refused(match: Match, seat: int, player: str) -> Refused | None:
    """The reason to refuse a player that has retired; ``None`` for all others, and for the stand-in of the seat."""
    return RETIRED if match.has_retired(seat) and player != stand_in(seat) else None


@dataclass(frozen=True, slots=True)
class Act:
    """The circumstances of a command: its player, its time (milliseconds since 1970-01-01 UTC) and its chance."""

    player: str
    at: int
    dice: Dice
