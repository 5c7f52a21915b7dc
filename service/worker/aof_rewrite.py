"""Removes the names of deleted accounts from the server's append-only file, too.

The file holds every write since it was rewritten last, so the name of a deleted account stands in it until it is rewritten.
The worker has that done soon after a deletion, then rests for ``REST_SECONDS``.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from service.ports import AppendOnlyFile, DeletedAccounts, RewriteRefusedError

LOOK_SECONDS = 5.0
REST_SECONDS = 600.0
"""Rewriting takes a second and half a core for each 100 MB or so, and anybody may create and delete accounts again."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """One that was begun: in which run of the server, and of accounts deleted up to when (ms)."""

    run: str
    until: int


class AofRewrite:
    """Belongs to the one worker that works. What it does not see to its end the next one has done again."""

    def __init__(self, file: AppendOnlyFile, accounts: DeletedAccounts) -> None:
        self._file = file
        self._accounts = accounts
        self._rewriting: Rewriting | None = None

    @property
    def busy(self) -> bool:
        """Whether one has begun and is not known to have ended."""
        return self._rewriting is not None

    def go_on(self) -> float | None:
        """Begins, or looks whether what was begun has ended; for how many seconds it is to rest. Raises ``UnavailableError``."""
        try:
            if self._rewriting is not None:
                return self._follow(self._rewriting)
            self._begin()
            return None
        except RewriteRefusedError as fault:
            # The owner of the server has to do it.
            _log.warning("the append-only file cannot be rewritten: %s", fault)
            self._rewriting = None
            return REST_SECONDS

    def _begin(self) -> None:
        until = self._accounts.newest_in_file()
        if until is None:
            return
        state = self._file.state()
        if state.rewriting:
            return  # It may have begun before the account was deleted.
        if not state.enabled:
            self._accounts.not_in_file(until)
            return
        self._file.rewrite()
        self._rewriting = Rewriting(state.run, until)

    def _follow(self, begun: Rewriting) -> float | None:
        state = self._file.state()
        if state.run == begun.run and state.rewriting:
            return None
        self._rewriting = None
        if state.run == begun.run and state.succeeded:
            self._accounts.not_in_file(begun.until)
        else:
            _log.warning("rewriting the append-only file has failed; it will be tried again")
        return REST_SECONDS
