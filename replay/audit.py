"""The audit of a log: checks that it is as it was written, by every link, every commitment, and the seed.

Works on the stored bytes, in order, so the version that a fault names is the first bad one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from domain import canonical, hashchain, wire
from domain.chance import seed_commitment
from domain.commit import Commit
from domain.errors import NewerReleaseError
from domain.events import Opened, RulesChanged
from domain.game import AnyGame
from domain.store import Entry

Kind = Literal[
    "altered",
    "gap",
    "reordered",
    "unreadable",
    "secret_altered",
    "wrong_seed",
    "wrong_chance",
    "illegal",
    "forked",
    "truncated",
    "wrong_signature",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """The first fault of a log or record. ``version``: where it lies; ``None`` if it lies in no commit."""

    version: int | None
    kind: Kind
    message: str


def verify_log(match_id: str, game: AnyGame | None, entries: Sequence[Entry], seed: bytes) -> Iterator[Fault | None]:
    """Checks entry by entry: yields ``None`` for each good one, and ends behind the first ``Fault``.

    ``game`` is ``None`` if the first entry names no known game. About 15 µs an entry; the caller may do other work between
    two of them. Raises ``NewerRulesError`` at a change to rules that only newer code knows.
    """
    previous, expected = hashchain.GENESIS, 1
    for entry in entries:
        fault = link_fault(match_id, entries, expected, previous)
        checked = fault or _check(match_id, game, entry, seed)
        yield checked if isinstance(checked, Fault) else None
        if isinstance(checked, Fault):
            return
        game = game_after(game, checked)
        previous, expected = entry.hash, expected + 1


def first_fault(
    match_id: str,
    game: AnyGame | None,
    entries: Sequence[Entry],
    seed: bytes,
    count: int,
    pause: Callable[[], None] = lambda: None,
) -> Fault | None:
    """The first fault of a log that should have ``count`` entries; ``None`` if it is good. Linear, like ``verify_log``.

    Calls ``pause`` after every few entries.
    """
    for number, fault in enumerate(verify_log(match_id, game, entries, seed)):
        if fault is not None:
            return fault
        if number % 8 == 7:
            pause()
    if len(entries) < count:
        return Fault(len(entries) + 1, "gap", "It is missing.")
    return None


def link_fault(match_id: str, entries: Sequence[Entry], expected: int, previous: bytes) -> Fault | None:
    """The fault of the entry at the place of version ``expected``: another version, or a hash that does not follow.

    ``None`` if it is that version and follows the hash ``previous``.
    """
    entry = entries[expected - 1]
    if entry.version != expected:
        return _misplaced(entry.version, expected, {entry.version for entry in entries})
    if hashchain.link(match_id, expected, previous, entry.public) != entry.hash:
        return Fault(expected, "altered", "Its hash does not follow from its content and the version before.")
    return None


def chain_fault(match_id: str, entries: Sequence[Entry], pause: Callable[[], None] = lambda: None) -> Fault | None:
    """The first fault of the hash chain alone, which needs no game; ``None`` if it holds. About 2 µs an entry."""
    previous = hashchain.GENESIS
    for expected, entry in enumerate(entries, 1):
        if (fault := link_fault(match_id, entries, expected, previous)) is not None:
            return fault
        previous = entry.hash
        if expected % 64 == 0:
            pause()
    return None


def secrets_fault(
    match_id: str, game: AnyGame, entries: Sequence[Entry], seed: bytes, pause: Callable[[], None] = lambda: None
) -> Fault | None:
    """The first fault of the seed and the secrets of a log whose chain holds; ``None`` if they are what it commits to.

    ``None`` also if an entry cannot be read: whoever folds the log finds that. About 5 µs an entry.
    """
    try:
        if (fault := _check_seed(game, entries[0], seed)) is not None:
            return fault
        for number, entry in enumerate(entries, 1):
            if (fault := _check_secrets(match_id, entry, seed)) is not None:
                return fault
            if number % 32 == 0:
                pause()
    except (wire.UnreadableError, NewerReleaseError):
        return None
    return None


def game_after(game: AnyGame | None, commit: Commit) -> AnyGame | None:
    """The rules that read the entries after this commit: ``game``, or those that the match changed over to."""
    last = commit.events[-1]
    return game.reader(last.rules) if game is not None and isinstance(last, RulesChanged) else game


def _check(match_id: str, game: AnyGame | None, entry: Entry, seed: bytes) -> Fault | Commit:
    """The fault of an entry whose link is good, or its commit."""
    # In this order: the salts of the secrets follow from the seed, and secrets are decoded only once they are proved.
    try:
        if game is None or not canonical.is_canonical_public(entry.public):
            return unreadable(entry.version)
        if entry.version == 1 and (fault := _check_seed(game, entry, seed)) is not None:
            return fault
        if (fault := _check_secrets(match_id, entry, seed)) is not None:
            # Raises for bytes that are no commit at all: the fault is then that, not the secrets.
            untold(game, entry)
            return fault
        commit = wire.decode(game, entry)
        if (entry.version == 1) != isinstance(commit.events[0], Opened) or not canonical.are_canonical_secrets(
            entry.secrets
        ):
            return unreadable(entry.version)
        return commit
    except wire.UnreadableError:
        return unreadable(entry.version)


def _check_seed(game: AnyGame, entry: Entry, seed: bytes) -> Fault | None:
    opened = untold(game, entry).events[0]
    if not isinstance(opened, Opened):
        return unreadable(1)
    if opened.seed_commitment != seed_commitment(seed).hex():
        return Fault(1, "wrong_seed", "The seed is not the one that was committed to.")
    return None


def untold(game: AnyGame, entry: Entry) -> Commit:
    """The commit with all its secrets hidden, whatever is stored as their values. Raises ``Unreadable``."""
    untold = wire.packed_secrets([None] * len(wire.commitments(entry.public)))
    return wire.decode(game, replace(entry, secrets=untold))


def _misplaced(version: int, expected: int, versions: Collection[int]) -> Fault:
    """The fault of a version at the place of another; ``versions`` are all that the log holds."""
    kind: Kind = "reordered" if version < expected or expected in versions else "gap"
    return Fault(expected, kind, f"Version {version} stands in its place.")


def unreadable(version: int) -> Fault:
    return Fault(version, "unreadable", "It cannot be read.")


def _check_secrets(match_id: str, entry: Entry, seed: bytes) -> Fault | None:
    promised = wire.commitments(entry.public)
    try:
        values = wire.secret_values(entry.secrets)
    except wire.UnreadableError:
        return Fault(entry.version, "secret_altered", "Its secrets cannot be read.")
    if len(promised) != len(values):
        return Fault(entry.version, "secret_altered", "It has not as many secrets as it commits to.")
    for index, ((_seats, commitment), value) in enumerate(zip(promised, values, strict=True)):
        salt = hashchain.salt(seed, entry.version, index)
        if value is None or hashchain.commitment(salt, match_id, entry.version, index, value) != commitment:
            return Fault(entry.version, "secret_altered", f"Secret {index} is not the one that was committed to.")
    return None
