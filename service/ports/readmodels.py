"""The port ``ReadModels``: the storage of read models, and the plain data of its methods.

A read model has *generations*, one of which is served; a new one is built beside it. A generation consists of named *parts*:
tables (name → value), rankings (match or player → score), totals (name → sum) and sets. ``Target.part("rows")`` is the name
of one of them.

A writer holds a lease, and a batch is written as a whole or not at all. So two workers never mix their writes: one whose
lease has run out (it was frozen, say) is *fenced*: its next write changes nothing and raises ``FencedError``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgpack

from domain.errors import FoldtableError

Row = dict[str, Any]
"""Plain data, which msgpack preserves."""

Position = tuple[int, str]
"""A place in a list: score and match id. Lists are read from the highest."""

KINDS = ("serving", "ready", "previous", "building", "built")
"""The roles of a generation. ``serving`` is kept up to date, ``ready`` is read from: the same one once it is complete."""

LOBBY, RATINGS, GENERATIONS = "lobby", "ratings", "generations"
"""The subjects of notifications: new changes in the lobby's feed, changed ratings, another generation to read from."""

_RETRIES, _FEED, _AUDITED, _FAILED = "retry", "feed", "audit:at", "audit:failed"


class FencedError(FoldtableError):
    """The writer no longer holds its lease, so nothing was written: another process may be at work by now."""


class ForeignDataError(FoldtableError):
    """A key of the read models holds a value of the wrong type, written by another program. No log is affected."""


@dataclass(frozen=True, slots=True)
class Target:
    """One generation of one read model."""

    name: str
    generation: int

    def part(self, *names: str) -> str:
        """Returns the name of one of its parts."""
        return ":".join((self.name, str(self.generation), *names))

    def __str__(self) -> str:
        return f"{self.name} {self.generation}"


@dataclass(frozen=True, slots=True)
class Lease:
    """The sole right to some work, for ``ms`` from the last write under it."""

    work: str
    token: str
    ms: int


# -- writes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AddMembers:
    part: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clear:
    part: str


@dataclass(frozen=True, slots=True)
class NameGeneration:
    kind: str
    target: Target


@dataclass(frozen=True, slots=True)
class UnnameGeneration:
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Discard:
    target: Target


@dataclass(frozen=True, slots=True)
class EndFeed:
    number: int


@dataclass(frozen=True, slots=True)
class Announce:
    what: str


Step = AddMembers | Clear | NameGeneration | UnnameGeneration | Discard | EndFeed | Announce


def _tables() -> dict[str, dict[str, Any]]:
    return defaultdict(dict)


def _names() -> dict[str, set[str]]:
    return defaultdict(set)


@dataclass(slots=True)
class Batch:
    """Writes that belong together. Values, ranks and sums come first, then ``steps`` in their order."""

    drops: dict[str, set[str]] = field(default_factory=_names)
    puts: dict[str, dict[str, bytes | str | int]] = field(default_factory=_tables)
    unranks: dict[str, set[str]] = field(default_factory=_names)
    ranks: dict[str, dict[str, float]] = field(default_factory=_tables)
    sums: dict[str, dict[str, int]] = field(default_factory=_tables)
    steps: list[Step] = field(default_factory=list)

    def put(self, part: str, name: str, value: bytes | str | int) -> None:
        """Sets a value of a table."""
        self.puts[part][name] = value
        self.drops[part].discard(name)

    def drop(self, part: str, name: str) -> None:
        """Removes a value from a table."""
        self.drops[part].add(name)
        self.puts[part].pop(name, None)

    def rank(self, part: str, member: str, score: float) -> None:
        """Sets the place of a match or player in a ranking."""
        self.ranks[part][member] = score
        self.unranks[part].discard(member)

    def unrank(self, part: str, member: str) -> None:
        """Removes a match or player from a ranking."""
        self.unranks[part].add(member)
        self.ranks[part].pop(member, None)

    def add(self, part: str, name: str, amount: int) -> None:
        """Adds to a total."""
        sums = self.sums[part]
        sums[name] = sums.get(name, 0) + amount

    def add_members(self, part: str, members: Iterable[str]) -> None:
        """Adds to a set."""
        self.steps.append(AddMembers(part, tuple(members)))

    def clear(self, part: str) -> None:
        """Deletes a part with everything in it."""
        self.steps.append(Clear(part))

    def name_generation(self, kind: str, target: Target) -> None:
        """Gives a generation a role: ``kind`` is one of ``KINDS``. It replaces the one that had it."""
        self.steps.append(NameGeneration(kind, target))

    def unname_generation(self, kind: str, name: str) -> None:
        """Leaves a read model without a generation in that role."""
        self.steps.append(UnnameGeneration(kind, name))

    def forget_revision(self, revision: str) -> None:
        """Removes all names of the generations of a read model's revision; see ``ReadModels.outdated``."""
        for kind in KINDS:
            self.drop(kind, revision)

    def discard(self, target: Target) -> None:
        """Discards a generation, in the same write that removes the last reference to it. ``empty_trash`` deletes it."""
        self.steps.append(Discard(target))

    def number_changes(self, numbers: Mapping[str, int], last: int) -> None:
        """Puts matches into the lobby's feed under new numbers; ``last`` is the highest of them."""
        for match_id, number in numbers.items():
            self.rank(_FEED, match_id, number)
        self.steps.append(EndFeed(last))

    def announce(self, what: str) -> None:
        """Notifies every process that follows changes of read models. ``what`` is ``LOBBY``, ``RATINGS`` or ``GENERATIONS``."""
        self.steps.append(Announce(what))

    def clear_retry(self, match_id: str) -> None:
        """Removes a match from those to be retried."""
        self.drop(_RETRIES, match_id)

    def audited(self, match_id: str, at: int, fault: bytes | None) -> None:
        """Notes when a match was verified (ms), and its fault, if it has one."""
        self.rank(_AUDITED, match_id, at)
        if fault is None:
            self.drop(_FAILED, match_id)
        else:
            self.put(_FAILED, match_id, fault)


