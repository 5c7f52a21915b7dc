"""The table of a match: the part that no move changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from domain import commands, events
from domain.game import AnyGame
from domain.players import is_bot

OPEN_MS = 7 * 24 * 60 * 60 * 1000
"""Milliseconds for which an open match waits for players."""


FAST = 60 * 60
"""Seconds. The longest turn or bank of a match whose ready check is short."""
READY_FAST_MS, READY_MS = 60 * 1000, 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Seated:
    """A player on a seat, and the entropy that the player added to the match's chance."""

    player: str
    entropy: str


@dataclass(frozen=True, slots=True)
class Invite:
    """The invite of a private match: the one that follows from the seed, until the host renews it."""

    since: int = 0
    """The version that made it; 0: the match has its first one."""
    hash: str | None = None
    """The hash of a renewed invite, in hexadecimal. It does not follow from the seed, which is public in the end."""
    renewals: int = 0


@dataclass(frozen=True, slots=True)
class ReadyCheck:
    """The question to all seats whether they are ready to start."""

    due: int
    """The time until which they may answer, in milliseconds since 1970-01-01 UTC."""
    ready: frozenset[int] = frozenset()
    """The seats that are ready. Bots always are."""

    def missing(self, table: Table) -> set[int]:
        """The seats that have not said that they are ready."""
        return {
            seat for seat, seated in enumerate(table.seats) if seated is not None and not is_bot(seated.player)
        } - set(self.ready)


@dataclass(frozen=True, slots=True)
class Table:
    """The part of a match that no move changes: game, version of its rules, options, seats, policies. Times as in ``Match``.

    Game, rules and options change only if all seats agree to go on by a newer version of the rules.
    """

    game: AnyGame
    """The rules by which the match is read: those of version ``rules``, or the nearest if that code is not here."""
    rules: int
    options: Any
    seats: tuple[Seated | None, ...]
    host: str
    undo: commands.UndoPolicy
    private: bool
    seed_commitment: str
    position: Any
    from_position: bool
    """True if play started, or is to start, from a position instead of the game's deal."""
    origin: commands.Origin | None
    asked_arbiter: str | None
    """The player that the host has asked to be the arbiter, and that has not answered. ``None`` once play has started."""
    arbiter: str | None
    """A player without a seat that rules on disputes; it has accepted, except by protocol 1."""
    protocol: int
    """The version of the match's own rules, see ``domain.protocol``."""
    rated: bool
    """True if its result is to count for ratings. Fixed at opening; can only be lost."""
    lost_rating: Literal["looked", "early"] | None = field(default=None, kw_only=True)
    """The reason for which it lost its rating; ``None`` if it did not."""
    opened_at: int
    clock: commands.Clock | None = None
    start: commands.Start = "full"
    check: ReadyCheck | None = None
    """The ready check that is open; ``None`` without one."""
    failed_checks: int = 0
    """The number of ready checks that some seat let run out."""
    removed: frozenset[str] = frozenset()
    """The players that the host removed, or that were not ready in time, who cannot sit here again."""
    invite: Invite = Invite()
    """Means something in a private match only."""
    first: int = 0
    """The version at which play started; 0 before."""
    past: tuple[tuple[int, Table], ...] = ()
    """For each change of the rules: the version of its commit, and the table until then."""

    @property
    def has_rules(self) -> bool:
        """True if the code of this version of the rules is here; only then may anything be decided by them."""
        return self.game.version == self.rules

    @property
    def changed(self) -> int:
        """The version of the newest change of the rules; 0 without one. States of before it belong to other rules."""
        return self.past[-1][0] if self.past else 0

    def changed_by(self, change: events.RulesChanged, version: int) -> Table:
        """The table after a change of the rules by this version. Raises ``NewerRulesError``."""
        game, past = self.game.reader(change.rules), (*self.past, (version, self))
        return replace(self, game=game, rules=change.rules, options=change.options, past=past)

    def at(self, version: int) -> Table:
        """The table whose game, rules and options the state after this version has."""
        return next((table for until, table in self.past if version < until), self)

    @property
    def expires_at(self) -> int:
        """The time at which the match expires if it has not started by then."""
        return self.opened_at + OPEN_MS

    @property
    def ready_ms(self) -> int:
        """The milliseconds for which a ready check is open: a minute where the clock is fast, otherwise a day."""
        span = None if self.clock is None else self.clock.turn or self.clock.bank
        return READY_FAST_MS if span is not None and span <= FAST else READY_MS

    @property
    def entropy(self) -> tuple[str, ...]:
        return tuple(seated.entropy if seated else "" for seated in self.seats)

    def seat_of(self, player: str | None) -> int | None:
        """The seat of a player, ``None`` without one. A player has one seat of a match at most."""
        for seat, seated in enumerate(self.seats):
            if seated is not None and seated.player == player:
                return seat
        return None

    @property
    def named_arbiter(self) -> str | None:
        """The arbiter, or the player that is asked to be it: the one that a player who joins agrees to."""
        return self.arbiter or self.asked_arbiter

    @property
    def players(self) -> set[str]:
        """The ids of all seated players."""
        return {seated.player for seated in self.seats if seated is not None}

    @property
    def people(self) -> set[str]:
        """The ids of all seated players, and of the arbiter, also if it is only asked."""
        return self.players if self.named_arbiter is None else self.players | {self.named_arbiter}

    def free(self) -> list[int]:
        return [seat for seat, seated in enumerate(self.seats) if seated is None]


