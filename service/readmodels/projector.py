"""The projector: follows the change index, folds the new commits, and writes the results to the read models.

A match is folded once for all read models. Its new row replaces the old one wherever that stood, and row, lists, totals and
checkpoint are one write: projecting a match twice changes nothing, and being killed at any point loses nothing.

A match that cannot be folded, or at which a read model fails, is *parked* there: its old row stays, it is reported by id,
and it does not delay other matches.
"""

from __future__ import annotations

import gc
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from domain import hashchain, wire
from domain.errors import NewerReleaseError
from domain.game import AnyGame, NewerRulesError
from domain.hashchain import GENESIS
from domain.protocol import NewerProtocolError
from domain.rulebook import game_of
from domain.store import SHARDS, ArchivedError, Changed, Entry, Store, UnavailableError, shard_of
from projections import PROJECTIONS
from projections.match_facts import MatchFacts, begun
from projections.projection import Row
from replay.audit import Fault
from service.integrity.quarantine import quarantine
from service.ports import FineClock
from service.ports.readmodels import LOBBY, Batch, FencedError, Lease, ReadModels, Target, packed
from service.readmodels.ratings import mark_results

TOGETHER = 100
"""The most matches of one write."""
KEPT_COMMITS = 100_000
"""The most commits whose facts stay in memory, over all running matches."""

AHEAD = 200
"""The most entries of a match that are read together with those of others; few, since 100 matches are in memory at once."""
GARBAGE_AFTER = 50_000
"""The garbage collector's threshold. Folding makes many small objects and no cycles; at Python's usual threshold the
collector would take a sixth of the time and find nothing.
"""

NEWER = (NewerProtocolError.code, NewerRulesError.code)
"""The reasons of parked matches that only a newer release can read."""

_log = logging.getLogger(__name__)

Facts = Mapping[str, MatchFacts | Exception]
Ahead = Mapping[str, tuple[int, Sequence[Entry]]]
"""Match → the version after which its log was read, and the entries found."""
Wanted = Callable[[Target, Sequence[Changed]], list[Changed]]


@dataclass(frozen=True, slots=True)
class Folded:
    """The progress of a projector: matches and commits folded."""

    matches: int = 0
    commits: int = 0

    def __add__(self, other: Folded) -> Folded:
        return Folded(self.matches + other.matches, self.commits + other.commits)


def tune_garbage_collection() -> None:
    """Makes the garbage collector run rarely, for a process that does nothing but fold."""
    gc.set_threshold(GARBAGE_AFTER, 50, 50)


class BrokenChainError(wire.UnreadableError):
    """An entry does not continue the hash chain: damage, whatever the code of this process knows."""

    def __init__(self, version: int) -> None:
        super().__init__(f"version {version} does not follow from the version before")
        self.version = version


class FactsReader:
    """Reads the facts of matches from their logs, and keeps those of running matches, so that only the tail is folded."""

    def __init__(self, store: Store, games: Mapping[str, AnyGame], kept_commits: int = KEPT_COMMITS) -> None:
        self._store = store
        self._games = games
        self._room = kept_commits
        """The number of commits that may still be kept; negative only while a match is added."""
        self._known: OrderedDict[str, MatchFacts] = OrderedDict()
        self.commits = 0
        """The number of commits folded so far."""

    def read_ahead(self, ids: Iterable[str]) -> Ahead:
        """Reads the unread entries of these matches, up to ``AHEAD`` each. One round trip."""
        known = ((match_id, self._known.get(match_id)) for match_id in ids)
        after = {match_id: 0 if facts is None else facts.match.version - 1 for match_id, facts in known}
        found = self._store.read_each(after, AHEAD)
        return {match_id: (after[match_id], entries) for match_id, entries in found.items()}

    def facts(self, match_id: str, ahead: Ahead) -> MatchFacts:
        """Returns the facts up to the present end of the log, using entries read ahead.

        Raises any error of the log or of folding it: ``UnreadableError``, ``DamagedError``, ``UnavailableError`` and others.
        """
        known = self._known.pop(match_id, None)
        if known is not None:
            self._room += known.match.version
        # The kept facts are never trusted: see ``_continue``.
        facts = (known and self._continue(known, ahead)) or self._fold(match_id, ahead)
        if not facts.match.ended:
            self._known[match_id] = facts
            self._room -= facts.match.version
            while self._room < 0:
                self._room += self._known.popitem(last=False)[1].match.version
        return facts

    def forget(self, match_id: str) -> None:
        """Drops the kept facts, so that the match is folded from its first entry the next time."""
        known = self._known.pop(match_id, None)
        if known is not None:
            self._room += known.match.version

    def _entries(self, match_id: str, after: int, ahead: Ahead) -> Sequence[Entry]:
        start, entries = ahead.get(match_id, (-1, ()))
        if start != after:
            return self._store.read(match_id, after)
        if len(entries) < AHEAD:
            return entries
        return (*entries, *self._store.read(match_id, entries[-1].version))

    def _continue(self, facts: MatchFacts, ahead: Ahead) -> MatchFacts | None:
        """Folds the tail of the log; returns ``None`` if the log does not contain the last version of these facts."""
        match = facts.match
        entries = self._entries(match.id, match.version - 1, ahead)
        if not entries or entries[0].hash != match.head:
            return None
        for entry in entries[1:]:
            facts = _followed(facts, entry)
        self.commits += len(entries) - 1
        return facts

    def _fold(self, match_id: str, ahead: Ahead) -> MatchFacts:
        entries = self._entries(match_id, 0, ahead)
        if not entries:
            raise wire.UnreadableError("the log is empty")
        _check_link(match_id, 0, GENESIS, entries[0])
        game = game_of(self._games, entries[0])
        facts = begun(match_id, game, wire.decode(game, entries[0]))
        for entry in entries[1:]:
            facts = _followed(facts, entry)
        self.commits += len(entries)
        return facts