def packed(row: Mapping[str, Any] | Sequence[Any]) -> bytes:
    """Returns the bytes under which tables keep a row. Raises ``ValueError``, ``TypeError`` or ``OverflowError``."""
    made: bytes = msgpack.packb(row)
    return made


# -- the port ---------------------------------------------------------------------------------------------------------


class ReadModels(Protocol):
    """The storage of read models. All methods raise ``UnavailableError`` when the server cannot answer, and ``ForeignDataError``
    for a key of the wrong type. Reads and writes take one round trip unless their docstring says otherwise.
    """

    def claim(self, work: str, ms: int) -> Lease | None:
        """Takes the lease on some work for ``ms`` milliseconds; returns ``None`` if another process holds it."""
        ...

    def is_claimed(self, work: str) -> bool:
        """Returns whether any process holds the lease on some work."""
        ...

    def write(self, lease: Lease, batch: Batch) -> None:
        """Writes the batch and extends the lease, in one round trip.

        Raises ``FencedError`` or ``ForeignDataError``; then nothing was written.
        """
        ...

    def release(self, lease: Lease) -> None:
        """Gives the lease up, so that another process can start at once. Raises ``FencedError``."""
        ...

    # -- generations

    def generations(self, kind: str) -> dict[str, Target]:
        """Returns read model → generation in this role (one of ``KINDS``), without those of other revisions."""
        ...

    def outdated(self, name: str) -> dict[str, set[Target]]:
        """Returns the generations that other revisions of the code have left: revision → targets. Some round trips."""
        ...

    def next_generation(self, name: str) -> Target:
        """Returns a new, empty generation, which nothing refers to yet."""
        ...

    def serving(self, name: str) -> Target | None:
        """Returns the generation to read from; ``None`` while none has ever been complete."""
        ...

    def empty_trash(self) -> None:
        """Deletes the discarded generations. If interrupted, the next call goes on. Scans all keys."""
        ...

    def emptying_trash(self) -> Iterator[None]:
        """Does the same, and yields wherever the work may be interrupted."""
        ...

    # -- rows, lists and totals

    def checkpoints(self, target: Target) -> list[int]:
        """Returns, by shard, the change time (µs) up to which all changes are included."""
        ...

    def rows(self, target: Target, ids: Sequence[str], table: str = "rows") -> list[Row | None]:
        """Returns the rows; ``None`` for one that is missing or unreadable, which a rebuild reports and its promotion repairs."""
        ...

    def all_rows(self, target: Target, table: str = "rows") -> Iterator[tuple[str, Any]]:
        """Yields match id and row of all readable rows, in pages."""
        ...

    def stored(self, target: Target, ids: Sequence[str], table: str = "rows") -> list[bytes | None]:
        """Returns the stored bytes of rows; ``None`` for a missing one."""
        ...

    def all_stored(self, target: Target, table: str = "rows") -> Iterator[tuple[str, bytes]]: ...

    def size(self, target: Target) -> int:
        """Returns the number of rows."""
        ...

    def seen(self, target: Target, match_id: str) -> int:
        """Returns the version of the match's row; 0 if there is none."""
        ...

    def known_version(self, match_id: str) -> int:
        """Returns the last version read of a match; 0 if it is unknown, or nothing is served yet.

        A log never gets shorter, so an audit that finds fewer versions than this has found a loss. Two round trips.
        """
        ...

    def page(self, target: Target, place: str, after: Position | None, limit: int) -> list[Position]:
        """Returns the next positions of a list after ``after``, from the highest score, then by id.

        One round trip, unless very many have the score of ``after``.
        """
        ...

    def until(self, target: Target, place: str, score: int, limit: int) -> list[str]:
        """Returns the matches of a list up to a score, from the lowest."""
        ...

    def since(self, target: Target, place: str, score: int, skipped: int, limit: int) -> list[Position]:
        """Returns a list from a score on, from the lowest, without the first ``skipped`` ones."""
        ...

    def totals(self, target: Target, subject: str) -> dict[str, int]: ...

    def amounts(self, target: Target, subject: str, names: Sequence[str]) -> list[int]:
        """Returns some of the totals of a subject, 0 for a missing one."""
        ...

    def parked(self, target: Target) -> dict[str, Any]:
        """Returns the matches that the generation does not include: match → ``at`` (change time) and ``reason``."""
        ...

    # -- folds across matches: see ``service.readmodels.ratings``

    def marks(self, target: Target) -> dict[str, Position]:
        """Returns, by group, the first result that is not folded in yet."""
        ...

    def touched(self, target: Target, group: str) -> list[str]:
        """Returns the players who have lost a result since the last fold, in order."""
        ...

    def leaders(self, target: Target, group: str, start: int, limit: int) -> list[str]:
        """Returns the players of a leaderboard from a place on (0 is the best)."""
        ...

    def places(self, target: Target, player: str, groups: Sequence[str]) -> list[int | None]:
        """Returns a player's place (0 is the best) on each leaderboard; ``None`` if absent."""
        ...

    def standings(self, target: Target, asked: Sequence[tuple[str, str]]) -> list[tuple[Any, int]]:
        """Returns the value (``None`` if there is none) and the number of results of each player and group."""
        ...

    # -- whole parts, for comparison

    def parts(self, target: Target) -> set[str]:
        """Returns the names of the parts that hold anything. Scans all keys."""
        ...

    def part_pages(self, target: Target) -> Iterator[set[str]]:
        """Yields the same names page by page, one round trip each; many pages have none."""
        ...

    def ranking(self, target: Target, part: str) -> dict[str, float]:
        """Returns a whole ranking."""
        ...

    def table(self, target: Target, part: str) -> dict[str, bytes]:
        """Returns a whole table, or all totals of a subject."""
        ...

    # -- the lobby's feed, matches to retry, alarms, the audit's results

    def raise_alarm(self, subject: str, text: str) -> bool:
        """Keeps an alarm until an operator clears it; returns whether the subject had none. Needs no lease."""
        ...

    def alarms(self) -> dict[str, str]:
        """Returns the alarms: subject → text."""
        ...

    def clear_alarms(self, subjects: Collection[str]) -> None:
        """Clears the alarms of these subjects. Needs no lease."""
        ...

    def feed_end(self) -> int:
        """Returns the number of the newest change of the lobby."""
        ...

    def feed(self, after: int, limit: int) -> list[Position]:
        """Returns the matches that changed after a number, each with the number of its last change, in order."""
        ...

    def retries(self) -> dict[str, int]:
        """Returns the matches to retry: match → a change time (µs)."""
        ...

    def request_retry(self, changes: Mapping[str, int]) -> None:
        """Asks the worker to retry these matches: match → a change time (µs). Needs no lease."""
        ...

    def count_audited(self, since: int) -> int:
        """Returns the number of matches verified since then (ms)."""
        ...

    def audit_faults(self) -> dict[str, bytes]:
        """Returns the matches whose audit failed: match → packed fault."""
        ...

    def audited(self, ids: Sequence[str]) -> list[tuple[int | None, bool]]:
        """Returns when each match was last verified (ms; ``None``: never), and whether its audit failed."""
        ...
