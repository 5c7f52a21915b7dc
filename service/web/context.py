"""The context of a request: the parts of the app that handles it, who sends it, and what its headers say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from flask import current_app, request

from domain.drafts import own_seat
from domain.game import AnyGame
from domain.hidden import Sees
from domain.match import Match, Refused
from domain.store import Entry, Store
from replay.steps import Step, steps_of
from service.matches.handler import CommandRequest
from service.problems import ProblemError, refusal

if TYPE_CHECKING:
    from service.integrity.audit import AuditCache
    from service.integrity.receipts import Signer
    from service.matches.handler import CommandHandler
    from service.matches.repository import MatchRepository
    from service.players.deletion import Deletions
    from service.players.names import Names
    from service.players.tokens import Caller, Tokens
    from service.ports import FineClock, Players, Records
    from service.ports.readmodels import ReadModels
    from service.readmodels.queries import Queries
    from service.web.live.lobby import LobbyStream
    from service.web.live.match import Streams

MAX_KEY = 64


@dataclass(frozen=True, slots=True)
class Service:
    """The parts that routes work with."""

    games: Mapping[str, AnyGame]
    matches: MatchRepository
    handler: CommandHandler
    clock: FineClock
    players: Players
    records: Records
    names: Names
    tokens: Tokens
    signer: Signer
    ready: Callable[[], bool]
    streams: Streams
    lists: Queries | None
    """``None`` where no read models are kept: over a log in memory."""
    lobby: LobbyStream | None
    store: Store
    views: ReadModels | None
    deletions: Deletions
    verdicts: AuditCache
    metrics: Path | None = None

    def game(self, game_id: str) -> AnyGame:
        if game_id not in self.games:
            raise ProblemError("game_not_found", f"The games are {', '.join(self.games)}.")
        return self.games[game_id]


def service() -> Service:
    """The parts of the app that handles the present request."""
    return cast(Service, current_app.extensions["foldtable"])


def caller() -> Caller:
    """Returns the caller. Raises ``ProblemError`` (401) if the request names none."""
    known = maybe_caller()
    if known is None:
        raise ProblemError("unauthenticated", "Send Authorization: Bearer <token>; POST /api/v1/players gives you one.")
    return known


def maybe_caller() -> Caller | None:
    """Returns the caller, ``None`` without a token. Raises ``ProblemError`` (401) for a wrong token."""
    return service().tokens.caller(request.environ.get("HTTP_AUTHORIZATION"))


def viewer() -> str | None:
    """The player id of who looks, ``None`` for a stranger."""
    known = maybe_caller()
    return None if known is None else known.player


def invite() -> str | None:
    return _header("FOLDTABLE_INVITE")


def command_request() -> CommandRequest:
    """Returns the caller and what the headers say about a command."""
    return CommandRequest(caller(), _key(), _versions(), invite())


def _header(name: str) -> str | None:
    """A header by its name in the WSGI environment, which is a good deal faster than asking the request for it."""
    value: str | None = request.environ.get(f"HTTP_{name}")
    return value


def _key() -> str | None:
    key = _header("IDEMPOTENCY_KEY")
    if key is not None and not (0 < len(key) <= MAX_KEY and key.isascii() and key.isprintable()):
        raise ProblemError("unreadable", f"An Idempotency-Key has 1 to {MAX_KEY} printable ASCII characters.")
    return key


def _versions() -> frozenset[int] | None:
    """The versions that ``If-Match`` names: ``"42"``, ``"42-…"`` or ``W/"42-…"``, several with commas; ``*`` is any."""
    header = _header("IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    return frozenset(_version(tag.strip()) for tag in header.split(","))


def _version(tag: str) -> int:
    inner = tag.removeprefix("W/")
    number = inner[1:-1].partition("-")[0]
    if len(inner) < 3 or inner[0] != '"' or inner[-1] != '"' or not (number.isascii() and number.isdigit()):
        raise ProblemError("unreadable", 'If-Match names versions, as in "42" or an ETag that was answered before.')
    if len(number) > 15:
        raise ProblemError("unreadable", "If-Match names a version that no match can have.")
    return int(number)


# -- what a path or a match says --------------------------------------------------------------------------------------


def version_of(version: str, newest: int) -> int:
    """Returns the version that a path names, of those up to the newest. Raises ``ProblemError`` (404)."""
    if not (version.isascii() and version.isdigit() and len(version) < 16 and 1 <= int(version) <= newest):
        raise ProblemError("version_not_found", f"The match has versions 1 to {newest}.")
    return int(version)


def seat_of(match: Match, player: str) -> int:
    """Returns the player's seat. Raises ``ProblemError`` (403)."""
    seat = own_seat(match, player)
    if isinstance(seat, Refused):
        raise refusal(seat)
    return seat


def names_at(match: Match) -> dict[str, str]:
    """Returns the names of everybody at a match, by player id."""
    table = match.table
    arbiter = set() if table.arbiter is None else {table.arbiter}
    return service().names.of(table.players | arbiter)


def steps(match: Match, entries: Sequence[Entry], sees: Sees) -> list[Step]:
    """Returns stored entries, of versions that the match has, as steps that ``sees`` may see."""
    return steps_of(match, entries, sees, service().names.of)
