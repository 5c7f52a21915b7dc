"""The verification that a match was played by its rules: decides every command once more on the state before it.

The dice are made from the seed, so this also proves every draw. It needs all secrets and the seed: the server has both at
any time, everybody else once the match has ended.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from domain import canonical, commands, events, hashchain, validation, wire
from domain.chance import SeededDice
from domain.changeover import decidable
from domain.commit import Commit
from domain.decide import Decision, decide, decide_open, entropy_with
from domain.evolve import advance, begin
from domain.game import AnyGame
from domain.hidden import ALL, Sees, visible
from domain.match import Act, Match, Refused
from domain.store import Entry
from replay.audit import Fault, Kind, link_fault, unreadable, untold, verify_log
from replay.record import Line, Record, sight_of

YEAR_10000 = 253_402_300_800_000
"""The start of the year 10000, in milliseconds since 1970-01-01 UTC; from then on a time has no usual ISO 8601 form."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One number that the dice gave: ``gave``, from 0 to ``below`` - 1."""

    below: int
    gave: int


class WitnessedDice(SeededDice):
    """The dice of a command that also keep every number they give."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.numbers: list[Draw] = []

    def below(self, bound: int) -> int:
        number = super().below(bound)
        self.numbers.append(Draw(bound, number))
        return number


@dataclass(frozen=True, slots=True)
class Again:
    """The result of deciding a stored command once more, compared with the stored commit."""

    decision: Decision
    draws: int
    numbers: tuple[Draw, ...]
    same: bool
    """True if it gave exactly the stored events, with exactly as many draws."""


def decided_again(match_id: str, game: AnyGame, before: Match | None, commit: Commit, seed: bytes) -> Again:
    """Decides the command of a commit again. ``before``: the whole match before it, ``None`` before the first commit."""
    command = commit.command
    entropy = (command.entropy,) if before is None else entropy_with(before, command)
    dice = WitnessedDice(seed, match_id, commit.version, commit.command_id, entropy)
    act = Act(commit.player, commit.at, dice)
    if before is None:
        opened = commit.events[0]
        decision = decide_open(game, command, act, opened.seed_commitment, opened.position, opened.protocol)
    else:
        decision = decide(before, command, act)
    same = False
    if not isinstance(decision, Refused) and dice.draws == commit.draws:
        again = dataclasses.replace(commit, events=decision)
        with suppress(TypeError, ValueError):  # A stored value that cannot be written is not the same.
            same = _written(match_id, game, again, seed) == _written(match_id, game, commit, seed)
    return Again(decision, dice.draws, tuple(dice.numbers), same)


def _written(match_id: str, game: AnyGame, commit: Commit, seed: bytes) -> bytes:
    """The public part of the commit as this code writes it, commitments included."""
    # Bytes are compared, not events: in Python 1, 1.0 and ``True`` are equal, as bytes they are not.
    return wire.encode(game, match_id, commit, seed, hashchain.GENESIS).public


class Judge:
    """Follows a match commit by commit and decides every command once more. About 100 µs a commit.

    Commits by rules whose code is not here are only followed: see ``decides``.
    """

    def __init__(self, match_id: str, game: AnyGame, seed: bytes) -> None:
        self._match_id = match_id
        self._game = game
        self._seed = seed
        self.match: Match | None = None
        """The match after the newest good commit."""
        self.decides = True
        """True if the rules are here by which each commit so far was decided."""

    @property
    def game(self) -> AnyGame:
        """The rules that the next commit is read by."""
        return self._game if self.match is None else self.match.game

    def judge(self, commit: Commit) -> Fault | None:
        """The fault of the next commit; ``None`` if it is as the rules and the seed have it.

        The commit must come from a log whose chain and commitments hold; its content may still be anything.
        """
        # Whoever wrote the log may have written any value into it, so any exception of the rules on it is a finding.
        try:
            _check_form(commit)
            decides = self._decides(commit)
            self.decides &= decides
            fault = self._fault(commit) if decides else None
            if fault is None:
                self.match = self._after(commit)
        except Exception:
            return _nonsense(commit)
        return fault

    def follow(self, commit: Commit, sees: Sees = ALL) -> Fault | None:
        """Follows the next commit of a match of which only the part for ``sees`` is known. Decides nothing again.

        Returns its fault, like ``judge``.
        """
        try:
            _check_form(commit)
            self.match = self._after(commit, sees)
        except Exception:
            return _nonsense(commit)
        return None

    def _after(self, commit: Commit, sees: Sees = ALL) -> Match:
        if self.match is None:
            return begin(self._match_id, self._game, commit)
        return advance(self.match, commit, sees)

    def _decides(self, commit: Commit) -> bool:
        if self.match is None:
            return bool(commit.events[0].rules == self._game.version)
        return decidable(self.match, commit)

    def _fault(self, commit: Commit) -> Fault | None:
        _check_command(self.game, commit)
        again = decided_again(self._match_id, self.game, self.match, commit, self._seed)
        if again.same:
            return None
        if isinstance(again.decision, Refused):
            rule = f" ({again.decision.rule})" if again.decision.rule else ""
            return Fault(commit.version, "illegal", f"The rules refuse it{rule}: {again.decision.message}")
        kind: Kind = "wrong_chance" if again.draws or commit.draws else "illegal"
        reason = (
            "the draws do not follow from the seed" if kind == "wrong_chance" else "the rules do not give its events"
        )
        return Fault(commit.version, kind, f"Deciding it again gives something else: {reason}.")


def _nonsense(commit: Commit) -> Fault:
    return Fault(commit.version, "illegal", "It is nothing that could have been done then.")


def verify_played(
    match_id: str, game: AnyGame | None, entries: Sequence[Entry], seed: bytes, judge: Judge | None
) -> Iterator[Fault | None]:
    """Checks entry by entry like ``audit.verify_log``, and has the judge decide each commit whose bytes are good.

    Yields ``None`` for each good version, and ends behind the first ``Fault``.
    """
    for entry, fault in zip(entries, verify_log(match_id, game, entries, seed), strict=False):
        if fault is None and game is not None and judge is not None:
            fault = judge.judge(wire.decode(judge.game, entry))
        yield fault
        if fault is not None:
            return


def verify_record(record: Record, game: AnyGame, judge: Judge) -> Iterator[Fault | None]:
    """Checks everything about a record but its signature. Yields ``None`` for each good version; ends behind a ``Fault``.

    The judge follows the match in any case. It decides commands again only if the record has the seed.
    """
    entries = record.entries
    found = _disclosed(record, entries, judge) if record.seed is None else _complete(record, entries, game, judge)
    for fault in found:
        yield fault
        if fault is not None:
            return
    yield _header_fault(record, entries, game)


def _complete(record: Record, entries: Sequence[Entry], game: AnyGame, judge: Judge) -> Iterator[Fault | None]:
    seed = record.seed or b""
    fault = None
    for line, fault in zip(record.lines, verify_played(record.match_id, game, entries, seed, judge), strict=False):
        salts = [secret.salt for secret in line.secrets if secret is not None]
        if fault is None and salts != [hashchain.salt(seed, line.version, index) for index in range(len(salts))]:
            fault = Fault(line.version, "secret_altered", "A salt does not follow from the seed.")
        yield fault
    if fault is None and judge.match is not None and not judge.match.ended:
        yield Fault(
            len(entries) + 1, "truncated", "The seed is told, so the match must be over; but its end is missing."
        )


def _disclosed(record: Record, entries: Sequence[Entry], judge: Judge) -> Iterator[Fault | None]:
    """Checks a record without a seed: the chain, the secrets of its reader, and that the match is not over."""
    previous = hashchain.GENESIS
    for expected, line in enumerate(record.lines, 1):
        fault = link_fault(record.match_id, entries, expected, previous) or _line_fault(record, line, judge.game)
        yield fault or _following_fault(line, judge, sight_of(record.sees))
        previous = line.hash
    if judge.match is not None and judge.match.ended:
        yield Fault(None, "wrong_seed", "The match is over, and its seed and all secrets should be told.")


def _line_fault(record: Record, line: Line, game: AnyGame) -> Fault | None:
    try:
        untold(game, line.entry)
        if not canonical.is_canonical(line.entry):
            return unreadable(line.version)
    except wire.UnreadableError:
        return unreadable(line.version)
    promised = wire.commitments(line.public)
    if len(promised) != len(line.secrets):
        return Fault(line.version, "secret_altered", "It has not as many secrets as it commits to.")
    for index, ((seats, commitment), told) in enumerate(zip(promised, line.secrets, strict=True)):
        if (told is not None) != visible(seats, sight_of(record.sees)):
            known = "told to" if told is not None else "kept from"
            return Fault(
                line.version, "secret_altered", f"Secret {index} is wrongly {known} its reader ({record.sees})."
            )
        if told is not None:
            opened = hashchain.commitment(told.salt, record.match_id, line.version, index, told.value)
            if opened != commitment:
                return Fault(line.version, "secret_altered", f"Secret {index} is not the one that was committed to.")
    return None


def _following_fault(line: Line, judge: Judge, sees: Sees) -> Fault | None:
    try:
        return judge.follow(wire.decode(judge.game, line.entry), sees)
    except wire.UnreadableError:
        return unreadable(line.version)


def _header_fault(record: Record, entries: Sequence[Entry], game: AnyGame) -> Fault | None:
    """The fault of a record whose header does not fit its entries."""
    if record.version > len(entries):
        return Fault(len(entries) + 1, "truncated", f"The record says that it has {record.version} versions.")
    if (record.version, record.head) != (len(entries), entries[-1].hash):
        return Fault(len(entries), "altered", "It is not the newest version that the record names.")
    opened = wire.decode(game, entries[0]).events[0]
    if (record.seed is not None) != (record.sees == "all") or (
        record.sees.isdigit() and int(record.sees) >= opened.seats
    ):
        return Fault(None, "altered", f"It does not hold the knowledge that it names: {record.sees}.")
    if (record.game, record.rules) != (opened.game, opened.rules):
        return Fault(1, "altered", "It opens another game, or other rules of it, than the record names.")
    return None


def _check_form(commit: Commit) -> None:
    """Raises for a commit that no server could have written, whatever the game: fields of other types, impossible times."""
    texts = (commit.player, commit.token, commit.command_id)
    if not all(type(text) is str for text in texts) or type(commit.draws) is not int:
        raise ValueError("a field of another type")
    if type(commit.at) is not int or not 0 <= commit.at < YEAR_10000:
        raise ValueError("a time that is none")


def _check_command(game: AnyGame, commit: Commit) -> None:
    """Raises for a command that no server could have accepted: fields of other types, a position that cannot exist."""
    command = commit.command
    if isinstance(command, commands.Move):
        validation.read(int, command.seat)
        game.read_move(game.plain_move(command.move))
    elif isinstance(command, commands.Open):
        _check_opening(game, command, commit.events[0])
    else:
        validation.read(type(command), validation.plain(command))


def _check_opening(game: AnyGame, command: commands.Open, opened: events.Opened) -> None:
    options = validation.read(game.options, command.options)
    if (fault := game.options_fault(options, command.seats)) is not None:
        raise fault
    if command.positioned != (opened.position is not None):
        raise ValueError("a position that was not posted")
    if opened.position is not None:
        if game.parse(game.view(opened.position), command.seats, options) != opened.position:
            raise ValueError("a position that cannot be posted")
        for fault in game.check(opened.position):
            raise fault