def _followed(facts: MatchFacts, entry: Entry) -> MatchFacts:
    match = facts.match
    _check_link(match.id, match.version, match.head, entry)
    return facts.after(wire.decode(match.game, entry))


def _check_link(match_id: str, version: int, head: bytes, entry: Entry) -> None:
    """Raises ``UnreadableError`` if the entry does not continue the hash chain: nothing after it is shown. About 2 µs."""
    if entry.version != version + 1 or hashchain.link(match_id, version + 1, head, entry.public) != entry.hash:
        raise BrokenChainError(version + 1)


class Projector:
    """Projects the log into some generations, under a lease. For one thread."""

    def __init__(
        self,
        store: Store,
        views: ReadModels,
        games: Mapping[str, AnyGame],
        lease: Lease,
        feed_clock: FineClock | None = None,
        kept_commits: int = KEPT_COMMITS,
    ) -> None:
        """``feed_clock``: also numbers the changes and notifies live lobbies and waiting queries."""
        self._store = store
        self._views = views
        self._feed = None if feed_clock is None else Feed(feed_clock, views.feed_end())
        self._reader = FactsReader(store, games, kept_commits)
        self._lease = lease
        self._at: dict[Target, list[int]] = {}
        self._parked: dict[Target, set[str]] = {}

    @property
    def targets(self) -> tuple[Target, ...]:
        return tuple(self._at)

    def set_targets(self, targets: Iterable[Target]) -> None:
        """Projects into exactly these generations from now on, each from its own checkpoints."""
        wanted = tuple(targets)
        for target in wanted:
            if target not in self._at:
                self._at[target] = self._views.checkpoints(target)
                self._parked[target] = set(self._views.parked(target))
                self._retry_for_newer(target)
        self._at = {target: self._at[target] for target in wanted}
        self._parked = {target: self._parked[target] for target in wanted}

    def _retry_for_newer(self, target: Target) -> None:
        """Asks for another try at matches that needed a newer release: this process may be it."""
        parked = self._views.parked(target).items()
        if again := {match_id: why["at"] for match_id, why in parked if why["reason"] in NEWER}:
            self._views.request_retry(again)

    def catch_up(self, shards: Iterable[int] = range(SHARDS), report: Callable[[Folded], None] | None = None) -> Folded:
        """Projects everything that has changed in these shards. ``report`` gets the progress after each write.

        Raises ``FencedError`` when the lease is lost, and ``UnavailableError``.
        """
        done = Folded()
        for folded in self.catching_up(shards):
            done += folded
            if report is not None:
                report(done)
        return done

    def catching_up(self, shards: Iterable[int] = range(SHARDS)) -> Iterator[Folded]:
        """Does the same, and yields after each write, so that the work may be interrupted."""
        waiting = deque(shards)
        while waiting:
            changes = self._changes(waiting)
            if changes:
                yield self._project(changes)

    def retry(self, asked: Mapping[str, int]) -> Folded:
        """Projects these matches (match → change time) again from their first entry, parked or not. Raises as ``catch_up``."""
        for match_id in asked:
            self._reader.forget(match_id)
            for parked in self._parked.values():
                parked.discard(match_id)
        batch = Batch()
        for match_id in asked:
            batch.clear_retry(match_id)
        rows = [Changed(match_id, at) for match_id, at in asked.items()]
        return self._write(rows, lambda _target, changes: list(changes), batch) if rows else Folded()

    def _changes(self, waiting: deque[int]) -> list[Changed]:
        """Returns the changes of one write. Shards that may have more go to the end of the queue, the others leave it."""
        changes: list[Changed] = []
        for _ in range(len(waiting)):
            if len(changes) >= TOGETHER:
                break
            shard = waiting.popleft()
            since = min((at[shard] for at in self._at.values()), default=None)
            rows = () if since is None else self._store.changes(shard, since, TOGETHER - len(changes))
            changes += rows
            if rows:
                waiting.append(shard)
        return changes

    def _project(self, changes: Sequence[Changed]) -> Folded:
        last = {shard_of(row.match_id): row.at for row in changes}
        batch = Batch()
        for target, at in self._at.items():
            for shard, reached in last.items():
                if at[shard] < reached:
                    batch.put(target.part("at"), str(shard), reached)
        done = self._write(changes, self._unseen, batch)
        for at in self._at.values():
            for shard, reached in last.items():
                at[shard] = max(at[shard], reached)
        return done

    def _unseen(self, target: Target, changes: Sequence[Changed]) -> list[Changed]:
        """Returns the changes that this generation does not include yet."""
        at = self._at[target]
        return [row for row in changes if row.at > at[shard_of(row.match_id)]]

    def _write(self, changes: Sequence[Changed], wanted: Wanted, batch: Batch) -> Folded:
        before = self._reader.commits
        ahead = self._reader.read_ahead([row.match_id for row in changes])
        facts = {row.match_id: self._facts(row.match_id, ahead) for row in changes}
        moved: set[str] = set()
        for target in self._at:
            rows = [row for row in wanted(target, changes) if row.match_id not in self._parked[target]]
            moved |= self._put(target, rows, facts, batch)
        if self._feed is not None:
            # A later change of a match may have been read with this one; its row then stays the same and gets no new number.
            self._feed.add([row.match_id for row in changes if row.match_id in moved], batch)
        self._views.write(self._lease, batch)
        return Folded(len(changes), self._reader.commits - before)

    def _facts(self, match_id: str, ahead: Ahead) -> MatchFacts | Exception:
        try:
            return self._reader.facts(match_id, ahead)
        except (UnavailableError, FencedError):
            raise
        except BrokenChainError as fault:
            # The audit will name the version; until then nobody must play on over this log.
            quarantine(
                self._store, match_id, Fault(fault.version, "altered", "It does not follow from the version before.")
            )
            return fault
        except Exception as fault:  # A damaged match is parked, whatever its error, and delays no other.
            return fault

    def _put(self, target: Target, rows: Sequence[Changed], facts: Facts, batch: Batch) -> set[str]:
        """Replaces the rows of these matches in one generation; returns the matches whose row has changed."""
        old = self._views.rows(target, [row.match_id for row in rows])
        results: list[tuple[str, Row | None, Row | None]] = []
        for changed, before in zip(rows, old, strict=True):
            found = facts[changed.match_id]
            try:
                if isinstance(found, Exception):
                    raise found
                after = PROJECTIONS[target.name].row(found)
                replace_row(target, changed, found.match.version, before, after, batch)
            except Exception as fault:
                self._park(target, changed, fault, batch)
            else:
                results.append((changed.match_id, before, after))
        mark_results(self._views, target, results, batch)
        return {match_id for match_id, before, after in results if before != after}

    def _park(self, target: Target, changed: Changed, fault: Exception, batch: Batch) -> None:
        """Parks a match. Logs and stores the class of an unexpected error only: its text may contain secrets of the match."""
        reason = str(fault) if isinstance(fault, (wire.UnreadableError, ArchivedError)) else type(fault).__name__
        reason = fault.code if isinstance(fault, NewerReleaseError) else reason
        _log.error("parked match %s in %s: %s", changed.match_id, target, reason)
        self._parked[target].add(changed.match_id)
        batch.put(target.part("parked"), changed.match_id, packed({"at": changed.at, "reason": reason}))


