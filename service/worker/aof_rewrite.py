"""What players have taken away is taken out of the server's append-only file, too.

The file tells every write since it was rewritten last, so the name of who has left stands in it until it is rewritten.
The worker has that done soon after somebody leaves, at most every ``EVERY_SECONDS``; ``{players}:left`` is player → when (ms),
of those whom no rewriting has come after.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import Any

import redis

from service.adapters.redis.client import answering
from service.adapters.redis.players import LEFT

LOOK_SECONDS = 5.0
EVERY_SECONDS = 600.0
"""Rewriting takes a second and half a core for each 100 MB or so, and anybody may come and leave again."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """One that was asked for: of which run of the server, and up to whose leaving (ms)."""

    run: str
    until: float


class Purge:
    """Belongs to the one worker that works. What it does not see to its end the next one has done again."""

    def __init__(self, client: redis.Redis, every: float = EVERY_SECONDS, look: float = LOOK_SECONDS) -> None:
        self._client = client
        self._every = every
        self._look = look
        self._looks_at = 0.0
        self._may_at = 0.0
        self._rewriting: Rewriting | None = None

    @property
    def busy(self) -> bool:
        """Whether one has begun and is not known to have ended."""
        return self._rewriting is not None

    def go_on(self) -> None:
        """Begins, or looks whether what was begun has ended. Raises ``Unavailable``."""
        now = time.monotonic()
        if now < self._looks_at:
            return
        self._looks_at = now + self._look
        try:
            with answering():
                if self._rewriting is not None:
                    self._follow(self._rewriting)
                elif now >= self._may_at:
                    self._begin(now)
        except redis.ResponseError as fault:
            # A server whose user may not do this, say. Its owner has to.
            _log.warning("the append-only file cannot be rewritten: %s", str(fault).partition(" ")[0])
            self._may_at, self._rewriting = now + self._every, None

    def _begin(self, now: float) -> None:
        newest: Any = self._client.zrange(LEFT, -1, -1, withscores=True)
        if not newest:
            return
        about: Any = self._client.info()
        if _rewrites(about):
            return  # It may have begun before somebody left.
        until = newest[0][1]
        if not about.get("aof_enabled"):
            self._forget(until)
            return
        self._client.bgrewriteaof()
        self._rewriting, self._may_at = Rewriting(about["run_id"], until), now + self._every

    def _follow(self, begun: Rewriting) -> None:
        about: Any = self._client.info()
        if about["run_id"] == begun.run and _rewrites(about):
            return
        self._rewriting = None
        if about["run_id"] == begun.run and about["aof_last_bgrewrite_status"] == "ok":
            self._forget(begun.until)
        else:
            _log.warning("rewriting the append-only file has failed; it will be tried again")

    def _forget(self, until: float) -> None:
        self._client.zremrangebyscore(LEFT, "-inf", until)


def _rewrites(about: dict[str, Any]) -> bool:
    return bool(about.get("aof_rewrite_in_progress") or about.get("aof_rewrite_scheduled"))
