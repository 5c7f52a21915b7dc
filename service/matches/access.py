"""Access control: the viewers who may know of a match, and the invite that lets others in."""

from __future__ import annotations

import hmac
from base64 import b32encode
from dataclasses import dataclass, field

from domain.match import Match
from service.problems import ProblemError

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
    return player is not None and (table.seat_of(player) is not None or player in (table.host, table.named_arbiter))


def check(match: Match, seed: bytes, player: str | None, invite: str | None) -> None:
    """Raises ``ProblemError`` for a private match that the player may not know of: 404, as if it did not exist."""
    if is_visible(match, player):
        return
    # In constant time, so that the time of a refusal reveals nothing about the right invite.
    if invite is None or not hmac.compare_digest(invite.encode(), invite_of(seed).encode()):
        raise not_found()


def invite_of(seed: bytes) -> str:
    """Returns the invite of a private match: derived from its seed, so that nothing more need be stored."""
    return b32encode(hmac.digest(seed, b"invite", "sha256")[:10]).decode().lower()


def not_found() -> ProblemError:
    """Returns the problem of a match that does not exist, or that the caller may not know of."""
    return ProblemError(NOT_FOUND)
