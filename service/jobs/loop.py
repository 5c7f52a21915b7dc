"""The loop of the jobs process. Several may run; the holder of the lease works, and another takes over when it ends."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from domain.game import AnyGame
from domain.store import Store, UnavailableError
from service.integrity.heads import Sealer, SealsRequired
from service.integrity.receipts import Signer
from service.interrupt import Interrupt
from service.jobs.bots import Bots
from service.matches.cache import MatchCache
from service.matches.handler import CommandHandler
from service.matches.repository import MatchRepository
from service.ports import Entropy, FineClock
from service.ports.readmodels import Batch, FencedError, ForeignDataError, Lease, ReadModels

LEASE = "bots"
LEASE_MS = 10_000
"""The length of the lease, longer than the moves of one look."""
STANDBY_SECONDS = 1.0
REST_SECONDS = 5.0
"""The pause after an error that is likely to recur."""
CACHED_COMMITS = 50_000

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that the jobs process depends on."""

    store: Store
    views: ReadModels
    games: Mapping[str, AnyGame]
    clock: FineClock
    entropy: Entropy
    signer: Signer
    sealed_note: Path | None = None
    """The file in the data folder that notes since when every log has a seal."""


def bots_of(parts: Parts) -> Bots:
    """Returns the driver of all bots."""
    seals = Sealer(parts.signer, SealsRequired(parts.store, parts.sealed_note))
    matches = MatchRepository(parts.store, parts.games, parts.clock, MatchCache(CACHED_COMMITS), seals)
    return Bots(CommandHandler(matches, parts.clock, parts.entropy), parts.views, time.monotonic)


def work(parts: Parts, lease: Lease, changed: threading.Event) -> NoReturn:
    """Works until the lease is lost (``FencedError``) or the database does not answer (``UnavailableError``)."""
    bots = bots_of(parts)
    while True:
        changed.wait(bots.step())
        changed.clear()
        parts.views.write(lease, Batch())  # Extends the lease.


def stand_by(parts: Parts, changed: threading.Event, interrupt: Interrupt) -> NoReturn:
    """Works whenever it can take the lease, for ever."""
    while True:
        try:
            _work_if_free(parts, changed, interrupt)
        except FencedError:
            _log.warning("the jobs process lost its lease because it was too slow; it stands by")
        except UnavailableError as fault:
            _log.warning("jobs paused because the database does not answer: %s", fault or type(fault).__name__)
        except ForeignDataError as fault:
            _log.error("jobs paused: %s", fault)
            time.sleep(REST_SECONDS)
        except Exception:
            # Kept alive, as the worker is: ``serve`` stops everything when one process ends.
            _log.exception("jobs paused after an unexpected error")
            time.sleep(REST_SECONDS)
        time.sleep(STANDBY_SECONDS)


def _work_if_free(parts: Parts, changed: threading.Event, interrupt: Interrupt) -> None:
    """Works if the lease is free, and releases it when the process is to end. Returns if another process holds it."""
    lease = None
    try:
        with interrupt.put_off():
            lease = parts.views.claim(LEASE, LEASE_MS)
        if lease is not None:
            _log.info("the jobs process took the lease and is active")
            work(parts, lease, changed)
    except KeyboardInterrupt:
        if lease is not None:
            with suppress(FencedError, UnavailableError):
                parts.views.release(lease)
        raise
