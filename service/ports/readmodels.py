"""The port ``ReadModels``: where read models are kept, and the plain data that it speaks of.

A read model has *generations*, one of which is served; a new one is built beside it. A generation consists of named *parts*:
tables (name → value), rankings (match or player → score), totals (name → sum) and sets. ``Target.part("rows")`` is the name
of one of them.

Writers hold a lease, and a batch of writes is made as one or not at all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgpack

from domain.errors import FoldtableError

Row = dict[str, Any]
"""Plain data: what msgpack keeps as it is."""

Position = tuple[int, str]
"""Where in a list something stands: score and match id. Lists are read from the highest."""

KINDS = ("serving", "ready", "previous", "building", "built")
"""What a generation can be. ``serving`` is kept up to date, ``ready`` is read from: the same once it is complete."""

LOBBY, RATINGS, GENERATIONS = "lobby", "ratings", "generations"
"""What is announced to those who wait: new changes in the lobby's feed, ratings that moved, another generation is read."""

_RETRIES, _FEED, _AUDITED, _FAILED = "retry", "feed", "audit:at", "audit:failed"


class FencedError(FoldtableError):
    """The lease is gone, so nothing was written: another may be at work by now."""


class ForeignDataError(FoldtableError):
    """A key of the read models holds what they do not keep there: another has written it. Logs have nothing to do with it."""


@dataclass(frozen=True, slots=True)
class Target:
    """One generation of one read model."""

    name: str
    generation: int

    def part(self, *names: str) -> str:
        """The name of one of its parts."""
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
    """Writes that belong together. Puts, ranks, their opposites and sums come first, ``steps`` after them in their order."""

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
        """Deletes a part with all that is in it."""
        self.steps.append(Clear(part))

    def name_generation(self, kind: str, target: Target) -> None:
        """Makes a target the one of its kind."""
        self.steps.append(NameGeneration(kind, target))

    def unname_generation(self, kind: str, name: str) -> None:
        """Leaves a read model without a generation of that kind."""
        self.steps.append(UnnameGeneration(kind, name))

    def forget_revision(self, revision: str) -> None:
        """Removes all names of the generations of a read model's revision; see ``ReadModels.outdated``."""
        for kind in KINDS:
            self.drop(kind, revision)

    def discard(self, target: Target) -> None:
        """Gives a generation up: belongs to the write after which nothing refers to it. ``empty_trash`` deletes it."""
        self.steps.append(Discard(target))

    def number_changes(self, numbers: Mapping[str, int], last: int) -> None:
        """Puts matches into the lobby's feed under new numbers, of which ``last`` is the highest."""
        for match_id, number in numbers.items():
            self.rank(_FEED, match_id, number)
        self.steps.append(EndFeed(last))

    def announce(self, what: str) -> None:
        """Sends a notification to every process that waits for changes of read models."""
        self.steps.append(Announce(what))

    def retried(self, match_id: str) -> None:
        """The match need not be done once more."""
        self.drop(_RETRIES, match_id)

    def audited(self, match_id: str, at: int, fault: bytes | None) -> None:
        """Notes that a match was verified (ms), and the fault, if there is any."""
        self.rank(_AUDITED, match_id, at)
        if fault is None:
            self.drop(_FAILED, match_id)
        else:
            self.put(_FAILED, match_id, fault)


def packed(row: Mapping[str, Any] | Sequence[Any]) -> bytes:
    """The bytes of a row, as tables keep it. Raises ``ValueError``, ``TypeError`` or ``OverflowError``."""
    made: bytes = msgpack.packb(row)
    return made


# -- the port ---------------------------------------------------------------------------------------------------------


