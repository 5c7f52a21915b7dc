"""Full audits of stored matches, and a cache of their results.

A result is cached under the head's hash together with a digest of all stored bytes, so it is found again only for exactly
the same log; a log that was tampered with is audited again, even if its head is unchanged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from domain import wire
from domain.errors import NewerReleaseError
from domain.game import AnyGame
from domain.rulebook import game_of
from domain.store import DamagedError, Entry, Store
from replay.audit import Fault, chain_fault, unreadable
from replay.verify import Again, Judge, verify_played
from service.cache import Cache

KEPT = 10_000
"""The most cached results; about 300 bytes each."""

Key = tuple[bytes, bytes, int]


@dataclass(frozen=True, slots=True)
class Audited:
    """The result of a full audit. ``decided_again``: every command was decided again with the same outcome."""

    fault: Fault | None
    decided_again: bool


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of verifying a log up to one version, and of deciding that version again if it is good."""

    fault: Fault | None
    again: Again | None


class AuditCache:
    """The most recently used audit results of this process. Thread-safe."""

    def __init__(self) -> None:
        self._kept: Cache[Key, Audited] = Cache(KEPT)

    def audit(
        self,
        match_id: str,
        game: AnyGame | None,
        entries: Sequence[Entry],
        seed: bytes,
        pause: Callable[[], None],
        known: int = 0,
    ) -> Audited:
        """Audits a whole log, or returns the cached result. ``known``: the number of versions read before.

        Calls ``pause`` after each commit, so that other greenlets get their turn. About 100 µs a commit.
        """
        key = entries[-1].hash, digest(match_id, entries, seed, pause), max(known, len(entries))
        if (kept := self._kept.get(key)) is not None:
            return kept
        judge = None if game is None else Judge(match_id, game, seed)
        fault = None
        for each in _judged(match_id, game, entries, seed, judge, known):
            fault = each
            pause()
        found = Audited(fault, judge is not None and judge.decides and fault is None)
        self._kept.put(key, found)
        return found


def digest(match_id: str, entries: Sequence[Entry], seed: bytes, pause: Callable[[], None] = lambda: None) -> bytes:
    """Hashes everything that an audit depends on, except the code. Less than 1 µs an entry; calls ``pause`` now and then."""
    made = hashlib.sha256(match_id.encode() + seed)
    for entry in entries:
        for part in (entry.public, entry.secrets, entry.hash):
            made.update(len(part).to_bytes(4, "big") + part)
        made.update(entry.version.to_bytes(8, "big"))
        if entry.version % 128 == 0:
            pause()
    return made.digest()


def audit_stored(store: Store, games: Mapping[str, AnyGame], match_id: str, known: int = 0) -> Iterator[Fault | None]:
    """Audits a stored match, whatever the damage: yields ``None`` for each good version, and ends with the first ``Fault``.

    ``known``: the number of versions read before. Raises ``UnavailableError``, and ``NewerReleaseError`` for a match that
    only newer code can judge. Two round trips, and about 100 µs a commit;
    the caller may do other work between two items.
    """
    try:
        entries, seed = store.read(match_id), store.seed(match_id) or b""
    except DamagedError:
        yield unreadable(1)
        return
    if not entries:
        yield Fault(1, "gap", "There is no log of this match.")
        return
    try:
        game = _game_of(games, entries[0])
        judge = None if game is None else Judge(match_id, game, seed)
        yield from _judged(match_id, game, entries, seed, judge, known)
    except NewerReleaseError:
        if (fault := chain_fault(match_id, entries)) is None:
            raise
        yield fault


def _judged(
    match_id: str, game: AnyGame | None, entries: Sequence[Entry], seed: bytes, judge: Judge | None, known: int
) -> Iterator[Fault | None]:
    """Verifies as ``verify_played`` does, and also that the log has not lost its end."""
    fault = None
    for fault in verify_played(match_id, game, entries, seed, judge):
        yield fault
    if fault is None and known > len(entries):
        yield Fault(len(entries) + 1, "truncated", f"Version {known} had been read before, and the log ends here.")


def _game_of(games: Mapping[str, AnyGame], first: Entry) -> AnyGame | None:
    try:
        return game_of(games, first)
    except wire.UnreadableError:
        return None
