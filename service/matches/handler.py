"""The only writer: load a match, decide a command on it, append what happens, and try again if somebody was faster.

A usual command costs one round trip to the log: it is decided on the cached state, and the append carries the version and
hash that it was decided on. A cache that is out of date is found out by the append; before anything is *refused*, the
tail of the log is read and the command decided once more, so that a stale cache never refuses wrongly.
"""

from __future__ import annotations

import hmac
import logging
from base64 import b32encode
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from domain import commands, hashchain, validation, wire
from domain.chance import SEED_BYTES, SeededDice, seed_commitment
from domain.commit import Commit
from domain.decide import decide, decide_open, entropy_with
from domain.dispute import as_of
from domain.game import AnyGame
from domain.match import Act, Match, Refused, advance, begin, fold
from domain.store import Conflict, Damaged, Entry, Store, Unavailable
from domain.validation import Malformed
from service.matches import ids
from service.matches.cache import Loaded, MatchCache
from service.players.tokens import Caller
from service.ports import Clock, Entropy
from service.problems import Problem, refusal

_log = logging.getLogger(__name__)

LISTED = 500
"""How many of the newest matches a plain list looks through."""

ATTEMPTS = 64
"""How often a command is decided anew because others were faster. Losing so often means that something is wrong."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the sender of a command says about it, whatever the command."""

    caller: Caller
    command_id: str | None = None
    """The Idempotency-Key."""
    if_match: frozenset[int] | None = None
    """The versions that the sender knows; ``None``: any will do."""
    invite: str | None = None

    def named(self, command_id: str) -> Request:
        """The same sender's request for something that follows from this one, under an id of its own."""
        return Request(self.caller, command_id, None, self.invite)


@dataclass(frozen=True, slots=True)
class Done:
    """An accepted command: the match right after it, and its commit."""

    match: Match
    commit: Commit
    seed: bytes
    repeated: bool = False
    """Whether it was accepted before, and this is the answer of then."""


MakeCommand = Callable[[Match], Any]
"""Makes the command for a match, whose game and seats it may depend on; raises ``Problem`` or ``Malformed``."""