class ReadModels(Protocol):
    """All methods raise ``UnavailableError`` when the server cannot answer, and ``ForeignDataError`` for keys of another kind."""

    def claim(self, work: str, ms: int) -> Lease | None:
        """The lease on some work, for so long; ``None`` if another holds it."""
        ...

    def is_claimed(self, work: str) -> bool:
        """Whether somebody holds the lease on some work."""
        ...

    def write(self, lease: Lease, batch: Batch) -> None:
        """Writes everything and extends the lease, in one round trip.

        Raises ``FencedError`` or ``ForeignDataError``; then it has written nothing.
        """
        ...

    def release(self, lease: Lease) -> None:
        """Lets the next one begin at once. Raises ``FencedError``."""
        ...

    # -- generations

    def generations(self, kind: str) -> dict[str, Target]:
        """The targets of one of ``KINDS``, by name; those of another revision left out."""
        ...

    def outdated(self, name: str) -> dict[str, set[Target]]:
        """Generations that other revisions have left behind: revision → targets."""
        ...

    def next_generation(self, name: str) -> Target:
        """A new one, empty, that nothing refers to yet."""
        ...

    def serving(self, name: str) -> Target | None:
        """The target to read from; ``None`` while none has ever been complete."""
        ...

    def empty_trash(self) -> None:
        """Deletes the generations that were given up; what is cut off here is done the next time."""
        ...

    # -- rows, lists and totals

    def checkpoints(self, target: Target) -> list[int]:
        """By shard, the change time up to which everything is in it."""
        ...

    def rows(self, target: Target, ids: Sequence[str], table: str = "rows") -> list[Row | None]:
        """``None`` where there is none, or none that can be read: then a rebuild tells, and its promotion mends."""
        ...

    def all_rows(self, target: Target, table: str = "rows") -> Iterator[tuple[str, Any]]:
        """Those that can be read."""
        ...

    def stored(self, target: Target, ids: Sequence[str], table: str = "rows") -> list[bytes | None]:
        """The bytes of rows."""
        ...

    def all_stored(self, target: Target, table: str = "rows") -> Iterator[tuple[str, bytes]]: ...

    def size(self, target: Target) -> int:
        """The number of rows."""
        ...

    def seen(self, target: Target, match_id: str) -> int:
        """The version that the match's row is of; 0 if there is none."""
        ...

    def known_version(self, match_id: str) -> int:
        """How far the match has been read; 0 if it is not known, or nothing is served yet. A log never gets shorter."""
        ...

    def page(self, target: Target, place: str, behind: Position | None, limit: int) -> list[Position]:
        """The next of a list, from the highest score, those of the same score by id; ``behind`` itself left out.

        One round trip, unless very many have the score of ``behind``.
        """
        ...

    def until(self, target: Target, place: str, score: int, limit: int) -> list[str]:
        """The matches of a list up to a score, from the lowest."""
        ...

    def since(self, target: Target, place: str, score: int, skipped: int, limit: int) -> list[Position]:
        """A list from a score on, from the lowest, without the first ones."""
        ...

    def totals(self, target: Target, subject: str) -> dict[str, int]: ...

    def amounts(self, target: Target, subject: str, names: Sequence[str]) -> list[int]:
        """Some of the totals of a subject."""
        ...

    def parked(self, target: Target) -> dict[str, Any]:
        """The matches that are not in it, and why."""
        ...

    # -- what is folded across matches: see ``service.readmodels.ratings``

    def marks(self, target: Target) -> dict[str, Position]:
        """By group, the first result that is not folded in yet."""
        ...

    def touched(self, target: Target, group: str) -> list[str]:
        """The players who have lost a result since the last fold, in order."""
        ...

    def leaders(self, target: Target, group: str, start: int, limit: int) -> list[str]:
        """The players of a leaderboard from a place on (0 is the best)."""
        ...

    def places(self, target: Target, player: str, groups: Sequence[str]) -> list[int | None]:
        """A player's place (0 is the best) on each leaderboard. One round trip."""
        ...

    def standings(self, target: Target, asked: Sequence[tuple[str, str]]) -> list[tuple[Any, int]]:
        """The value and the number of results of each player and group; ``None`` without a value. One round trip."""
        ...

    # -- whole parts, for comparison

    def parts(self, target: Target) -> set[str]:
        """The names of the parts that hold anything."""
        ...

    def ranking(self, target: Target, part: str) -> dict[str, float]:
        """All of a ranking."""
        ...

    def table(self, target: Target, part: str) -> dict[str, bytes]:
        """All of a table or of totals."""
        ...

    # -- the lobby's feed, matches to be done again, the audit's results

    def feed_end(self) -> int:
        """The number of the newest change of the lobby."""
        ...

    def feed(self, behind: int, limit: int) -> list[Position]:
        """The matches that changed behind a number, each with that of its last change, in order."""
        ...

    def retries(self) -> dict[str, int]:
        """The matches that are to be done once more, and a change time of each."""
        ...

    def ask_again(self, changes: Mapping[str, int]) -> None:
        """Has the worker do these matches once more. Needs no lease."""
        ...

    def count_audited(self, since: int) -> int:
        """The number of matches verified since then (ms)."""
        ...

    def audit_faults(self) -> dict[str, bytes]:
        """The matches that did not hold, and the fault of each."""
        ...

    def audited(self, ids: Sequence[str]) -> list[tuple[int | None, bool]]:
        """When each match was verified last (ms), and whether it did not hold."""
        ...
