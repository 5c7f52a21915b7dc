"""The bodies of answers, made of matches and commits that are redacted before anything here looks at them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from domain import events, validation
from domain.game import AnyGame, Outcome
from domain.hidden import Seats, Sees, redact
from domain.match import Match, Refused, seen_event
from domain.undo import Consent, Free, UndoVerdict, last_own, undo_verdict
from replay.moment import Path
from replay.steps import Step
from service.integrity.receipts import Signer
from service.matches.handler import Executed

Body = dict[str, Any]


def moment(at: int) -> str:
    """Milliseconds since 1970 as RFC 3339 in UTC."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def outcome(of: Outcome | None) -> Body | None:
    return None if of is None else dict(validation.plain(of))


def state(game: AnyGame, full: Any, sees: Sees) -> Body | None:
    """A game's state as it may be seen; ``None`` before the start of play."""
    return None if full is None else dict(game.view(redact(full, sees)))


def seats(match: Match, names: Mapping[str, str]) -> list[Body]:
    return [
        {
            "seat": number,
            "player_id": None if seated is None else seated.player,
            "name": None if seated is None else names.get(seated.player),
        }
        for number, seated in enumerate(match.table.seats)
    ]


def summary(match: Match, names: Mapping[str, str]) -> Body:
    """A match as a row of a list: nothing of its game's state."""
    table = match.table
    return {
        "match_id": match.id,
        "game": match.game.id,
        "version": match.version,
        "status": match.status,
        "private": table.private,
        "host": table.host,
        "seats": seats(match, names),
        "to_move": sorted(match.to_move),
        "opened_at": moment(table.opened_at),
        "changed_at": moment(match.at),
    }


def live(match: Match, player: str | None, names: Mapping[str, str]) -> Body:
    """A match as this player may see it now."""
    more = {
        "options": validation.plain(match.table.options),
        "rated": match.rated,
        "arbiter": match.table.arbiter,
        "dispute": None if match.case is None else match.case.number,
        "undo_policy": match.table.undo,
        "your_seat": match.table.seat_of(player),
        "state": state(match.game, match.state, match.sees(player)),
        "outcome": outcome(match.outcome),
        "undo": usual_undo(match, player),
        "request": request_of(match),
        "origin": None if match.table.origin is None else validation.plain(match.table.origin),
    }
    return summary(match, names) | more


def undo_of(verdict: UndoVerdict, to: int | None) -> Body:
    """What a return to a version would be: free, a question to others, or refused."""
    match verdict:
        case Free(reason):
            return {"verdict": "free", "reason": reason, "to": to, "asks": []}
        case Consent(reason, asks):
            return {"verdict": "consent", "reason": reason, "to": to, "asks": list(asks)}
        case Refused():
            return {"verdict": "refused", "reason": verdict.message, "to": to, "asks": []}


def usual_undo(match: Match, player: str | None) -> Body | None:
    """What taking back one's newest move would mean; ``None`` for who has made none, or no seat."""
    seat = match.table.seat_of(player)
    if seat is None or player is None or match.status != "live":
        return None
    to = last_own(match, seat)
    return None if to is None else undo_of(undo_verdict(match, seat, player, to), to)


@dataclass(frozen=True, slots=True)
class Lost:
    """A move that a return would take out of force."""

    step: Step
    """As the reader may see it."""
    public: str
    """As everybody saw it."""
    learners: Seats
    """Who learned something by it."""


def undo_preview(match: Match, verdict: UndoVerdict, to: int, lost: Sequence[Lost], reader: int) -> Body:
    """What returning to a version in force would mean: what is lost, and who keeps what knowledge."""
    learned = [
        {
            "seat": seat,
            "version": move.step.version,
            "sentence": move.step.sentence if seat == reader else move.public,
        }
        for move in lost
        for seat in sorted(move.learners)
    ]
    undone = [{"version": move.step.version, "seat": move.step.seat, "sentence": move.step.sentence} for move in lost]
    return {"version": match.version, **undo_of(verdict, to), "undone": undone, "learned": learned}


def request_of(match: Match) -> Body | None:
    """The return that somebody asks for, if anybody does."""
    request = match.request
    if request is None:
        return None
    return {
        "version": request.version,
        "seat": request.seat,
        "direction": request.direction,
        "to": request.to,
        "asks": sorted(request.asks),
        "accepted": sorted(request.accepted),
        "reason": request.reason,
    }


def accepted(done: Executed, player: str, signer: Signer) -> Body:
    """What every accepted action answers."""
    match, sees = done.match, done.match.sees(player)
    return {
        "match_id": match.id,
        "version": match.version,
        "status": match.status,
        "events": [event(match.game, seen_event(happened, sees)) for happened in done.commit.events],
        "state": state(match.game, match.state, sees),
        "to_move": sorted(match.to_move),
        "outcome": outcome(match.outcome),
        "receipt": signer.receipt(match.id, match.version, match.head),
    }


def event(game: AnyGame, seen: Any) -> Body:
    """An event, already redacted, as JSON."""
    match seen:
        case events.Started(dealt):
            return {"type": "started", "state": game.view(dealt)}
        case events.Opened():
            made: Body = {"type": "opened"} | validation.plain(seen)
            return made | {"position": None if seen.position is None else game.view(seen.position)}
        case _ if type(seen) in events.NAMES:
            return {"type": events.NAMES[type(seen)], **validation.plain(seen)}
        case _:
            return game.plain_event(seen)


def moves(game: AnyGame, full: Any, seat: int) -> list[Body]:
    """What a seat may do now, from what it knows; ``[]`` if it is not to move."""
    return [game.plain_move(move) for move in game.legal(redact(full, frozenset({seat})), seat)]


def moves_by_seat(game: AnyGame, full: Any, to_move: Seats, shown: Iterable[int]) -> list[Body]:
    return [{"seat": seat, "moves": moves(game, full, seat)} for seat in sorted(to_move & set(shown))]


def logged(step: Step, game: AnyGame) -> Body:
    """A commit as a row of the log."""
    return told(step) | {"events": [event(game, happened) for happened in step.commit.events]}


def told(step: Step) -> Body:
    return {
        "version": step.version,
        "at": moment(step.at),
        "kind": step.kind,
        "seat": step.seat,
        "player_id": step.player,
        "sentence": step.sentence,
    }


def replayed(step: Step, path: Path) -> Body:
    """A commit as a row of the replay."""
    turn, branch = path.place(step.version)
    return told(step) | {"turn": turn, "in_force": path.in_force(step.version), "branch": branch}


def catalogue_row(game: AnyGame) -> Body:
    return {
        "game": game.id,
        "name": game.name,
        "version": game.version,
        "seats": {"least": game.seats[0], "most": game.seats[-1]},
        "options": validation.schema(game.options),
    }


def catalogue_page(game: AnyGame) -> Body:
    """Everything that is to be known about a game before playing it."""
    return catalogue_row(game) | {
        "moves": {name: validation.tagged_schema(name, cls) for name, cls in game.moves.items()},
        "rules": [validation.plain(rule) for rule in game.rules],
        "positions": dict(game.examples),
    }


def page(rows: Sequence[Any], limit: int) -> tuple[Sequence[Any], bool]:
    """The rows of a page and whether there are more, out of up to ``limit`` + 1 rows."""
    return rows[:limit], len(rows) > limit
