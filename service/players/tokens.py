"""Authentication: who sends a request, by the token that it carries. Accepted tokens are cached."""

from __future__ import annotations

import hmac
import logging
from dataclasses import dataclass

from service import telemetry
from service.cache import Cache, Lifetime
from service.players.credentials import Seal, digest_of, owner_of, token_id
from service.ports import Clock
from service.ports.players import Credential, Players
from service.problems import ProblemError

CACHED_MS = 60_000
"""The time for which a token is accepted from the cache, also by a process that missed its revocation."""
CACHED_TOKENS = 10_000
ALARM_MS = 60_000
"""The least time between two log lines about one record."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request: the player, and the id of the token used."""

    player: str
    token: str


class Tokens:
    """Authenticates tokens. Thread-safe."""

    def __init__(self, players: Players, clock: Clock, seal: Seal) -> None:
        self._players = players
        self._seal = seal
        self._known: Cache[bytes, Caller] = Cache(CACHED_TOKENS, lifetime=Lifetime(clock, CACHED_MS))
        self._reported: Cache[tuple[str, str], bool] = Cache(CACHED_TOKENS, lifetime=Lifetime(clock, ALARM_MS))

    def caller(self, authorization: str | None) -> Caller | None:
        """Authenticates an ``Authorization`` header; returns ``None`` without one. Raises ``ProblemError`` (401).

        One round trip, or none if the token is cached.
        """
        if authorization is None:
            return None
        scheme, _space, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise ProblemError("unauthenticated", "Send Authorization: Bearer <token>.")
        digest = digest_of(token.strip())
        known = self._known.get(digest)
        if known is not None:
            return known
        # A token looked up before it was revoked may arrive afterwards, and must not be cached for a minute then.
        removals = self._known.removals
        caller = self._look_up(token.strip(), digest)
        self._known.put(digest, caller, since=removals)
        return caller

    def holds(self, caller: Caller) -> bool:
        """Returns whether the token of a caller is still valid. One round trip."""
        record = self._players.token(caller.player, caller.token)
        return record is not None and self.is_sound(caller.player, record)

    def is_sound(self, player: str, record: Credential) -> bool:
        """Returns whether a stored record is as this service made it; raises an alarm if it is not."""
        if self._seal.holds(player, record):
            return True
        telemetry.ACCOUNT_FAULTS.add()
        if self._reported.get((player, record.id)) is None:
            self._reported.put((player, record.id), value=True)
            _log.error(
                "account %s: the record %s was changed in the database by something else than this service; "
                "it authenticates nobody",
                player,
                record.id,
            )
        return False

    def invalidate(self, player: str | None) -> None:
        """Drops the cached tokens of this player; ``None``: of every player."""
        self._known.remove_where(lambda caller: player in (None, caller.player))

    def _look_up(self, token: str, digest: bytes) -> Caller:
        player = owner_of(token)
        record = None if player is None else self._players.token(player, token_id(digest))
        # In constant time, so that the time of a refusal shows nothing of the stored hash.
        if (
            player is None
            or record is None
            or not self.is_sound(player, record)
            or not hmac.compare_digest(record.hash, digest)
        ):
            raise ProblemError("unauthenticated", "The token is not valid.")
        return Caller(player, record.id)