def opened_table(game: AnyGame, opened: events.Opened, at: int) -> Table:
    """The table of a match that was opened at this time (milliseconds since 1970-01-01 UTC), without anybody on a seat."""
    return Table(
        game=game,
        rules=opened.rules,
        options=opened.options,
        seats=(None,) * opened.seats,
        host=opened.host,
        undo=opened.undo,
        private=opened.private,
        seed_commitment=opened.seed_commitment,
        position=opened.position,
        from_position=opened.position is not None,
        origin=opened.origin,
        asked_arbiter=None if opened.protocol == 1 else opened.arbiter,
        arbiter=opened.arbiter if opened.protocol == 1 else None,
        protocol=opened.protocol,
        rated=_rated_by_protocol_1(opened) if opened.rated is None else opened.rated,
        opened_at=at,
        clock=opened.clock,
        start=opened.start,
    )


def _rated_by_protocol_1(opened: events.Opened) -> bool:
    return opened.position is None and opened.undo != "host" and not opened.private


def _joined(table: Table, event: events.Joined) -> Table:
    return _seated(table, event.seat, Seated(event.player, event.entropy))


def _left(table: Table, event: events.Left) -> Table:
    return replace(_seated(table, event.seat, None), check=None)


def _removed(table: Table, event: events.Removed) -> Table:
    return replace(_seated(table, event.seat, None), removed=table.removed | {event.player})


def _ready_asked(table: Table, event: events.ReadyAsked) -> Table:
    return replace(table, check=ReadyCheck(event.due))


def _seat_ready(table: Table, event: events.SeatReady) -> Table:
    check = table.check
    return replace(table, check=None if check is None else replace(check, ready=check.ready | {event.seat}))


def _ready_failed(table: Table, event: events.ReadyFailed) -> Table:
    for seat in event.seats:
        seated = table.seats[seat]
        lost = frozenset() if seated is None else frozenset({seated.player})
        table = replace(_seated(table, seat, None), removed=table.removed | lost)
    return replace(table, check=None, failed_checks=table.failed_checks + 1)


def _seated(table: Table, seat: int, seated: Seated | None) -> Table:
    return replace(table, seats=table.seats[:seat] + (seated,) + table.seats[seat + 1 :])


def _arbitrated(table: Table, event: events.ArbiterAccepted) -> Table:
    return replace(table, asked_arbiter=None, arbiter=event.player)


def _without_arbiter(table: Table, _event: Any) -> Table:
    return replace(table, asked_arbiter=None, arbiter=None)


def _unrated(table: Table, event: events.Unrated) -> Table:
    return replace(table, rated=False, lost_rating=event.reason)


CHANGES: dict[type, Callable[[Table, Any], Table]] = {
    events.Joined: _joined,
    events.Left: _left,
    events.Removed: _removed,
    events.ReadyAsked: _ready_asked,
    events.SeatReady: _seat_ready,
    events.ReadyFailed: _ready_failed,
    events.ArbiterAccepted: _arbitrated,
    events.ArbiterDeclined: _without_arbiter,
    events.ArbiterResigned: _without_arbiter,
    events.Unrated: _unrated,
}
"""Class of an event that changes the table and nothing else → the table after it."""
