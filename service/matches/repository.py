"""Loading matches: from the cache, caught up with the log, or folded from the beginning of the log.

The cache is never trusted: every read asks the log for the entries after the cached version, and checks the hash chain. A
cached match that the log no longer contains is dropped and folded again. A match that is loaded must have its seal: a log
that does not hold is put into quarantine by whoever reads it first.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

from domain import hashchain, wire
from domain.commit import Commit
from domain.deadlines import as_of
from domain.errors import NewerReleaseError
from domain.evolve import advance, begin
from domain.game import AnyGame
from domain.match import Match
from domain.rulebook import folded, game_of
from domain.store import Conflict, DamagedError, Entry, QuarantinedError, Seal, Store, Stored
from replay.audit import Fault, chain_fault, secrets_fault
from service.integrity.heads import Sealer, seal_fault
from service.integrity.quarantine import quarantine
from service.matches import access, ids
from service.matches.cache import CommandIds, Loaded, MatchCache
from service.matches.log_reader import PAGE, LogReader
from service.ports import Clock
from service.problems import ProblemError, newer_release

_log = logging.getLogger(__name__)

LISTED = 500
"""The most matches that ``newest`` reads."""

LOOKED_AT = 64
"""The first entries of a match that are read to learn who may know of it; far more than most matches have at the start."""


class MatchRepository:
    """Reads matches from the log through the cache. One for each process; safe to use from several greenlets."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        clock: Clock,
        cache: MatchCache,
        seals: Sealer,
        *,
        pause: Callable[[], None] = lambda: None,
        turn: Callable[[int], AbstractContextManager[None]] = lambda _commits: nullcontext(),
    ) -> None:
        """``pause`` and ``turn``: see ``LogReader``."""
        self._reader = LogReader(store, pause, turn)
        self.store = store
        self.seals = seals
        self._games = games
        self._clock = clock
        self.cache = cache
        self._quarantined: set[str] = set()
        """Matches whose quarantine began or ended lately: these are read from the log and never from the cache."""

    # -- reading ------------------------------------------------------------------------------------------------------

    def now(self) -> int:
        """Returns milliseconds since 1970-01-01 UTC."""
        return self._clock.now()

    def current(self, match_id: str, player: str | None, invite: str | None = None) -> Match:
        """Returns the match as the log has it now. Raises ``ProblemError`` if there is none that this player may know of.

        One round trip if the match is cached. Time-dependent facts (an expired dispute, say) are as of now.
        """
        visitor = access.Visitor(player, invite)
        loaded = self.fresh(match_id, visitor)
        visitor.check(loaded.match, loaded.seed)
        return as_of(loaded.match, self._clock.now())

    def entries(self, match_id: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """Returns stored entries. The caller has checked before that the match may be seen. Linear, with pauses."""
        return self._reader.entries(match_id, after, limit)

    def newest(self, player: str | None, limit: int = LISTED) -> Iterator[Match]:
        """Yields the matches that changed last and that this player may know of, newest first; reads ``limit`` at most.

        Leaves out a match that cannot be read, and logs it. One round trip a match.
        """
        for row in self.store.newest(limit):
            try:
                loaded = self.fresh(row.match_id)
            except (wire.UnreadableError, DamagedError, ProblemError) as fault:
                _log.error("cannot list match %s: %s", row.match_id, fault)
                continue
            if access.is_visible(loaded.match, player):
                yield as_of(loaded.match, self._clock.now())

    def for_audit(
        self, match_id: str, player: str | None, invite: str | None
    ) -> tuple[Stored, AnyGame | None, Match | None]:
        """Returns everything stored, the game if the first entry names one, and the match as far as it can be folded.

        If not even the first entry can be read, the match is ``None`` and its privacy unknown; but then nothing of it can
        be read either. Raises ``ProblemError`` (404, and for a sound log as ``fresh``).
        """
        visitor = access.Visitor(player, invite)
        sound = self._sound(match_id, visitor)
        stored = self._reader.whole(match_id) if ids.is_match_id(match_id) else None
        if stored is None or not stored.entries:
            raise access.not_found()
        if sound is not None:
            return stored, sound.game_at(0), sound
        game = match = None
        entries = stored.entries
        try:
            game = self._game_of(entries[0])
            for entry in self._reader.paced(entries):
                match, _commit = _after(match_id, game if match is None else match.game, match, entry)
        except wire.UnreadableError:
            pass  # The audit reports the version.
        except ProblemError:
            if self.damage(match_id, stored) is None:
                raise
        if match is not None:
            visitor.check(match, stored.seed or b"")
        return stored, game, match

    def _sound(self, match_id: str, visitor: access.Visitor) -> Match | None:
        """Returns the match as it is in memory or can be folded; ``None`` if its log is damaged or of a newer protocol."""
        try:
            loaded = self.fresh(match_id, visitor)
        except (wire.UnreadableError, DamagedError):
            return None
        except ProblemError as problem:
            if problem.code == access.NOT_FOUND:
                raise
            return None
        visitor.check(loaded.match, loaded.seed)
        return loaded.match

    def seed(self, match_id: str) -> bytes:
        """Returns the stored seed; empty if it is lost."""
        try:
            return self.store.seed(match_id) or b""
        except DamagedError:
            return b""

    def fresh(self, match_id: str, visitor: access.Visitor | None = None) -> Loaded:
        """Returns the match as the log has it now: caught up from the cache, or loaded.

        Raises ``ProblemError``: 404, or a code for a match that needs newer code (503) or older rules (409) to be read.
        Raises ``UnreadableError`` or ``QuarantinedError`` for a damaged log. One round trip if the match is cached. With a
        ``visitor``, a match that has started is refused to strangers before any work that is linear in it; the caller checks
        the result once more.
        """
        cached = None if match_id in self._quarantined else self.cache.get(match_id)
        if visitor is not None:
            self._admit(match_id, cached, visitor)
        loaded = None if cached is None else self._caught_up(cached)
        if loaded is None:
            loaded = self._load(match_id)
        if loaded is None:
            raise access.not_found()
        self.cache.put(loaded)
        return loaded

    def _admit(self, match_id: str, cached: Loaded | None, visitor: access.Visitor) -> None:
        """Raises ``ProblemError`` (404) for a private match that the visitor may not know of, after little work.

        Otherwise the time of the refusal would say how long the match is, and a stranger could have it folded.
        """
        if cached is not None:
            match = cached.match
        else:
            entries = self.store.read(match_id, limit=LOOKED_AT) if ids.is_match_id(match_id) else ()
            if not entries:
                raise access.not_found()
            found = self._beginning(match_id, entries)
            if found is None:
                return
            match = found
        # Nobody comes or goes once a match has started, so what is known of it by then is enough to refuse.
        if match.status != "open" and not access.is_visible(match, visitor.player):
            visitor.check(match, self.seed(match_id) if cached is None else cached.seed)

    def _beginning(self, match_id: str, entries: Sequence[Entry]) -> Match | None:
        """Folds a match until it has started, or to the last of these entries; ``None`` if they cannot be read."""
        match = None
        try:
            game = self._game_of(entries[0])
            for entry in entries:
                match, _commit = _after(match_id, game if match is None else match.game, match, entry)
                if not match.table.private or match.status != "open":
                    break
        except (wire.UnreadableError, ProblemError):
            return None  # Reading all of it raises what is to be answered.
        return match

    def _load(self, match_id: str) -> Loaded | None:
        """Folds a match from the beginning of its log; returns ``None`` if there is no such match. About 25 µs a version."""
        stored = self._reader.whole(match_id) if ids.is_match_id(match_id) else None
        if stored is None or not stored.entries:
            return None
        if stored.quarantine is not None:
            raise QuarantinedError(match_id)
        self._quarantined.discard(match_id)
        entries = stored.entries
        # In this order: an altered entry is damage, also if it now names a protocol that does not exist yet.
        if (fault := self.damage(match_id, stored)) is not None:
            self.quarantine(match_id, fault)
            raise QuarantinedError(match_id)
        game, seed = self._game_of(entries[0]), stored.seed or b""
        # Nothing is dealt, shown or signed from a seed or a secret that the log does not commit to.
        if (fault := secrets_fault(match_id, game, entries, seed, self._reader.pause)) is not None:
            self.quarantine(match_id, fault)
            raise QuarantinedError(match_id)
        match, first = _after(match_id, game, None, entries[0])
        loaded = Loaded(match, seed, CommandIds())
        loaded.commands.add(first.player, first.command_id, 1)
        return self._with(loaded, self._reader.paced(entries[1:]), checked=True)

    def damage(self, match_id: str, stored: Stored) -> Fault | None:
        """Returns a fault that shows whatever the code of this process knows: of the chain, the seed, the seal."""
        if (fault := chain_fault(match_id, stored.entries, self._reader.pause)) is not None:
            return fault
        if stored.seed is None:
            return Fault(1, "wrong_seed", "The seed is lost.")
        last = stored.entries[-1]
        if self.seals.is_sealed(match_id, last.version, last.hash, stored.seal):
            return None
        return self.seals.fault(match_id, stored.entries, stored.seal)

    def quarantine(self, match_id: str, fault: Fault) -> None:
        """Puts a damaged match into quarantine, and drops what this process remembers of it."""
        quarantine(self.store, match_id, fault)
        self.follow_quarantine(match_id)

    def follow_quarantine(self, match_id: str | None) -> None:
        """Takes up that the quarantine of a match began or ended; ``None``: asks the store for all that are in quarantine."""
        changed = self.store.quarantined().keys() if match_id is None else {match_id}
        for each in changed:
            self._quarantined.add(each)
            self.cache.drop(each)

    def check_quarantine(self, match_id: str) -> None:
        """Raises ``QuarantinedError`` if the match is in quarantine, as far as this process has heard of it."""
        if match_id in self._quarantined and match_id in self.store.quarantined():
            raise QuarantinedError(match_id)

    def check_seal(self, match_id: str, version: int, head: bytes, seal: Seal) -> None:
        """Raises ``QuarantinedError`` if the head that a commit is to follow does not have the seal of this server."""
        if not self.seals.is_sealed(match_id, version, head, seal) and self.seals.required():
            self.quarantine(match_id, seal_fault(version, seal))
            raise QuarantinedError(match_id)

    def _game_of(self, first: Entry) -> AnyGame:
        try:
            return game_of(self._games, first)
        except NewerReleaseError as fault:
            raise newer_release(fault) from fault

    def _caught_up(self, loaded: Loaded) -> Loaded | None:
        """Folds the tail of the log; returns ``None`` if the log does not contain the cached version (it lost its end)."""
        match = loaded.match
        # The cached version itself is read too: only an equal hash proves that this is the log that was cached.
        tail = self.store.read(match.id, after=match.version - 1, limit=PAGE)
        if not tail or tail[0].hash != match.head or len(tail) == PAGE:
            # So far behind, it is folded from the beginning: with pauses, during which nobody may see a shared ``commands``.
            self.cache.drop(match.id)
            return None
        return self._with(loaded, tail[1:])

    def follow(self, loaded: Loaded, conflict: Conflict) -> Loaded:
        """Catches up with the commits that an append conflicted with: from its reply, or by reading the log again."""
        match, missing = loaded.match, conflict.missing
        # The reply saves a read, but only if it continues the cached chain; otherwise the cache was wrong.
        if missing and missing[0].version == match.version + 1:
            follows = hashchain.link(match.id, match.version + 1, match.head, missing[0].public)
            if follows == missing[0].hash:
                after = self._with(loaded, missing)
                self.cache.put(after)
                return after
        self.cache.drop(match.id)
        return self.fresh(match.id)

    def _with(self, loaded: Loaded, entries: Iterable[Entry], *, checked: bool = False) -> Loaded:
        """Folds more entries. ``checked``: their chain has been verified."""
        match = loaded.match
        for entry in entries:
            # Checked on every load, and not only by audits: otherwise a new commit would sign a tampered history.
            if not checked:
                self.check_link(match, entry)
            match, commit = _after(match.id, match.game, match, entry)
            loaded.commands.add(commit.player, commit.command_id, commit.version)
        return Loaded(match, loaded.seed, loaded.commands)

    def check_link(self, match: Match, entry: Entry) -> None:
        """Raises ``QuarantinedError`` if the entry does not continue the hash chain. About 2 µs."""
        version = match.version + 1
        if entry.version != version or hashchain.link(match.id, version, match.head, entry.public) != entry.hash:
            self.quarantine(match.id, Fault(version, "altered", "It does not follow from the version before."))
            raise QuarantinedError(match.id)

    def at(self, match: Match, version: int) -> Match:
        """Returns the match at an earlier version, folded from the log: about 20 µs a version. Raises ``ProblemError`` (404)."""
        if version == match.version:
            return match
        entries = self._reader.paced(self._reader.pages(match.id, limit=version))
        earlier = folded(match.id, match.game_at(0), entries)
        if earlier is None or earlier.version != version:
            raise ProblemError("version_not_found", f"The match has versions 1 to {match.version}.")
        return earlier


def _after(match_id: str, game: AnyGame, match: Match | None, entry: Entry) -> tuple[Match, Commit]:
    """Returns the match after one more stored commit, and the commit. ``game``: the rules to read it by.

    Raises ``UnreadableError`` for a forged commit that cannot be applied, and ``ProblemError`` if the rules are not here.
    """
    try:
        commit = wire.decode(game, entry)
        return begin(match_id, game, commit) if match is None else advance(match, commit), commit
    except NewerReleaseError as fault:
        raise newer_release(fault) from fault
    except Exception as fault:  # evolve checks nothing, so a forged commit may raise anything
        rules = wire.game_of(entry)[1] if match is None else match.table.rules
        if rules != game.version:
            message = (
                f"Version {rules} of the rules of {game.name} is not installed here, and no other reads this match."
            )
            raise ProblemError("rules_missing", message) from fault
        if isinstance(fault, wire.UnreadableError):
            raise
        raise wire.UnreadableError(f"version {entry.version} does not follow from what is before it") from fault