class Matches:
    """All matches, read and written. One a process; safe to use from several greenlets."""

    def __init__(
        self, store: Store, games: Mapping[str, AnyGame], clock: Clock, entropy: Entropy, cache: MatchCache
    ) -> None:
        self._store = store
        self._games = games
        self._clock = clock
        self._entropy = entropy
        self._cache = cache

    # -- reading ------------------------------------------------------------------------------------------------------

    def now(self) -> int:
        """What the clock says, in milliseconds since 1970-01-01 UTC."""
        return self._clock.now()

    def current(self, match_id: str, player: str | None, invite: str | None = None) -> Match:
        """The match as it is in the log right now. Raises ``Problem`` if there is none that this player may know of."""
        return as_of(self._visible(self._fresh(match_id), player, invite).match, self._clock.now())

    def entries(self, match_id: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """Stored entries; who may see the match has been asked before."""
        return list(self._store.read(match_id, after, limit))

    def newest(self, player: str | None, limit: int = LISTED) -> Iterator[Match]:
        """The matches that changed last, newest first, that this player may know of; at most ``limit`` are looked at.

        One that cannot be read is left out, and told in the service's own log.
        """
        for row in self._store.newest(limit):
            try:
                loaded = self._fresh(row.match_id)
            except (wire.Unreadable, Damaged, Problem) as fault:
                _log.error("not listed: match %s: %s", row.match_id, fault)
                continue
            if self.is_visible(loaded.match, player):
                yield as_of(loaded.match, self._clock.now())

    def for_audit(
        self, match_id: str, player: str | None, invite: str | None
    ) -> tuple[list[Entry], AnyGame | None, Match | None]:
        """All stored entries, the game if the first of them names one, and the match as far as they can be folded.

        Whether a match is private is not known if not even its first entry can be read; then nothing of it is known.
        """
        entries = list(self._store.read(match_id)) if ids.is_match_id(match_id) else []
        if not entries:
            raise _no_match()
        game = match = None
        try:
            game = self._game_of(entries[0])
            for entry in entries:
                match = _folded(match_id, game, match, wire.decode(game, entry))
        except wire.Unreadable:
            pass  # The audit says where.
        if match is not None:
            self._visible(Loaded(match, self.seed(match_id), OrderedDict()), player, invite)
        return entries, game, match

    def seed(self, match_id: str) -> bytes:
        """As it is stored; empty if it is gone."""
        try:
            return self._store.seed(match_id) or b""
        except Damaged:
            return b""

    def _fresh(self, match_id: str) -> Loaded:
        """Cached and caught up, or loaded."""
        cached = self._cache.get(match_id)
        loaded = None if cached is None else self._caught_up(cached)
        if loaded is None:
            loaded = self._load(match_id)
        if loaded is None:
            raise _no_match()
        self._cache.put(loaded)
        return loaded

    def _load(self, match_id: str) -> Loaded | None:
        """Folded from the log's beginning; ``None`` if there is no such match."""
        entries = self._store.read(match_id) if ids.is_match_id(match_id) else ()
        if not entries:
            return None
        seed = self._store.seed(match_id)
        if seed is None:
            raise wire.Unreadable(f"the match {match_id} has no seed")
        game = self._game_of(entries[0])
        _check_link(match_id, 0, hashchain.GENESIS, entries[0])
        first = wire.decode(game, entries[0])
        loaded = Loaded(_folded(match_id, game, None, first), seed, OrderedDict())
        loaded.remember((first.player, first.command_id), 1)
        return _with(loaded, entries[1:])

    def _game_of(self, first: Entry) -> AnyGame:
        name = wire.game_of(first)
        if name not in self._games:
            raise wire.Unreadable(f"unknown game {name}")
        return self._games[name]

    def _caught_up(self, loaded: Loaded) -> Loaded | None:
        """With the log's tail; ``None`` if the log does not hold what was cached (it lost its end, and went on)."""
        match = loaded.match
        tail = self._store.read(match.id, after=match.version - 1)
        if not tail or tail[0].hash != match.head:
            self._cache.drop(match.id)
            return None
        return _with(loaded, tail[1:])

    def _visible(self, loaded: Loaded, player: str | None, invite: str | None) -> Loaded:
        """Raises ``Problem`` where a private match may not be known of: 404, as if it were not there."""
        if self.is_visible(loaded.match, player):
            return loaded
        if invite is None or not hmac.compare_digest(invite.encode(), self.invite(loaded.seed).encode()):
            raise _no_match()
        return loaded

    @staticmethod
    def is_visible(match: Match, player: str | None) -> bool:
        """Whether this player may know of the match without an invite."""
        table = match.table
        if not table.private:
            return True
        return player is not None and (table.seat_of(player) is not None or player in (table.host, table.arbiter))

    @staticmethod
    def invite(seed: bytes) -> str:
        """What lets into a private match: derived from its seed, so that nothing more need be kept."""
        return b32encode(hmac.digest(seed, b"invite", "sha256")[:10]).decode().lower()

    # -- writing ------------------------------------------------------------------------------------------------------

    def open(self, request: Request, game: AnyGame, command: commands.Open, position: Any = None) -> Done:
        """Opens a match. The same player and command id always open the same one."""
        command_id = request.command_id or ids.command_id(self._entropy.bytes(8))
        match_id = ids.match_id(request.caller.player, command_id)
        seed = self._entropy.bytes(SEED_BYTES)
        act = Act(request.caller.player, self._clock.now(), SeededDice(seed, match_id, 1, command_id, ()))
        events = decide_open(game, command, act, seed_commitment(seed).hex(), position)
        if isinstance(events, Refused):
            raise refusal(events)
        commit = _commit(1, act, request.caller, command_id, command, events, 0)
        entry = wire.encode(game, match_id, commit, seed, hashchain.GENESIS)
        if isinstance(self._append(match_id, entry, hashchain.GENESIS, seed), Conflict):
            return self._opened_before(match_id, request, command_id, command, position)
        match = begin(match_id, game, commit.stored_as(entry.hash, wire.count_secrets(entry)))
        loaded = Loaded(match, seed, OrderedDict())
        loaded.remember((commit.player, command_id), 1)
        self._cache.put(loaded)
        return Done(match, commit, seed)

    def _opened_before(
        self, match_id: str, request: Request, command_id: str, command: commands.Open, position: Any
    ) -> Done:
        loaded = self._fresh(match_id)
        done = self._repeated(loaded, 1, lambda _match: command, command_id)
        if done.commit.events[0].position != position:
            raise _reused(command_id)
        return done

    def execute(self, match_id: str, request: Request, make: MakeCommand) -> Done:
        """Decides the command on the match and appends it. Raises ``Problem`` or ``Malformed``; then nothing happened.

        If the command id is in the log already, this is the answer of then.
        """
        caller = request.caller
        command_id = request.command_id or ids.command_id(self._entropy.bytes(8))
        cached = self._cache.get(match_id)
        loaded, fresh = (cached, False) if cached is not None else (self._fresh(match_id), True)
        for _attempt in range(ATTEMPTS):
            try:
                self._visible(loaded, caller.player, request.invite)
                if (earlier := loaded.commands.get((caller.player, command_id))) is not None:
                    return self._repeated(loaded, earlier, make, command_id)
                _check_version(loaded.match, request.if_match)
                commit = self._decided(loaded, make(loaded.match), caller, command_id)
            except (Problem, Malformed):
                if fresh:
                    raise
                loaded, fresh = self._fresh(match_id), True
                continue
            match = loaded.match
            entry = wire.encode(match.game, match_id, commit, loaded.seed, match.head)
            conflict = self._append(match_id, entry, match.head)
            if conflict is None:
                return self._won(loaded, commit.stored_as(entry.hash, wire.count_secrets(entry)))
            loaded, fresh = self._after(loaded, conflict), True
        raise Problem("busy", "Others were faster too often; ask again.", headers={"Retry-After": "1"})

    def _decided(self, loaded: Loaded, command: Any, caller: Caller, command_id: str) -> Commit:
        match = loaded.match
        version = match.version + 1
        dice = SeededDice(loaded.seed, match.id, version, command_id, entropy_with(match, command))
        act = Act(caller.player, self._clock.now(), dice)
        events = decide(match, command, act)
        if isinstance(events, Refused):
            raise refusal(events)
        return _commit(version, act, caller, command_id, command, events, dice.draws)

    def _won(self, loaded: Loaded, commit: Commit) -> Done:
        """Takes over a commit that is in the log now."""
        loaded.remember((commit.player, commit.command_id), commit.version)
        after = Loaded(advance(loaded.match, commit), loaded.seed, loaded.commands)
        self._cache.put(after)
        return Done(after.match, commit, loaded.seed)

    def _append(self, match_id: str, entry: Entry, previous: bytes, seed: bytes | None = None) -> Conflict | None:
        """``None`` if it is in the log. If the answer got lost, it is sent once more, which the store takes well."""
        try:
            result = self._store.append(match_id, entry, previous, seed)
        except Unavailable:
            result = self._store.append(match_id, entry, previous, seed)
        return result if isinstance(result, Conflict) else None

    def _after(self, loaded: Loaded, conflict: Conflict) -> Loaded:
        match, missing = loaded.match, conflict.missing
        if missing and missing[0].version == match.version + 1:
            follows = hashchain.link(match.id, match.version + 1, match.head, missing[0].public)
            if follows == missing[0].hash:
                after = _with(loaded, missing)
                self._cache.put(after)
                return after
        self._cache.drop(match.id)
        return self._fresh(match.id)

    # -- answering again ----------------------------------------------------------------------------------------------

    def _repeated(self, loaded: Loaded, version: int, make: MakeCommand, command_id: str) -> Done:
        """The first answer of a command, as of then, if this is the same command again."""
        match = loaded.match
        (entry,) = self._store.read(match.id, version - 1, 1)
        commit = wire.decode(match.game, entry)
        before = self.at(match, version - 1) if version > 1 else match
        try:
            asked = make(before)
        except (Problem, Malformed) as fault:
            # It could not even have been asked then, so it is another command.
            raise _reused(command_id) from fault
        # As plain data, for a list comes back from the log as a tuple.
        if type(asked) is not type(commit.command) or validation.plain(asked) != validation.plain(commit.command):
            raise _reused(command_id)
        return Done(advance(before, commit) if version > 1 else self.at(match, 1), commit, loaded.seed, repeated=True)

    def at(self, match: Match, version: int) -> Match:
        """The match as it was at an earlier version: folded from the log, about 20 µs a version."""
        if version == match.version:
            return match
        commits = [wire.decode(match.game, entry) for entry in self._store.read(match.id, limit=version)]
        folded = fold(match.id, match.game, commits)
        if folded is None or folded.version != version:
            raise Problem("version_not_found", f"The match has versions 1 to {match.version}.")
        return folded


def _with(loaded: Loaded, entries: Iterable[Entry]) -> Loaded:
    match = loaded.match
    for entry in entries:
        _check_link(match.id, match.version, match.head, entry)
        commit = wire.decode(match.game, entry)
        match = _folded(match.id, match.game, match, commit)
        loaded.remember((commit.player, commit.command_id), commit.version)
    return Loaded(match, loaded.seed, loaded.commands)


def _check_link(match_id: str, version: int, head: bytes, entry: Entry) -> None:
    """Nobody plays on where the chain is broken. About 2 µs."""
    if entry.version != version + 1 or hashchain.link(match_id, version + 1, head, entry.public) != entry.hash:
        raise wire.Unreadable(f"version {entry.version} of {match_id} does not follow from the version before")


def _folded(match_id: str, game: AnyGame, match: Match | None, commit: Commit) -> Match:
    """The match after one more commit out of the log. Raises ``Unreadable`` for one that was forged and makes no sense."""
    try:
        return begin(match_id, game, commit) if match is None else advance(match, commit)
    except Exception as fault:  # evolve checks nothing, so nonsense may break it anyhow
        raise wire.Unreadable(f"version {commit.version} does not follow from what is before it") from fault


def _commit(
    version: int, act: Act, caller: Caller, command_id: str, command: Any, events: tuple[Any, ...], draws: int
) -> Commit:
    return Commit(version, act.at, caller.player, caller.token, command_id, command, events, draws, b"")


def _check_version(match: Match, known: frozenset[int] | None) -> None:
    """Raises ``Problem`` if none of the known versions is still good: the newest, or any since the choice opened."""
    if known is not None and not any(match.since <= version <= match.version for version in known):
        raise Problem("stale_version", f"The match is at version {match.version} by now.")


def _no_match() -> Problem:
    return Problem("match_not_found")


def _reused(command_id: str) -> Problem:
    return Problem("key_reused", f"The Idempotency-Key {command_id} stands for another command of yours here.")
