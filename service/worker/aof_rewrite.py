"""Removes the names of deleted accounts from the server's append-only file.

The file holds every write since its last rewrite, so it contains the name of a deleted account until the next one. The
worker starts a rewrite soon after a deletion, and then no other for ``REST_SECONDS``.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from service.ports import AppendOnlyFile, RewriteRefusedError
from service.ports.players import DeletedAccounts

LOOK_SECONDS = 5.0
REST_SECONDS = 600.0
"""The pause between rewrites: each takes a second and half a core per 100 MB or so, and anybody can delete accounts."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A started rewrite: the run of the server, and the time (ms) of the last deletion that it covers."""

    run: str
    until: int


class AofRewrite:
    """Rewrites on behalf of the active worker. One that a worker does not see complete is started again by the next worker."""

    def __init__(self, file: AppendOnlyFile, accounts: DeletedAccounts) -> None:
        self._file = file
        self._accounts = accounts
        self._rewriting: Rewriting | None = None

    @property
    def busy(self) -> bool:
        """True while a rewrite was started and is not known to have ended."""
        return self._rewriting is not None

    def step(self) -> float | None:
        """Starts a rewrite if one is due, or checks the started one. Returns the seconds to pause; ``None``: as usual.

        Raises ``UnavailableError``.
        """
        try:
            if self._rewriting is not None:
                return self._follow(self._rewriting)
            self._start()
            return None
        except RewriteRefusedError as fault:
            # Retried much later: only the operator of the server can change that.
            _log.warning("the database server refused to rewrite its append-only file: %s", fault)
            self._rewriting = None
            return REST_SECONDS

    def _start(self) -> None:
        until = self._accounts.newest_in_aof()
        if until is None:
            return
        state = self._file.state()
        if state.rewriting:
            return  # It may have started before the account was deleted, and then contains the name.
        if not state.enabled:
            self._accounts.note_rewritten(until)
            return
        self._file.rewrite()
        self._rewriting = Rewriting(state.run, until)

    def _follow(self, started: Rewriting) -> float | None:
        state = self._file.state()
        if state.run == started.run and state.rewriting:
            return None
        self._rewriting = None
        if state.run == started.run and state.succeeded:
            self._accounts.note_rewritten(started.until)
        else:
            _log.warning("the database server failed to rewrite its append-only file; the worker will retry")
        return REST_SECONDS
