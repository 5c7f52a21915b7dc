"""Brings read models up to date: follows the change index, reads tails, folds, and writes what comes of it in one piece.

A match is folded once, whatever is made of it. Its new row replaces the old one wherever that stood, so doing it twice
changes nothing, and being killed anywhere loses nothing: row, lists, totals and checkpoint are one write.

A match that cannot be folded, or that a read model stumbles over, is *parked* there: it stays as it was, is told by name, and
holds up nothing else.
"""

from __future__ import annotations

import gc
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from domain import hashchain, wire
from domain.game import AnyGame
from domain.hashchain import GENESIS
from domain.store import SHARDS, ArchivedError, Changed, Entry, Store, UnavailableError, shard_of
from projections import PROJECTIONS
from projections.match_facts import MatchFacts, begun
from projections.projection import Row
from service.ports import FineClock
from service.ports.readmodels import LOBBY, Batch, FencedError, Lease, ReadModels, Target, packed
from service.readmodels.ratings import mark_results

TOGETHER = 100
"""Matches of one write."""
KEPT_COMMITS = 100_000
"""How many commits' stories stay in memory, over all matches that still run."""

AHEAD = 200
"""Entries of a match that are read together with those of others; few, for a hundred matches are in memory at once."""
GARBAGE_AFTER = 50_000
"""Folding makes many small things and no cycles, so the collector would look for some in vain: a sixth of the time."""

_log = logging.getLogger(__name__)

Told = Mapping[str, MatchFacts | Exception]
Ahead = Mapping[str, tuple[int, Sequence[Entry]]]
"""Match → the version behind which its log was read, and what was there."""
Wanted = Callable[[Target, Sequence[Changed]], list[Changed]]


@dataclass(frozen=True, slots=True)
class Folded:
    """What was worked off."""

    matches: int = 0
    commits: int = 0

    def __add__(self, other: Folded) -> Folded:
        return Folded(self.matches + other.matches, self.commits + other.commits)


def collect_less() -> None:
    """For a process that does nothing but fold."""
    gc.set_threshold(GARBAGE_AFTER, 50, 50)


class Folder:
    """Tells the stories of matches, those that still run from where they were."""

    def __init__(self, store: Store, games: Mapping[str, AnyGame], kept_commits: int = KEPT_COMMITS) -> None:
        self._store = store
        self._games = games
        self._left = kept_commits
        self._stories: OrderedDict[str, MatchFacts] = OrderedDict()
        self.commits = 0
        """How many were folded so far."""

    def read_ahead(self, ids: Iterable[str]) -> Ahead:
        """What of the log is lacking of these matches, as far as it is short; one round trip."""
        known = ((match_id, self._stories.get(match_id)) for match_id in ids)
        after = {match_id: 0 if story is None else story.match.version - 1 for match_id, story in known}
        found = self._store.read_each(after, AHEAD)
        return {match_id: (after[match_id], entries) for match_id, entries in found.items()}

    def told(self, match_id: str, ahead: Ahead) -> MatchFacts:
        """The story to the log's present end, some of which may have been read ahead. Raises whatever is wrong with the log."""
        known = self._stories.pop(match_id, None)
        if known is not None:
            self._left += known.match.version
        story = (known and self._from(known, ahead)) or self._from_the_start(match_id, ahead)
        if not story.match.ended:
            self._stories[match_id] = story
            self._left -= story.match.version
            while self._left < 0:
                self._left += self._stories.popitem(last=False)[1].match.version
        return story

    def forget(self, match_id: str) -> None:
        """Begins anew with this match the next time."""
        known = self._stories.pop(match_id, None)
        if known is not None:
            self._left += known.match.version

    def _entries(self, match_id: str, after: int, ahead: Ahead) -> Sequence[Entry]:
        begun, entries = ahead.get(match_id, (-1, ()))
        if begun != after:
            return self._store.read(match_id, after)
        if len(entries) < AHEAD:
            return entries
        return (*entries, *self._store.read(match_id, entries[-1].version))

    def _from(self, story: MatchFacts, ahead: Ahead) -> MatchFacts | None:
        """``None`` if the log does not hold what is known."""
        match = story.match
        entries = self._entries(match.id, match.version - 1, ahead)
        if not entries or entries[0].hash != match.head:
            return None
        for entry in entries[1:]:
            story = _followed(story, entry)
        self.commits += len(entries) - 1
        return story

    def _from_the_start(self, match_id: str, ahead: Ahead) -> MatchFacts:
        entries = self._entries(match_id, 0, ahead)
        if not entries:
            raise wire.UnreadableError("the log is empty")
        game = self._games.get(wire.game_of(entries[0]))
        if game is None:
            raise wire.UnreadableError("unknown game")
        _check_link(match_id, 0, GENESIS, entries[0])
        story = begun(match_id, game, wire.decode(game, entries[0]))
        for entry in entries[1:]:
            story = _followed(story, entry)
        self.commits += len(entries)
        return story


