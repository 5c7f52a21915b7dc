"""The command handler, the only writer: decides a command on a match, appends the commit, and retries after a conflict.

A usual command costs one round trip to the log: it is decided on the cached state, and the append carries the version and
hash on which it was decided. If the cache is out of date, the append conflicts. Before anything is *refused*, the tail of
the log is read and the command decided once more, so that a stale cache never refuses wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from domain import commands, hashchain, validation, wire
from domain.chance import SEED_BYTES, SeededDice, seed_commitment
from domain.commit import Commit
from domain.decide import decide, decide_open, entropy_with
from domain.drafts import Draft, complete
from domain.errors import NewerReleaseError
from domain.evolve import advance, begin
from domain.game import AnyGame
from domain.match import Act, Match, Refused
from domain.protocol import NEWEST
from domain.store import Conflict, Entry, QuarantinedError, Sealing, UnavailableError, Unsealed
from domain.validation import MalformedError
from service.integrity.heads import signature_of
from service.matches import access, ids
from service.matches.cache import CommandIds, Loaded
from service.matches.repository import MatchRepository
from service.players.tokens import Caller
from service.ports import Clock, Entropy
from service.problems import ProblemError, newer_release, refusal

ATTEMPTS = 64
"""The most attempts after conflicts. So many conflicts in a row mean that something is wrong."""


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """The sender of a command, and the conditions under which it is executed."""

    caller: Caller
    command_id: str | None = None
    """The Idempotency-Key."""
    if_match: frozenset[int] | None = None
    """The versions that the sender knows (If-Match); ``None``: any version is accepted."""
    invite: str | None = None

    def opens(self) -> str | None:
        """Returns the id of the match that this request opens if it opens one; ``None`` without a command id."""
        return None if self.command_id is None else ids.match_id(self.caller.player, self.command_id)

    def named(self, command_id: str) -> CommandRequest:
        """Returns the same sender's request for a further command, under another command id."""
        return CommandRequest(self.caller, command_id, None, self.invite)


@dataclass(frozen=True, slots=True)
class Executed:
    """An accepted command: the match right after it, and its commit."""

    match: Match
    commit: Commit
    seed: bytes
    signature: bytes
    """The signature of the receipt."""
    repeated: bool = False
    """True if it was accepted earlier, so that this is its first result again."""


