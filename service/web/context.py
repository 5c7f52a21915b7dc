"""The context of a request: the parts of the app, the caller, and the headers of a command."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from flask import current_app, request

from domain.drafts import own_seat
from domain.game import AnyGame
from domain.hidden import Sees
from domain.match import RETIRED, Match, Refused
from domain.store import Entry, Store
from replay.record import paced
from replay.steps import Step, steps_of
from service.matches.handler import CommandRequest
from service.problems import ProblemError, refusal
from service.web.background import pause

if TYPE_CHECKING:
    from service.cache import Cache
    from service.integrity.audit import AuditCache, Checked
    from service.integrity.imports import Imports
    from service.integrity.receipts import Signer
    from service.matches.handler import CommandHandler
    from service.matches.repository import MatchRepository
    from service.players.accounts import Accounts
    from service.players.credentials import Seal
    from service.players.deletion import Deletions
    from service.players.names import Names
    from service.players.tokens import Caller, Tokens
    from service.ports import Entropy, FineClock
    from service.ports.players import Players
    from service.ports.readmodels import ReadModels
    from service.readmodels.queries import Queries
    from service.web.background import Turns
    from service.web.limits.limits import Limits
    from service.web.live.lobby import LobbyStream
    from service.web.live.match import Streams

_CALLER = "foldtable.caller"
MAX_KEY = 64
"""The most characters of an Idempotency-Key."""


@dataclass(frozen=True, slots=True)
class Service:
    """The parts that routes work with."""

    games: Mapping[str, AnyGame]
    matches: MatchRepository
    handler: CommandHandler
    clock: FineClock
    entropy: Entropy
    players: Players
    imports: Imports
    documents: Cache[str, bytes]
    """Records of matches as they were sent, by the tag of everything that they were made of."""
    turns: Turns
    names: Names
    tokens: Tokens
    accounts: Accounts
    seal: Seal
    signer: Signer
    ready: Callable[[], bool]
    streams: Streams
    queries: Queries | None
    """Queries on the read models; ``None`` over a log in memory, which has none."""
    lobby: LobbyStream | None
    store: Store
    views: ReadModels | None
    deletions: Deletions
    audits: AuditCache
    checked: Cache[bytes, Checked]
    """Results of verifying logs up to one version, by the digest of the bytes."""
    max_matches: int
    """The most open and running matches at which an account has a seat."""
    metrics: Path | None = None
    limits: Limits | None = None
    """The limits of callers; ``None`` if there are none."""
    operator_token: str | None = None
    """The token for what only operators may read; without one nobody may."""
    grid: float = 0.0
    """The seconds of the grid on which it is answered that there is no such match; see ``evenly``."""

    def game(self, game_id: str) -> AnyGame:
        """Returns a game of the catalogue. Raises ``ProblemError`` (404)."""
        if game_id not in self.games:
            raise ProblemError("game_not_found", f"The games are {', '.join(self.games)}.")
        return self.games[game_id]


def service() -> Service:
    """Returns the parts of the app that handles the current request."""
    return cast(Service, current_app.extensions["foldtable"])


def caller() -> Caller:
    """Returns the caller. Raises ``ProblemError`` (401) if the request names none."""
    known = maybe_caller()
    if known is None:
        raise ProblemError(
            "unauthenticated", "Send Authorization: Bearer <token>. POST /api/v1/players returns a token."
        )
    return known


def maybe_caller() -> Caller | None:
    """Returns the caller, ``None`` without a token. Raises ``ProblemError`` (401) for a wrong token."""
    environ = request.environ
    # Kept, because limits ask before the view does.
    if _CALLER not in environ:
        environ[_CALLER] = service().tokens.caller(environ.get("HTTP_AUTHORIZATION"))
    return cast("Caller | None", environ[_CALLER])


def is_operator() -> bool:
    """Returns whether the request carries the operator's token."""
    expected = service().operator_token
    scheme, _space, given = request.environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    if expected is None or scheme.lower() != "bearer":
        return False
    return hmac.compare_digest(given.strip().encode("utf-8", "replace"), expected.encode())


def check_operator() -> None:
    """Raises ``ProblemError`` (401) unless the request carries the operator's token."""
    if not is_operator():
        raise ProblemError("unauthenticated", "This is for operators: send the operator's token of the service.")


def viewer() -> str | None:
    """Returns the viewer's player id, ``None`` without a token. Raises ``ProblemError`` (401) for a wrong token."""
    known = maybe_caller()
    return None if known is None else known.player


def invite() -> str | None:
    """Returns the invite that the request carries."""
    return _header("FOLDTABLE_INVITE")


def command_request() -> CommandRequest:
    """Returns the caller and the headers of a command. Raises ``ProblemError`` (400, 401)."""
    return CommandRequest(caller(), _key(), _versions(), invite())


def _header(name: str) -> str | None:
    """Returns a header by its name in the WSGI environment, such as ``IF_MATCH``."""
    # Faster than ``request.headers``, which converts the name to this one at each look-up; a command needs five.
    value: str | None = request.environ.get(f"HTTP_{name}")
    return value


def _key() -> str | None:
    key = _header("IDEMPOTENCY_KEY")
    if key is not None and not (0 < len(key) <= MAX_KEY and key.isascii() and key.isprintable()):
        raise ProblemError("unreadable", f"An Idempotency-Key has 1 to {MAX_KEY} printable ASCII characters.")
    return key


def _versions() -> frozenset[int] | None:
    """Returns the versions of ``If-Match``: ``"42"``, ``"42-…"`` or ``W/"42-…"``, separated by commas; ``None`` for ``*``."""
    header = _header("IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    return frozenset(_version(tag.strip()) for tag in header.split(","))


def _version(tag: str) -> int:
    inner = tag.removeprefix("W/")
    number = inner[1:-1].partition("-")[0]
    if len(inner) < 3 or inner[0] != '"' or inner[-1] != '"' or not (number.isascii() and number.isdigit()):
        raise ProblemError("unreadable", 'If-Match must name versions: "42", or an ETag of an earlier response.')
    if len(number) > 15:
        raise ProblemError("unreadable", "If-Match names a version that is too large for any match.")
    return int(number)


# -- paths and matches ------------------------------------------------------------------------------------------------


def version_of(version: str, newest: int) -> int:
    """Returns the version that a path names, from 1 to the newest. Raises ``ProblemError`` (404)."""
    if not (version.isascii() and version.isdigit() and len(version) < 16 and 1 <= int(version) <= newest):
        raise ProblemError("version_not_found", f"The match has versions 1 to {newest}.")
    return int(version)


def seat_of(match: Match, player: str) -> int:
    """Returns the player's seat, whose side it sees. Raises ``ProblemError``: 403, and 409 if it has retired."""
    seat = own_seat(match, player)
    if isinstance(seat, Refused):
        raise refusal(seat)
    if match.side_of(player) is None:
        raise refusal(RETIRED)
    return seat


def names_at(match: Match) -> dict[str, str]:
    """Returns the names of the players and the arbiter of a match, by player id. Deleted accounts are left out."""
    return service().names.of(match.table.people)


def steps(match: Match, entries: Sequence[Entry], sees: Sees) -> list[Step]:
    """Returns stored entries of a match as steps, redacted for a viewer that knows ``sees``."""
    return steps_of(match, paced(entries, pause), sees, service().names.of)
