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
"""How long a token is taken without asking the store again; so long a withdrawn one lives on where nobody heard of it."""
CACHED_TOKENS = 10_000
NAME_LENGTH = 40
JOINER = "\u200d"
BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols that look like nothing: fillers of Hangul, an empty cell of Braille."""
UNNAMEABLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request: the player, and the id of the token that was used."""

    player: str
    token: str


class Tokens:
    """Makes players, and tells who a token belongs to."""

    def __init__(self, players: Players, clock: Clock, entropy: Entropy) -> None:
        self._players = players
        self._clock = clock
        self._entropy = entropy
        self._known: Cache[bytes, Caller] = Cache(CACHED_TOKENS, lifetime=Lifetime(clock, CACHED_MS))

    def issue(self, name: str) -> tuple[Player, str]:
        """A new player and the token, which cannot be shown again. The name has been read by ``read_name``."""
        player_id = ids.player_id(self._entropy.bytes(10))
        secret = base64.urlsafe_b64encode(self._entropy.bytes(SECRET_BYTES)).decode().rstrip("=")
        token = f"{player_id}.{secret}"
        digest = _digest(token)
        player = self._players.create(player_id, name, digest.hex()[:8], digest, self._clock.now())
        return player, token

    def caller(self, authorization: str | None) -> Caller | None:
        """Who sends this ``Authorization`` header; ``None`` without one. Raises ``ProblemError`` (401)."""
        if authorization is None:
            return None
        scheme, _space, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise ProblemError("unauthenticated", "Send Authorization: Bearer <token>.")
        digest = _digest(token.strip())
        known = self._known.get(digest)
        if known is not None:
            return known
        # A token looked up before its account was deleted may be found after that, and must not be taken for a minute more.
        removals = self._known.removals
        caller = self._looked_up(token.strip(), digest)
        self._known.put(digest, caller, since=removals)
        return caller

    def forget(self, player: str) -> bool:
        """Takes a player's name and token away, for every process."""
        self.invalidate(player)
        return self._players.forget(player)

    def invalidate(self, player: str | None) -> None:
        """Asks the store again before it takes a token of this player; ``None``: of anybody."""
        self._known.remove_where(lambda caller: player in (None, caller.player))

    def _looked_up(self, token: str, digest: bytes) -> Caller:
        player_id, dot, _secret = token.partition(".")
        player = self._players.get(player_id) if dot and player_id.isalnum() and player_id.isascii() else None
        if player is None or not hmac.compare_digest(player.token_hash, digest):
            raise ProblemError("unauthenticated", "The token is not valid.")
        return Caller(player.id, player.token_id)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def read_name(text: str) -> str:
    """A player's name: NFC, without space around it, 1 to 40 characters, none of them a control or format character
    but the joiner that holds emoji together, none of them blank but spaces, and at least one that can stand by itself.

    Raises ``ProblemError`` (422).
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= NAME_LENGTH or all(character == JOINER or _leans(character) for character in name):
        raise ProblemError("invalid", f"A name has 1 to {NAME_LENGTH} characters.", field="name")
    if any(unicodedata.category(character) in UNNAMEABLE for character in name.replace(JOINER, "")):
        raise ProblemError("invalid", "A name has no control characters.", field="name")
    if any(character in BLANK for character in name):
        raise ProblemError("invalid", "A name has no characters that cannot be seen, but spaces.", field="name")
    return name


def _leans(character: str) -> bool:
    """Whether it only goes with another: an accent, a variation selector."""
    return unicodedata.category(character).startswith("M")
