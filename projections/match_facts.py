"""A match so far: its newest state, and the facts of its course that this state does not hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from domain import events
from domain.commit import Commit
from domain.evolve import advance, begin
from domain.game import AnyGame
from domain.match import Match


@dataclass(frozen=True, slots=True)
class Asked:
    """Counts of a seat's use of undo and redo."""

    asked: int = 0
    """Requests that it made."""
    granted: int = 0
    """Requests that the others granted."""
    declined: int = 0
    """Requests that another seat declined."""
    free: int = 0
    """Undos that it made without asking."""


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """The facts of a match so far: the match itself, and what its newest state does not hold."""

    match: Match
    started_at: int | None = None
    """Milliseconds since 1970-01-01 UTC, as all times here; ``None`` before the start."""
    ended_at: int | None = None
    """The time at which it finished or became void. Later commits, which only note something, do not change it."""
    undo: tuple[Asked, ...] = field(default=())
    """One for each seat."""
    left: Mapping[str, int] = field(default_factory=dict)
    """Player → the time at which it last released a seat, was removed from it, or resigned as the arbiter."""

    def after(self, commit: Commit) -> MatchFacts:
        """The facts after one more commit. Costs little more than ``advance``: an ordinary move changes none of them."""
        match = advance(self.match, commit)
        if match.request is self.match.request and match.status == self.match.status and not _notable(commit):
            return MatchFacts(match, self.started_at, self.ended_at, self.undo, self.left)
        return MatchFacts(
            match,
            started_at=commit.at if self.started_at is None and match.node is not None else self.started_at,
            ended_at=(self.ended_at or commit.at) if match.ended else None,
            undo=_counted(self, commit),
            left=_left(self, commit),
        )


def begun(match_id: str, game: AnyGame, first: Commit) -> MatchFacts:
    """The facts after the first commit."""
    match = begin(match_id, game, first)
    return MatchFacts(match, undo=(Asked(),) * len(match.table.seats))


def told(match_id: str, game: AnyGame, commits: Iterable[Commit]) -> MatchFacts | None:
    """Folds commits, from version 1 on, into the facts of a match; ``None`` without any."""
    story: MatchFacts | None = None
    for commit in commits:
        story = begun(match_id, game, commit) if story is None else story.after(commit)
    return story


def insiders(match: Match) -> list[str]:
    """The players that have a private match in their lists, sorted: those seated, the host, the arbiter.

    A player that is only asked to be the arbiter is not one of them, so that nobody can fill its lists. It may see the match.
    """
    return sorted(match.table.players | {match.table.host} | ({match.table.arbiter} if match.table.arbiter else set()))


def _notable(commit: Commit) -> bool:
    return type(commit.events[-1]) in (events.Rewound, events.Left, events.Removed, events.ArbiterResigned)


def _left(story: MatchFacts, commit: Commit) -> Mapping[str, int]:
    match commit.events:
        case (events.Left() | events.Removed() as event, *_) if (
            seated := story.match.table.seats[event.seat]
        ) is not None:
            return {**story.left, seated.player: commit.at}
        case (events.ArbiterResigned(player), *_):
            return {**story.left, player: commit.at}
    return story.left


def _counted(story: MatchFacts, commit: Commit) -> tuple[Asked, ...]:
    """The counts after a commit. ``story`` is as of before the commit, when an answered request was still open."""
    match, undo = story.match, story.undo
    match commit.events:
        case (events.UndoAsked() as event, *_):
            return _with(undo, event.seat, replace(undo[event.seat], asked=undo[event.seat].asked + 1))
        case (events.UndoAnswered(accepted=False), *_) if match.request is not None:
            seat = match.request.seat
            return _with(undo, seat, replace(undo[seat], declined=undo[seat].declined + 1))
        case (events.UndoAnswered(), events.Rewound() | events.Restored()) if match.request is not None:
            seat = match.request.seat
            return _with(undo, seat, replace(undo[seat], granted=undo[seat].granted + 1))
        case (events.Rewound(),) if (own := match.table.seat_of(commit.player)) is not None:
            return _with(undo, own, replace(undo[own], free=undo[own].free + 1))
    return undo


def _with(undo: tuple[Asked, ...], seat: int, asked: Asked) -> tuple[Asked, ...]:
    return undo[:seat] + (asked,) + undo[seat + 1 :]
