"""Players and their tokens. A token is ``<player id>.<secret>``; only its hash is stored."""

from __future__ import annotations

import base64
import hashlib
import hmac
import unicodedata
from dataclasses import dataclass

from service.cache import Cache, Lifetime
from service.matches import ids
from service.ports import Clock, Entropy, Player, Players
from service.problems import ProblemError

SECRET_BYTES = 32
CACHED_MS = 60_000
"""The time for which a token is accepted from the cache, also by a process that missed its deletion."""
CACHED_TOKENS = 10_000
NAME_LENGTH = 40
JOINER = "\u200d"
BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols without ink: Hangul fillers, the empty Braille cell."""
UNNAMEABLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request: the player, and the id of the token used."""

    player: str
    token: str


class Tokens:
    """Creates accounts, and authenticates tokens. Thread-safe."""

    def __init__(self, players: Players, clock: Clock, entropy: Entropy) -> None:
        self._players = players
        self._clock = clock
        self._entropy = entropy
        self._known: Cache[bytes, Caller] = Cache(CACHED_TOKENS, lifetime=Lifetime(clock, CACHED_MS))

    def issue(self, name: str) -> tuple[Player, str]:
        """Creates an account; returns it and its token, which cannot be shown again. ``name`` comes from ``read_name``."""
        player_id = ids.player_id(self._entropy.bytes(10))
        secret = base64.urlsafe_b64encode(self._entropy.bytes(SECRET_BYTES)).decode().rstrip("=")
        token = f"{player_id}.{secret}"
        digest = _digest(token)
        player = self._players.create(player_id, name, digest.hex()[:8], digest, self._clock.now())
        return player, token

    def caller(self, authorization: str | None) -> Caller | None:
        """Authenticates an ``Authorization`` header; returns ``None`` without one. Raises ``ProblemError`` (401).

        One round trip, or none if the token is cached.
        """
        if authorization is None:
            return None
        scheme, _space, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise ProblemError("unauthenticated", "Send Authorization: Bearer <token>.")
        digest = _digest(token.strip())
        known = self._known.get(digest)
        if known is not None:
            return known
        # A token looked up before its account was deleted may arrive afterwards, and must not be cached for a minute then.
        removals = self._known.removals
        caller = self._look_up(token.strip(), digest)
        self._known.put(digest, caller, since=removals)
        return caller

    def forget(self, player: str) -> bool:
        """Deletes a player's name and token, for every process. Returns whether there was such an account."""
        self.invalidate(player)
        return self._players.forget(player)

    def invalidate(self, player: str | None) -> None:
        """Drops the cached tokens of this player; ``None``: of every player."""
        self._known.remove_where(lambda caller: player in (None, caller.player))

    def _look_up(self, token: str, digest: bytes) -> Caller:
        player_id, dot, _secret = token.partition(".")
        player = self._players.get(player_id) if dot and player_id.isalnum() and player_id.isascii() else None
        # In constant time, so that the time of a refusal shows nothing of the stored hash.
        if player is None or not hmac.compare_digest(player.token_hash, digest):
            raise ProblemError("unauthenticated", "The token is not valid.")
        return Caller(player.id, player.token_id)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def read_name(text: str) -> str:
    """Reads a player's name: NFC, trimmed, 1 to 40 characters, none of them a control or format character except the joiner
    inside emoji, none of them blank except spaces, and at least one that can stand by itself.

    Raises ``ProblemError`` (422).
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= NAME_LENGTH or all(character == JOINER or _leans(character) for character in name):
        raise ProblemError("invalid", f"A name has 1 to {NAME_LENGTH} characters.", field="name")
    if any(unicodedata.category(character) in UNNAMEABLE for character in name.replace(JOINER, "")):
        raise ProblemError("invalid", "A name may not contain control characters.", field="name")
    if any(character in BLANK for character in name):
        raise ProblemError("invalid", "A name may not contain invisible characters other than spaces.", field="name")
    return name


def _leans(character: str) -> bool:
    """Returns whether the character only modifies another one: an accent, a variation selector."""
    return unicodedata.category(character).startswith("M")
