"""Access control: the viewers who may know of a match, and the invite that lets others in."""

from __future__ import annotations

import hashlib
import hmac
from base64 import b32encode
from dataclasses import dataclass, field

from domain.match import Match
from service.problems import ProblemError

SERVER = "house"
"""The player id of the server's own commands, which no account has."""
NOT_FOUND = "match_not_found"
"""The code of the problem that there is no such match, or that the caller may not know of it."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who asks for a match: a player, if there is a token, and an invite, if the request carries one."""

    player: str | None
    invite: str | None = field(default=None, repr=False)

    def check(self, match: Match, seed: bytes) -> None:
        """Raises ``ProblemError`` (404) if this visitor may not know of the match."""
        check(match, seed, self.player, self.invite)


def is_visible(match: Match, player: str | None) -> bool:
    """Returns whether this player may know of the match without an invite. Whom the host asks to be the arbiter may."""
    table = match.table
    if not table.private:
        return True
    host_or_arbiter = (table.host, table.named_arbiter)
    return player is not None and (match.seat_of(player) is not None or player in (*host_or_arbiter, SERVER))


def check(match: Match, seed: bytes, player: str | None, invite: str | None) -> None:
    """Raises ``ProblemError`` for a private match that the player may not know of: 404, as if it did not exist."""
    if is_visible(match, player):
        return
    present = match.table.invite.hash or hash_of(invite_of(seed))
    # In constant time, so that the time of a refusal reveals nothing about the right invite.
    if invite is None or not hmac.compare_digest(hash_of(invite), present):
        raise not_found()


def invite_of(seed: bytes) -> str:
    """Returns the first invite of a private match: derived from its seed, so that nothing more need be stored."""
    return spelled(hmac.digest(seed, b"invite", "sha256"))


def spelled(secret: bytes) -> str:
    """Returns the invite that these random bytes give, of which the first ten count."""
    return b32encode(secret[:10]).decode().lower()


def hash_of(invite: str) -> str:
    """Returns the hash by which a renewed invite is known, as in ``domain.events.InviteRenewed``."""
    return hashlib.sha256(b"invite " + invite.encode("utf-8", "replace")).hexdigest()


def not_found() -> ProblemError:
    """Returns the problem of a match that does not exist, or that the caller may not know of."""
    return ProblemError(NOT_FOUND)