class CommandHandler:
    """Executes commands on matches. One for each process; safe to use from several greenlets."""

    def __init__(self, matches: MatchRepository, clock: Clock, entropy: Entropy) -> None:
        self.matches = matches
        self._clock = clock
        self._entropy = entropy

    def open(self, request: CommandRequest, game: AnyGame, command: commands.Open, position: Any = None) -> Executed:
        """Opens a match; the same player and command id always open the same one. Raises ``ProblemError``."""
        command_id = request.command_id or ids.command_id(self._entropy.bytes(8))
        match_id = ids.match_id(request.caller.player, command_id)
        seed = self._entropy.bytes(SEED_BYTES)
        act = Act(request.caller.player, self._clock.now(), SeededDice(seed, match_id, 1, command_id, ()))
        # Never newer than this code, also if a newer release has raised the setting already.
        protocol = min(self.matches.store.protocol(), NEWEST)
        events = decide_open(game, command, act, seed_commitment(seed).hex(), position, protocol)
        if isinstance(events, Refused):
            raise refusal(events)
        commit = _commit(1, act, request.caller, command_id, command, events, 0)
        entry = wire.encode(game, match_id, commit, seed, hashchain.GENESIS)
        sealing = self._sealing(match_id, entry, hashchain.GENESIS)
        if self._append(match_id, entry, hashchain.GENESIS, sealing, seed) is not None:
            return self._opened_before(match_id, request, command_id, command, position)
        match = begin(match_id, game, commit.stored_as(entry.hash, wire.count_secrets(entry)))
        loaded = Loaded(match, seed, CommandIds())
        loaded.commands.add(commit.player, command_id, 1)
        self.matches.cache.put(loaded)
        return Executed(match, commit, seed, signature_of(sealing.seal))

    def _opened_before(
        self, match_id: str, request: CommandRequest, command_id: str, command: commands.Open, position: Any
    ) -> Executed:
        loaded = self.matches.fresh(match_id)
        done = self._repeated(loaded, 1, command, command_id)
        if done.commit.events[0].position != position:
            raise _reused(command_id)
        return done

    def execute(self, match_id: str, request: CommandRequest, asked: Any) -> Executed:
        """Decides a command, or the command that a draft becomes on the match, and appends its commit.

        Raises ``ProblemError`` or ``MalformedError``; then nothing was appended. If the command id is in the log already,
        returns the first result again. One round trip if the match is cached and no other writer was faster.
        """
        caller = request.caller
        command_id = request.command_id or ids.command_id(self._entropy.bytes(8))
        cached = self.matches.cache.get(match_id)
        visitor = access.Visitor(caller.player, request.invite)
        loaded, fresh = (cached, False) if cached is not None else (self.matches.fresh(match_id, visitor), True)
        for _attempt in range(ATTEMPTS):
            try:
                visitor.check(loaded.match, loaded.seed)
                if (earlier := loaded.commands.version(caller.player, command_id)) is not None:
                    return self._repeated(loaded, earlier, asked, command_id)
                _check_version(loaded.match, request.if_match)
                commit = self._decided(loaded, _completed(loaded.match, asked, caller.player), caller, command_id)
            except (ProblemError, MalformedError):
                # A cached state may be stale, so its refusal does not count: only a state just read from the log refuses.
                if fresh:
                    raise
                loaded, fresh = self.matches.fresh(match_id, visitor), True
                continue
            match = loaded.match
            entry = wire.encode(match.game, match_id, commit, loaded.seed, match.head)
            sealing = self._sealing(match_id, entry, match.head)
            conflict = self._append(match_id, entry, match.head, sealing)
            if conflict is None:
                stored = commit.stored_as(entry.hash, wire.count_secrets(entry))
                return self._committed(loaded, stored, signature_of(sealing.seal))
            loaded, fresh = self.matches.follow(loaded, conflict), True
        raise ProblemError(
            "busy", "Other commands on this match were faster too often; try again.", headers={"Retry-After": "1"}
        )

    def _decided(self, loaded: Loaded, command: Any, caller: Caller, command_id: str) -> Commit:
        match = loaded.match
        version = match.version + 1
        dice = SeededDice(loaded.seed, match.id, version, command_id, entropy_with(match, command))
        # Time never goes back within a match, whatever the clock of this process says.
        act = Act(caller.player, max(self._clock.now(), match.at), dice)
        try:
            events = decide(match, command, act)
        except NewerReleaseError as fault:
            raise newer_release(fault) from fault
        if isinstance(events, Refused):
            raise refusal(events)
        return _commit(version, act, caller, command_id, command, events, dice.draws)

    def _committed(self, loaded: Loaded, commit: Commit, signature: bytes) -> Executed:
        """Caches and returns the match after a commit that is in the log now."""
        loaded.commands.add(commit.player, commit.command_id, commit.version)
        after = Loaded(advance(loaded.match, commit), loaded.seed, loaded.commands)
        self.matches.cache.put(after)
        return Executed(after.match, commit, loaded.seed, signature)

    def _sealing(self, match_id: str, entry: Entry, previous: bytes) -> Sealing:
        """Signs the entry, before it is appended: the receipt has the same signature."""
        seals = self.matches.seals
        before = seals.mac(match_id, entry.version - 1, previous)
        return Sealing(before, seals.seal(match_id, entry.version, entry.hash))

    def _append(
        self, match_id: str, entry: Entry, previous: bytes, sealing: Sealing, seed: bytes | None = None
    ) -> Conflict | None:
        """Appends an entry; returns ``None`` once it is in the log. Raises ``QuarantinedError``.

        Retries once on ``UnavailableError``; safe because append is idempotent.
        """
        store = self.matches.store
        try:
            result = store.append(match_id, entry, previous, seed, sealing)
        except UnavailableError:
            result = store.append(match_id, entry, previous, seed, sealing)
        except QuarantinedError:
            self.matches.follow_quarantine(match_id)
            raise
        if isinstance(result, Unsealed):
            # Sealed by a key since replaced, or by an older release not at all; otherwise this raises.
            self.matches.check_seal(match_id, entry.version - 1, previous, result.seal)
            result = store.append(match_id, entry, previous, seed, replace(sealing, before=result.seal.mac))
        # Sealed again in between: the log is read again then, as after any other conflict.
        return Conflict(()) if isinstance(result, Unsealed) else result if isinstance(result, Conflict) else None

    def _repeated(self, loaded: Loaded, version: int, asked: Any, command_id: str) -> Executed:
        """Returns the first result of a repeated command. Raises ``ProblemError`` if the id was used for another command."""
        match = loaded.match
        (entry,) = self.matches.store.read(match.id, version - 1, 1)
        commit = wire.decode(match.game_at(version), entry)
        before = self.matches.at(match, version - 1) if version > 1 else match
        try:
            again = _completed(before, asked, commit.player)
        except (ProblemError, MalformedError) as fault:
            # It could not have been given at that version, so it is another command.
            raise _reused(command_id) from fault
        # Compared as plain data, because a list comes back from the log as a tuple.
        if type(again) is not type(commit.command) or validation.plain(again) != validation.plain(commit.command):
            raise _reused(command_id)
        after = advance(before, commit) if version > 1 else self.matches.at(match, 1)
        seal = self.matches.seals.seal(match.id, version, after.head)
        return Executed(after, commit, loaded.seed, signature_of(seal), repeated=True)


def _commit(
    version: int, act: Act, caller: Caller, command_id: str, command: Any, events: tuple[Any, ...], draws: int
) -> Commit:
    return Commit(version, act.at, caller.player, caller.token, command_id, command, events, draws, b"")


def _completed(match: Match, asked: Any, player: str) -> Any:
    """Returns the command, completed on the match if it is a draft. Raises ``ProblemError`` and ``MalformedError``."""
    if not isinstance(asked, Draft):
        return asked
    command = complete(match, asked, player)
    if isinstance(command, Refused):
        raise refusal(command)
    return command


def _check_version(match: Match, known: frozenset[int] | None) -> None:
    """Raises ``ProblemError`` if none of the known versions is still good: the newest, or any since the choice opened."""
    if known is not None and not any(match.since <= version <= match.version for version in known):
        raise ProblemError("stale_version", f"The match is now at version {match.version}.")


def _reused(command_id: str) -> ProblemError:
    return ProblemError(
        "key_reused", f"You have already used the Idempotency-Key {command_id} for another command here."
    )
