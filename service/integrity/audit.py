"""Full audits of stored matches, and a cache of their results.

A result is cached under a digest of all stored bytes, so it is found again only for exactly the same log; a log that was
tampered with is audited again, even if its head is unchanged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from domain import wire
from domain.chance import prefixed
from domain.errors import NewerReleaseError
from domain.game import AnyGame
from domain.rulebook import game_of
from domain.store import DamagedError, Store, Stored
from replay.audit import Fault, chain_fault, unreadable
from replay.verify import Again, Judge, verify_played
from service.cache import Cache
from service.integrity.heads import SealVerifier

KEPT = 10_000
"""The most cached results; about 300 bytes each."""

Key = tuple[bytes, int, bool]


@dataclass(frozen=True, slots=True)
class Audited:
    """The result of a full audit. ``decided_again``: every command was decided again with the same outcome."""

    fault: Fault | None
    decided_again: bool

    @property
    def ok(self) -> bool:
        """True only if nothing is left unchecked: a log of which the decisions could not be checked is not known to be good."""
        return self.fault is None and self.decided_again


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of verifying a log up to one version, and of deciding that version again if it is good."""

    fault: Fault | None
    again: Again | None


class AuditCache:
    """The most recently used audit results of this process. Thread-safe."""

    def __init__(self, seals: SealVerifier) -> None:
        self._seals = seals
        self._kept: Cache[Key, Audited] = Cache(KEPT)

    def audit(
        self, match_id: str, game: AnyGame | None, stored: Stored, pause: Callable[[], None], known: int = 0
    ) -> Audited:
        """Audits a whole log, or returns the cached result. ``known``: the number of versions read before.

        Calls ``pause`` after each commit, so that other greenlets get their turn. About 100 µs a commit.
        """
        key = digest(match_id, stored, pause), max(known, len(stored.entries)), self._seals.required()
        if (kept := self._kept.get(key)) is not None:
            return kept
        *_versions, found = _paused(_audited(match_id, game, stored, self._seals, known), pause)
        assert found is not None
        self._kept.put(key, found)
        return found


def _paused(steps: Iterator[Audited | None], pause: Callable[[], None]) -> Iterator[Audited | None]:
    for step in steps:
        if step is None:
            pause()
        yield step


def digest(match_id: str, stored: Stored, pause: Callable[[], None] = lambda: None) -> bytes:
    """Hashes everything that an audit depends on, except the code. Less than 1 µs an entry; calls ``pause`` now and then."""
    made = hashlib.sha256(prefixed(match_id.encode(), stored.seed or b"", stored.seal.signed))
    for entry in stored.entries:
        for part in (entry.public, entry.secrets, entry.hash):
            made.update(len(part).to_bytes(4, "big") + part)
        made.update(entry.version.to_bytes(8, "big"))
        if entry.version % 128 == 0:
            pause()
    return made.digest()


def audit_stored(
    store: Store, games: Mapping[str, AnyGame], seals: SealVerifier | None, match_id: str, known: int = 0
) -> Iterator[Audited | None]:
    """Audits a stored match, whatever the damage: yields ``None`` after each version, and ends with the result.

    Without ``seals`` the seal is not verified. ``known``: the number of versions read before. Raises ``UnavailableError``,
    and ``NewerReleaseError`` for a match that only newer code can judge. One round trip, and about 100 µs a commit; the
    caller may do other work between two items.
    """
    try:
        stored = store.whole(match_id)
    except DamagedError:
        yield Audited(unreadable(1), decided_again=False)
        return
    if not stored.entries:
        yield Audited(Fault(1, "gap", "There is no log of this match."), decided_again=False)
        return
    try:
        game = _game_of(games, stored)
        yield from _audited(match_id, game, stored, seals, known)
    except NewerReleaseError:
        # Only a log that this server wrote may name a protocol, or rules, that nobody here can judge.
        fault = chain_fault(match_id, stored.entries)
        if fault is None and seals is not None:
            fault = seals.fault(match_id, stored.entries, stored.seal)
        if fault is None:
            raise
        yield Audited(fault, decided_again=False)


def _audited(
    match_id: str, game: AnyGame | None, stored: Stored, seals: SealVerifier | None, known: int
) -> Iterator[Audited | None]:
    """Verifies as ``verify_played`` does, then the seal, and that the log has not lost its end."""
    entries, seed = stored.entries, stored.seed or b""
    judge = None if game is None else Judge(match_id, game, seed)
    fault = None
    for found in verify_played(match_id, game, entries, seed, judge):
        fault = found
        yield None
    if fault is None and seals is not None:
        fault = seals.fault(match_id, entries, stored.seal)
    if fault is None and known > len(entries):
        fault = Fault(len(entries) + 1, "truncated", f"Version {known} had been read before, and the log ends here.")
    yield Audited(fault, judge is not None and judge.decides and fault is None)


def _game_of(games: Mapping[str, AnyGame], stored: Stored) -> AnyGame | None:
    try:
        return game_of(games, stored.entries[0])
    except wire.UnreadableError:
        return None