def _followed(story: MatchFacts, entry: Entry) -> MatchFacts:
    match = story.match
    _check_link(match.id, match.version, match.head, entry)
    return story.after(wire.decode(match.game, entry))


def _check_link(match_id: str, version: int, head: bytes, entry: Entry) -> None:
    """Nothing is told of a match whose chain is broken. About 2 µs."""
    if entry.version != version + 1 or hashchain.link(match_id, version + 1, head, entry.public) != entry.hash:
        raise wire.UnreadableError(f"version {version + 1} does not follow from the version before")


class Projector:
    """Works for whoever holds a lease, on some targets."""

    def __init__(
        self,
        store: Store,
        views: ReadModels,
        games: Mapping[str, AnyGame],
        lease: Lease,
        feed_clock: FineClock | None = None,
    ) -> None:
        """With a clock, changes are numbered and announced to live lobbies and to readers who wait, too."""
        self._store = store
        self._views = views
        self._feed = None if feed_clock is None else Feed(feed_clock, views.feed_end())
        self._folder = Folder(store, games)
        self._lease = lease
        self._at: dict[Target, list[int]] = {}
        self._parked: dict[Target, set[str]] = {}

    @property
    def targets(self) -> tuple[Target, ...]:
        return tuple(self._at)

    def take_on(self, targets: Iterable[Target]) -> None:
        """Works on exactly these from now on, each from its own checkpoints."""
        wanted = tuple(targets)
        for target in wanted:
            if target not in self._at:
                self._at[target] = self._views.checkpoints(target)
                self._parked[target] = set(self._views.parked(target))
        self._at = {target: self._at[target] for target in wanted}
        self._parked = {target: self._parked[target] for target in wanted}

    def catch_up(self, shards: Iterable[int] = range(SHARDS), told: Callable[[Folded], None] | None = None) -> Folded:
        """Works off everything that has changed in these shards. Raises ``FencedError`` when the lease is gone."""
        done, waiting = Folded(), deque(shards)
        while waiting:
            changes = self._changes(waiting)
            if changes:
                done += self._work_off(changes)
                if told is not None:
                    told(done)
        return done

    def again(self, asked: Mapping[str, int]) -> Folded:
        """Does these matches once more, from their streams, whatever was parked or known of them."""
        for match_id in asked:
            self._folder.forget(match_id)
            for parked in self._parked.values():
                parked.discard(match_id)
        batch = Batch()
        for match_id in asked:
            batch.retried(match_id)
        rows = [Changed(match_id, at) for match_id, at in asked.items()]
        return self._write(rows, lambda _target, changes: list(changes), batch) if rows else Folded()

    def _changes(self, waiting: deque[int]) -> list[Changed]:
        """As many changes as make one write. Shards that may have more go to the end of the queue, others leave it."""
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

    def _work_off(self, changes: Sequence[Changed]) -> Folded:
        last = {shard_of(row.match_id): row.at for row in changes}
        batch = Batch()
        for target, at in self._at.items():
            for shard, reached in last.items():
                if at[shard] < reached:
                    batch.put(target.part("at"), str(shard), reached)
        done = self._write(changes, self._news, batch)
        for at in self._at.values():
            for shard, reached in last.items():
                at[shard] = max(at[shard], reached)
        return done

    def _news(self, target: Target, changes: Sequence[Changed]) -> list[Changed]:
        """Those that this target has not had."""
        at = self._at[target]
        return [row for row in changes if row.at > at[shard_of(row.match_id)]]

    def _write(self, changes: Sequence[Changed], wanted: Wanted, batch: Batch) -> Folded:
        before = self._folder.commits
        ahead = self._folder.read_ahead([row.match_id for row in changes])
        told = {row.match_id: self._told(row.match_id, ahead) for row in changes}
        moved: set[str] = set()
        for target in self._at:
            rows = [row for row in wanted(target, changes) if row.match_id not in self._parked[target]]
            moved |= self._put(target, rows, told, batch)
        if self._feed is not None:
            # A change that came while its match was being read is in already, and does not count as another.
            self._feed.add([row.match_id for row in changes if row.match_id in moved], batch)
        self._views.write(self._lease, batch)
        return Folded(len(changes), self._folder.commits - before)

    def _told(self, match_id: str, ahead: Ahead) -> MatchFacts | Exception:
        try:
            return self._folder.told(match_id, ahead)
        except (UnavailableError, FencedError):
            raise
        except Exception as fault:
            return fault

    def _put(self, target: Target, rows: Sequence[Changed], told: Told, batch: Batch) -> set[str]:
        """What these matches come to in one target, in place of what they came to before. Those that came to something else."""
        old = self._views.rows(target, [row.match_id for row in rows])
        results: list[tuple[str, Row | None, Row | None]] = []
        for changed, before in zip(rows, old, strict=True):
            story = told[changed.match_id]
            try:
                if isinstance(story, Exception):
                    raise story
                after = PROJECTIONS[target.name].row(story)
                replace_row(target, changed, story.match.version, before, after, batch)
            except Exception as fault:
                self._park(target, changed, fault, batch)
            else:
                results.append((changed.match_id, before, after))
        mark_results(self._views, target, results, batch)
        return {match_id for match_id, before, after in results if before != after}

    def _park(self, target: Target, changed: Changed, fault: Exception, batch: Batch) -> None:
        """The reason names the fault only: its text may hold what is in the match."""
        reason = str(fault) if isinstance(fault, (wire.UnreadableError, ArchivedError)) else type(fault).__name__
        _log.error("parked in %s: match %s: %s", target, changed.match_id, reason)
        self._parked[target].add(changed.match_id)
        batch.put(target.part("parked"), changed.match_id, packed({"at": changed.at, "reason": reason}))


class Feed:
    """Numbers the lobby's changes.

    The numbers are times, in microseconds: that of a public change tells nothing of how many private ones came before. So a
    coarser clock would not do.
    """

    def __init__(self, clock: FineClock, last: int) -> None:
        self._clock = clock
        self._last = last

    def add(self, ids: Iterable[str], batch: Batch) -> None:
        """Adds the changes of these matches to a write, which is announced in any case: it may be what a reader waits for."""
        numbers: dict[str, int] = {}
        for match_id in ids:
            self._last = numbers[match_id] = max(self._last + 1, self._clock.micros())
        if numbers:
            batch.number_changes(numbers, self._last)
        batch.announce(LOBBY)


def replace_row(
    target: Target, changed: Changed, version: int, before: Row | None, after: Row | None, batch: Batch
) -> None:
    """Puts a match's new row where the old one was; all or nothing, for what can fail is asked first."""
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
