"""A match's commits as steps that a person can follow, each with its actor and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domain import events, wire
from domain.commit import Commit
from domain.game import AnyGame
from domain.hidden import Sees
from domain.match import Match
from domain.retirement import stand_in
from domain.store import Entry
from domain.table import Table

KINDS: dict[type, str] = {
    events.Joined: "join",
    events.ArbiterAccepted: "arbiter",
    events.ArbiterDeclined: "arbiter",
    events.ArbiterResigned: "arbiter",
    events.Left: "leave",
    events.Removed: "remove",
    events.InviteRenewed: "invite",
    events.Expired: "expire",
    events.Cancelled: "leave",
    events.Started: "start",
    events.Resigned: "resign",
    events.Aborted: "resign",
    events.Retired: "retire",
    events.Annulled: "retire",
    events.RequestExpired: "request_expired",
    events.ClocksExtended: "clocks_extended",
    events.TooLong: "too_long",
    events.Rewound: "undo",
    events.Restored: "redo",
    events.UndoAsked: "undo_asked",
    events.UndoAnswered: "undo_answered",
    events.UndoWithdrawn: "undo_withdrawn",
    events.RulesProposed: "rules_proposed",
    events.RulesAnswered: "rules_answered",
    events.RulesChanged: "rules_changed",
    events.Forked: "fork",
    events.Disputed: "dispute",
    events.HiddenLookedAt: "look",
    events.Unrated: "retire",
    events.RulingBacked: "ruling",
    events.Ruled: "ruling",
    events.DisputeLapsed: "lapse",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One commit from one viewpoint."""

    version: int
    at: int
    """Milliseconds since 1970-01-01 UTC."""
    kind: str
    """A value of ``KINDS``, or ``move``; see ``kind_of``."""
    seat: int | None
    """The seat that acted; ``None`` for a player without one."""
    player: str
    """The id of the player that acted."""
    sentence: str
    commit: Commit


class Narrator:
    """Narrates commits in English. ``names`` maps player ids to names; a player that is not in it is called by its seat.

    Names and reasons are set in quotes, so that no player can word a sentence that seems to be the service's own.

    ``table``: the match's newest, which knows the rules of each version.
    """

    def __init__(self, table: Table, names: Mapping[str, str]) -> None:
        self._table = table
        self._names = {player: quoted(name) for player, name in names.items()}

    def step(self, commit: Commit, seats: Sequence[str | None]) -> Step:
        """Makes the step of a commit, which the caller has redacted. ``seats``: the player id of each seat."""
        # A removed player has no seat any more when its removal is narrated.
        removed = {event.seat: event.player for event in commit.events if isinstance(event, events.Removed)}
        names = [self.name(seat, removed.get(seat, player)) for seat, player in enumerate(seats)]
        seat = _seat_of(commit, seats)
        game = self._table.at(commit.version).game
        told = [self._told(event, names, commit.player, game) for event in commit.events]
        return Step(commit.version, commit.at, kind_of(commit), seat, commit.player, " ".join(told), commit)

    def name(self, seat: int, player: str | None) -> str:
        """The name of a player in quotes, or the seat's number in words if it has none."""
        return self._names.get(player or "", f"Seat {seat}")

    def _told(self, event: Any, names: Sequence[str], player: str, game: AnyGame) -> str:
        tell = _SENTENCES.get(type(event))
        if tell is None:
            return game.sentence(event, names)
        return tell(event, names, self._names.get(player, "A player"), game)


def quoted(text: str) -> str:
    """A player's own words in quotes. Quotation marks inside become apostrophes, so that none of them ends the quote."""
    return f"“{text.translate(_QUOTES)}”"


_QUOTES = dict.fromkeys(map(ord, '“”„‟«»"'), "’")


def _seat_of(commit: Commit, seats: Sequence[str | None]) -> int | None:
    """The seat that acted, or for which the server or a stand-in acted. For joining and leaving the event names it, as another
    player may sit there later.
    """
    for event in commit.events:
        if isinstance(event, events.Joined | events.Left | events.Retired | events.AnswerMissed):
            return event.seat
    acting = (seat for seat, player in enumerate(seats) if commit.player in (player, stand_in(seat)))
    return next(acting, None)


def kind_of(commit: Commit) -> str:
    """The kind of a commit, by its last event: ``move`` for the game's own, ``start`` for the join that starts the match."""
    return "answer_missed" if _is_missed(commit) else KINDS.get(type(commit.events[-1]), "move")


def _is_missed(commit: Commit) -> bool:
    return any(isinstance(event, events.AnswerMissed) for event in commit.events[:2])


_Teller = Callable[[Any, Sequence[str], str, AnyGame], str]

