"""Players and their tokens. A token is ``<player id>.<secret>``; only its hash is stored."""

from __future__ import annotations

import base64
import hashlib
import hmac
import unicodedata
from collections import OrderedDict
from dataclasses import dataclass

from service.matches import ids
from service.ports import Clock, Entropy, Player, Players
from service.problems import Problem

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
        self._known: OrderedDict[bytes, tuple[Caller, int]] = OrderedDict()
        self._drops = 0
        """How often something was dropped: what was asked for before that is not remembered after it."""

    def issue(self, name: str) -> tuple[Player, str]:
        """A new player and the token, which cannot be shown again. The name has been read by ``read_name``."""
        player_id = ids.player_id(self._entropy.bytes(10))
        secret = base64.urlsafe_b64encode(self._entropy.bytes(SECRET_BYTES)).decode().rstrip("=")
        token = f"{player_id}.{secret}"
        digest = _digest(token)
        player = self._players.create(player_id, name, digest.hex()[:8], digest, self._clock.now())
        return player, token

    def caller(self, authorization: str | None) -> Caller | None:
        """Who sends this ``Authorization`` header; ``None`` without one. Raises ``Problem`` (401)."""
        if authorization is None:
            return None
        scheme, _space, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise Problem("unauthenticated", "Send Authorization: Bearer <token>.")
        digest = _digest(token.strip())
        known = self._known.get(digest)
        if known is not None and known[1] > self._clock.now():
            return known[0]
        drops, caller = self._drops, self._looked_up(token.strip(), digest)
        if self._drops == drops:
            self._remember(digest, caller)
        return caller

    def forget(self, player: str) -> bool:
        """Takes a player's name and token away, for every process."""
        self.drop(player)
        return self._players.forget(player)

    def drop(self, player: str | None) -> None:
        """Asks the store again before it takes a token of this player, or anybody's (``None``)."""
        self._drops += 1
        for digest in [digest for digest, (known, _until) in self._known.items() if player in (None, known.player)]:
            del self._known[digest]

    def _looked_up(self, token: str, digest: bytes) -> Caller:
        player_id, dot, _secret = token.partition(".")
        player = self._players.get(player_id) if dot and player_id.isalnum() and player_id.isascii() else None
        if player is None or not hmac.compare_digest(player.token_hash, digest):
            raise Problem("unauthenticated", "The token is not valid.")
        return Caller(player.id, player.token_id)

    def _remember(self, digest: bytes, caller: Caller) -> None:
        self._known[digest] = caller, self._clock.now() + CACHED_MS
        self._known.move_to_end(digest)
        if len(self._known) > CACHED_TOKENS:
            self._known.popitem(last=False)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def read_name(text: str) -> str:
    """A player's name: NFC, without space around it, 1 to 40 characters, none of them a control or format character
    but the joiner that holds emoji together, none of them blank but spaces, and at least one that can stand by itself.

    Raises ``Problem`` (422).
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= NAME_LENGTH or all(character == JOINER or _leans(character) for character in name):
        raise Problem("invalid", f"A name has 1 to {NAME_LENGTH} characters.", field="name")
    if any(unicodedata.category(character) in UNNAMEABLE for character in name.replace(JOINER, "")):
        raise Problem("invalid", "A name has no control characters.", field="name")
    if any(character in BLANK for character in name):
        raise Problem("invalid", "A name has no characters that cannot be seen, but spaces.", field="name")
    return name


def _leans(character: str) -> bool:
    """Whether it only goes with another: an accent, a variation selector."""
    return unicodedata.category(character).startswith("M")
