"""Full audits, and the verdicts of those that were made already.

A verdict is kept under the head's hash together with a digest of all stored bytes: so it is found again only for the very
log that it was given for, and a log that is changed behind our back is audited anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from domain import wire
from domain.game import AnyGame
from domain.store import DamagedError, Entry, Store
from replay.audit import Fault, unreadable
from replay.verify import Judge, verify_played
from service.cache import Cache

KEPT = 10_000
"""Verdicts; about 300 bytes each."""

Key = tuple[bytes, bytes, int]


@dataclass(frozen=True, slots=True)
class Audited:
    """What a full audit found; ``decided_again`` is whether every command was decided once more."""

    fault: Fault | None
    decided_again: bool


class Verdicts:
    """The verdicts of this process, the most recently used ones. Safe for threads."""

    def __init__(self) -> None:
        self._kept: Cache[Key, Audited] = Cache(KEPT)

    def of(
        self,
        match_id: str,
        game: AnyGame | None,
        entries: Sequence[Entry],
        seed: bytes,
        pause: Callable[[], None],
        known: int = 0,
    ) -> Audited:
        """The verdict on a whole log, of which ``known`` versions had been read before. ``pause`` is called between commits,
        so that others get their turn.
        """
        key = entries[-1].hash, digest(match_id, entries, seed), max(known, len(entries))
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


def digest(match_id: str, entries: Sequence[Entry], seed: bytes) -> bytes:
    """Of everything that a verdict depends on, but for the code. Some 100 µs for a long match."""
    made = hashlib.sha256(match_id.encode() + seed)
    for entry in entries:
        for part in (entry.public, entry.secrets, entry.hash):
            made.update(len(part).to_bytes(4, "big") + part)
        made.update(entry.version.to_bytes(8, "big"))
    return made.digest()


def audit_stored(store: Store, games: Mapping[str, AnyGame], match_id: str, known: int = 0) -> Iterator[Fault | None]:
    """The full audit of a match as its log is now, of which nothing has to be whole: ``None`` for each good version, and
    nothing behind the first ``Fault``. Raises ``UnavailableError``. ``known``: how many versions had been read before.

    Two round trips, and some 100 µs a commit, between which others may have their turn.
    """
    try:
        entries, seed = store.read(match_id), store.seed(match_id) or b""
    except DamagedError:
        yield unreadable(1)
        return
    if not entries:
        yield Fault(1, "gap", "There is no log of this match.")
        return
    game = _game_of(games, entries[0])
    judge = None if game is None else Judge(match_id, game, seed)
    yield from _judged(match_id, game, entries, seed, judge, known)


def _judged(
    match_id: str, game: AnyGame | None, entries: Sequence[Entry], seed: bytes, judge: Judge | None, known: int
) -> Iterator[Fault | None]:
    """As ``verify_played``, and that the log has not lost its end."""
    fault = None
    for fault in verify_played(match_id, game, entries, seed, judge):
        yield fault
    if fault is None and known > len(entries):
        yield Fault(len(entries) + 1, "truncated", f"Version {known} had been read before, and the log ends here.")


def _game_of(games: Mapping[str, AnyGame], first: Entry) -> AnyGame | None:
    try:
        return games.get(wire.game_of(first))
    except wire.UnreadableError:
        return None