_SENTENCES: dict[type, _Teller] = {
    events.Opened: lambda event, names, player, game: _opened(player, game.name, event.position is not None),
    events.Joined: lambda event, names, player, game: f"{player} takes seat {event.seat}.",
    events.ArbiterAccepted: lambda event, names, player, game: f"{player} agrees to be the arbiter.",
    events.ArbiterDeclined: lambda event, names, player, game: f"{player} declines to be the arbiter.",
    events.ArbiterResigned: lambda event, names, player, game: f"{player} is the arbiter no longer.",
    events.Left: lambda event, names, player, game: f"{player} leaves seat {event.seat}.",
    events.Removed: lambda event, names, player, game: f"{player} removes {names[event.seat]} from seat {event.seat}.",
    events.InviteRenewed: lambda event, names, player, game: f"{player} renews the invite.",
    events.Expired: lambda event, names, player, game: "The match has waited for players for too long and is void.",
    events.Cancelled: lambda event, names, player, game: f"{player} leaves; the match is cancelled.",
    events.Started: lambda event, names, player, game: f"The match starts. {_first(event.state, names, game)}",
    events.Resigned: lambda event, names, player, game: f"{player} resigns.",
    events.Aborted: lambda event, names, player, game: (
        f"{player} resigns before its first move; the match is void and counts for nothing."
    ),
    events.Annulled: lambda event, names, player, game: "It had not moved: the match is void and counts for nothing.",
    events.Retired: lambda event, names, player, game: _leaves(event, names),
    events.AnswerMissed: lambda event, names, player, game: (
        f"{names[event.seat]} does not answer in time; the server answers."
    ),
    events.RequestExpired: lambda event, names, player, game: "Nobody has answered the request in time.",
    events.ClocksExtended: lambda event, names, player, game: (
        f"The server was away; the clocks get {event.ms / 1000:g} seconds more."
    ),
    events.TooLong: lambda event, names, player, game: "The match has become too long and is void.",
    events.Rewound: lambda event, names, player, game: f"The match goes back to version {event.to}.",
    events.Restored: lambda event, names, player, game: f"The match returns to version {event.to}.",
    events.UndoAsked: lambda event, names, player, game: _asked(event, names),
    events.UndoAnswered: lambda event, names, player, game: _answered(event, names),
    events.UndoWithdrawn: lambda event, names, player, game: f"{names[event.seat]} withdraws the request.",
    events.RulesProposed: lambda event, names, player, game: (
        f"{names[event.seat]} asks to go on by version {event.rules} of the rules."
    ),
    events.RulesAnswered: lambda event, names, player, game: (
        f"{names[event.seat]} {'agrees' if event.accepted else 'declines'}."
    ),
    events.RulesChanged: lambda event, names, player, game: f"The match goes on by version {event.rules} of the rules.",
    events.Forked: lambda event, names, player, game: f"{player} starts another match from version {event.version}.",
    events.Disputed: lambda event, names, player, game: (
        f"{names[event.seat]} disputes version {event.version}: {quoted(event.reason)}"
    ),
    events.HiddenLookedAt: lambda event, names, player, game: (
        f"{player}, the arbiter, looks at what is hidden of version {event.version}."
    ),
    events.Unrated: lambda event, names, player, game: "The match does not count for ratings any more.",
    events.RulingBacked: lambda event, names, player, game: (
        f"{names[event.seat]} is for the ruling, {event.ruling}: {quoted(event.reason)}"
    ),
    events.Ruled: lambda event, names, player, game: (
        f"The dispute about version {event.version} is settled, {event.ruling}: {quoted(event.reason)}"
    ),
    events.DisputeLapsed: lambda event, names, player, game: (
        f"Nobody has ruled on the dispute about version {event.version}; it stands."
    ),
}


def _opened(player: str, game: str, positioned: bool) -> str:
    if positioned:
        return f"{player} opens a match of {game} that starts from a position."
    return f"{player} opens a match of {game}{'' if game.endswith('!') else '.'}"


def _leaves(event: events.Retired, names: Sequence[str]) -> str:
    name = names[event.seat]
    if event.reason == "timeout":
        return f"{name} runs out of time."
    return f"{name} resigns." if event.reason == "resigned" else f"{name} has deleted its account."


def _asked(event: events.UndoAsked, names: Sequence[str]) -> str:
    what = "go back" if event.direction == "undo" else "return"
    why = f": {quoted(event.reason)}" if event.reason else "."
    return f"{names[event.seat]} asks to {what} to version {event.to}{why}"


def _answered(event: events.UndoAnswered, names: Sequence[str]) -> str:
    if event.accepted:
        return f"{names[event.seat]} agrees."
    return f"{names[event.seat]} declines{' and takes no more such requests' if event.blocks else ''}."


def _first(state: Any, names: Sequence[str], game: AnyGame) -> str:
    first = [names[seat] for seat in sorted(game.to_move(state))]
    return f"{' and '.join(first)} to move." if first else "It is over at once."


def steps_of(
    match: Match, entries: Iterable[Entry], sees: Sees, names: Callable[[Collection[str]], Mapping[str, str]]
) -> list[Step]:
    """Returns stored entries, those of versions that the match has, as steps that ``sees`` may see.

    ``names`` gives the names of player ids, and is called once.
    """
    seats = seated(match)
    commits = [
        wire.decode(match.game_at(entry.version), entry, sees) for entry in entries if entry.version <= match.version
    ]
    # Also of players who are not at the table: they left before the start, or forked the match.
    acting = {commit.player for commit in commits}
    narrator = Narrator(match.table, names(sorted(acting.union(filter(None, seats)))))
    return [narrator.step(commit, seats) for commit in commits]


def seated(match: Match) -> list[str | None]:
    """Returns the player ids by seat; ``None`` for a free seat."""
    return [None if seated is None else seated.player for seated in match.table.seats]