class Feed:
    """The numbers of the lobby's changes.

    The numbers are times in microseconds, so that the number of a public change does not reveal how many private ones came
    before. A coarser clock would: its numbers would have to be counted up within one tick.
    """

    def __init__(self, clock: FineClock, last: int) -> None:
        self._clock = clock
        self._last = last

    def add(self, ids: Iterable[str], batch: Batch) -> None:
        """Adds the changes of these matches to a write. Notifies in any case, because a query may wait for this write."""
        numbers: dict[str, int] = {}
        for match_id in ids:
            self._last = numbers[match_id] = max(self._last + 1, self._clock.micros())
        if numbers:
            batch.number_changes(numbers, self._last)
        batch.announce(LOBBY)


def replace_row(
    target: Target, changed: Changed, version: int, before: Row | None, after: Row | None, batch: Batch
) -> None:
    """Replaces the old row of a match by the new one, with its places in lists and its share of totals."""
    # Everything that can raise comes before the first change of the batch, so that a match is written whole or parked.
    projection, match_id = PROJECTIONS[target.name], changed.match_id
    data = b"" if after is None else packed(after)
    old_places = set() if before is None else set(projection.places(before))
    new_places = {} if after is None else projection.places(after)
    old_totals = {} if before is None else projection.totals(before)
    new_totals = {} if after is None else projection.totals(after)
    for place in sorted(old_places - new_places.keys()):
        batch.unrank(target.part("l", place), match_id)
    for place, score in new_places.items():
        batch.rank(target.part("l", place), match_id, changed.at if score is None else score)
    for sign, totals in ((-1, old_totals), (1, new_totals)):
        for subject, amounts in totals.items():
            for name, amount in amounts.items():
                batch.add(target.part("t", subject), name, sign * amount)
    batch.put(target.part("seen"), match_id, version)
    batch.drop(target.part("parked"), match_id)
    if after is None:
        batch.drop(target.part("rows"), match_id)
    else:
        batch.put(target.part("rows"), match_id, data)
