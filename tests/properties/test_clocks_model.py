"""Clocks against an account that is kept in another way: by what each seat has spent in each turn, added up anew each time.

Moves, returns, requests, disputes, missed answers, absences of the server and restarts come at random and at random times. No
sequence of them may give a seat more time than the account allows, or less.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pytest

from domain import commands, events
from domain.commands import AnswerUndo, Clock, Dispute, ExtendClocks, GiveRuling, Lapse, Move, Redo, RunOut, Undo
from domain.evolve import fold
from domain.game import AnyGame
from domain.games import all_games
from domain.match import Match
from domain.retirement import stand_in
from tests.support import toy
from tests.support.clocked import PEOPLE, SECOND, Clocked
from tests.support.dice import RandomDice
from tests.support.played_games import SOAK
from tests.support.timed_log import MATCH_ID

STEPS = 120
SEEDS = 4 * SOAK
TURN = Clock(turn=120, answer=30)
BANK = Clock(bank=5000, increment=7, answer=30)


@dataclass
class Line:
    """The versions of a match and where each comes from, kept in plain dictionaries."""

    game: AnyGame
    parent: dict[int, int] = field(default_factory=dict)
    match: dict[int, Match] = field(default_factory=dict)
    by: dict[int, int | None] = field(default_factory=dict)
    """Version of a move → the seat that made it; ``None``: the server did."""

    def turn(self, version: int) -> object:
        return self.game.turn_of(self.match[version].state)

    def seat_on_turn(self, version: int) -> int:
        turn = self.game.turn_of(self.match[version].state)
        return -1 if turn is None else turn.seat

    def to_move(self, version: int) -> frozenset[int]:
        return self.game.to_move(self.match[version].state)

    def root(self, version: int) -> int:
        """The version by which the turn of this one began."""
        if self.turn(version) is None:
            return 0
        while version in self.parent and self.turn(self.parent[version]) == self.turn(version):
            version = self.parent[version]
        return version

    def opened(self, version: int) -> int:
        """The version by which the choice that is open at this one opened."""
        while version in self.parent:
            before = self.parent[version]
            if version in self.by:
                left = self.to_move(before) - ({self.by[version]} if self.by[version] is not None else set())
                if len(self.to_move(before)) < 2 or not self.to_move(version) or not self.to_move(version) <= left:
                    return version
            version = before
        return version

    def thinking(self, version: int, out: set[int]) -> int | None:
        """The seat whose turn clock runs."""
        alone = self.to_move(version) == {self.seat_on_turn(version)} and len(self.to_move(self.opened(version))) == 1
        return self.seat_on_turn(version) if alone and self.seat_on_turn(version) not in out else None

    def path(self, version: int) -> list[int]:
        found = [version]
        while version in self.parent:
            version = self.parent[version]
            found.append(version)
        return found


class Account:
    """The time of each seat by design, from all that was spent and given."""

    def __init__(self, clock: Clock, line: Line, seats: int, now: int) -> None:
        self.clock, self.line, self.seats = clock, line, seats
        self.spent: Counter[int] = Counter()
        """Root of a turn → what was spent in it and not given back."""
        self.extra: Counter[int] = Counter()
        """What was given besides: by root of a turn, or with banks by seat."""
        self.earned: dict[int, int] = {}
        """Version by which a turn ended → its seat, as long as the increment is its."""
        self.ends_seen: set[int] = set()
        self.due: dict[int, int] = {}
        self.now = now
        self.out: set[int] = set()
        self.stopped: int | None = None
        self.ask(0, now)

    @property
    def version(self) -> int:
        return max(self.line.match)

    def left(self, seat: int, root: int) -> int:
        if self.clock.turn is not None:
            return self.clock.turn * SECOND - self.spent[root] + self.extra[root]
        spent = sum(span for turn, span in self.spent.items() if self.line.seat_on_turn(turn) == seat)
        increments = sum(1 for earner in self.earned.values() if earner == seat) * self.clock.increment
        return ((self.clock.bank or 0) + increments) * SECOND - spent + self.extra[-1 - seat]

    def give(self, seat: int, root: int, span: int) -> None:
        self.extra[root if self.clock.turn is not None else -1 - seat] += span

    def pass_time(self, version: int, at: int) -> None:
        """Charges the time since the last change to the turn that was open at this version."""
        if self.stopped is None and self.line.thinking(version, self.out) is not None:
            self.spent[self.line.root(version)] += at - self.now
        self.now = at if self.stopped is None else self.now

    def ask(self, before: int, at: int) -> None:
        """Sets the times to answer at the newest version."""
        version = self.version
        thinking = self.line.thinking(version, set())
        answering = set() if thinking is not None else set(self.line.to_move(version)) - self.out
        same = before and self.line.opened(before) == self.line.opened(version)
        full = at + self.clock.answer_seconds * SECOND
        self.due = {seat: self.due.get(seat, full) if same else full for seat in answering}

    def moved(self, before: int, at: int) -> None:
        self.pass_time(before, at)
        version = self.version
        if self.line.turn(before) != self.line.turn(version) and self.line.turn(before) is not None:
            self.earned[version] = self.line.seat_on_turn(before)
        self.ask(before, at)

    def returned(self, before: int, to: int, at: int, free_by: int | None) -> None:
        self.pass_time(before, at)
        line, version = self.line, self.version
        undone = [each for each in line.path(before) if each not in line.path(to) and each in line.by]
        for each in undone:
            self.earned.pop(each, None)
        if self.clock.bank is not None:
            # No bank is below nothing: a seat that has used its increments up cannot give them back.
            for seat in range(self.seats):
                self.give(seat, 0, max(0, -self.left(seat, 0)))
        lost = {each for each in undone if line.root(each) == each}
        if free_by is not None:
            for root in lost:
                if line.seat_on_turn(root) not in (free_by, -1):
                    self.spent[root], self.extra[root] = 0, min(self.extra[root], 0)
        thinking = line.thinking(version, self.out)
        if free_by is None and thinking is not None:
            root = line.root(version)
            least = self.clock.answer_seconds * SECOND
            self.give(thinking, root, max(0, least - self.left(thinking, root)))
        self.ask(before, self.now)

    def expected(self) -> list[tuple[int, int, str]]:
        """When each clock that runs will have run out."""
        if self.stopped is not None:
            return []
        found = [(at, seat, "answer") for seat, at in self.due.items()]
        thinking = self.line.thinking(self.version, self.out)
        if thinking is not None:
            found.append((self.now + self.left(thinking, self.line.root(self.version)), thinking, "turn"))
        return sorted(found)


class Driver:
    """A match and its account, to which the same things happen."""

    def __init__(self, game: AnyGame, seats: int, clock: Clock, seed: int) -> None:
        self.dice = RandomDice(seed)
        self.log = Clocked(game, seats, clock, undo=("consent", "consent", "host")[seed % 3])
        self.line = Line(game)
        self.line.match[self.log.match.version] = self.log.match
        self.account = Account(clock, self.line, seats, self.log.match.at)
        self.done: Counter[str] = Counter()

    # -- what happens -------------------------------------------------------------------------------------------------

    def step(self) -> None:
        if self.log.match.clocks is not None and self.log.match.status == "live":
            due = self.log.match.clocks.due()
            if due and due[0].at <= self.log.match.at:
                assert self.try_at(self.log.match.at, RunOut(), "house")
                return
        what = self.dice.choice(
            ("move",) * 8 + ("undo", "undo", "redo", "agree", "agree", "dispute", "away", "late", "late", "restart")
        )
        getattr(self, what)()

    def soon(self) -> int:
        """A time from now on at which nothing is due."""
        due = self.log.match.clocks.due() if self.log.match.clocks is not None else []
        room = due[0].at - self.log.match.at if due else 60 * SECOND
        return self.log.match.at + self.dice.below(max(1, min(room, self.dice.choice((2, 2, 200)) * SECOND)))

    def try_at(self, at: int, command: object, by: str) -> bool:
        """Does the command, if it is not refused, and enters it into the account."""
        before, match = self.log.match.version, self.log.match
        self.log.now = at - SECOND
        if self.log.attempt(command, by) is not None:
            return False
        self.done[type(command).__name__] += 1
        self.enter(before, match)
        return True

    def enter(self, before: int, match: Match) -> None:
        version, commit, account, line = self.log.match.version, self.log.commits[-1], self.account, self.line
        line.match[version], line.parent[version] = self.log.match, before
        happened, at = list(commit.events), commit.at
        if isinstance(happened[0], events.DisputeLapsed):
            self.settle(match.cases[-1].lapses_at)
            del happened[0]
        if happened and isinstance(happened[0], events.RulingBacked) and len(happened) > 1:
            del happened[0]
        match happened:
            case []:
                pass
            case [events.Rewound(to) | events.Restored(to), *ruled]:
                line.parent[version] = to
                account.returned(before, to, at, None if ruled else match.table.seat_of(commit.player))
                if ruled:
                    self.settle(at)
            case [events.UndoAnswered(), events.Rewound(to) | events.Restored(to)]:
                line.parent[version] = to
                account.returned(before, to, at, None)
            case [events.AnswerMissed(seat, due), *_]:
                line.by[version] = None
                account.moved(before, due)
                account.due.pop(seat, None) if seat not in line.to_move(version) else None
            case [events.Retired(), *_]:
                for event in happened:
                    if isinstance(event, events.Retired):
                        account.pass_time(before, event.due or at)
                        account.out.add(event.seat)
                        account.due.pop(event.seat, None)
            case [events.ClocksExtended(ms)]:
                thinking = line.thinking(version, account.out)
                if thinking is not None:
                    account.give(thinking, line.root(version), ms)
                account.due = {seat: due + ms for seat, due in account.due.items()}
            case [events.Disputed(), *_]:
                account.pass_time(before, at)
                account.stopped = at
            case [*_, events.Ruled()]:
                self.settle(at)
            case [events.RulingBacked() | events.UndoAsked() | events.UndoAnswered() | events.RequestExpired()]:
                pass
            case _:
                line.by[version] = match.seat_of(commit.player)
                account.moved(before, at)

    def settle(self, at: int) -> None:
        account = self.account
        assert account.stopped is not None
        account.due = {seat: due + at - account.stopped for seat, due in account.due.items()}
        account.now, account.stopped = at, None

    def move(self) -> None:
        if not self.log.match.to_move or self.log.match.status != "live":
            return
        seat = self.dice.choice(sorted(self.log.match.to_move))
        moves = self.log.legal(seat)
        by = stand_in(seat) if self.log.match.has_retired(seat) else PEOPLE[seat]
        assert self.try_at(self.soon(), Move(seat, self.dice.choice(moves)), by)

    def undo(self) -> None:
        self.back(Undo)

    def redo(self) -> None:
        self.back(Redo)

    def back(self, kind: type) -> None:
        seat = self.dice.below(self.account.seats)
        first, newest = self.log.match.table.first, self.log.match.version
        to = max(first, newest - self.dice.below(self.dice.choice((3, 12))))
        self.try_at(self.soon(), kind(seat, to), PEOPLE[seat])

    def agree(self) -> None:
        self.back(self.dice.choice((Undo, Redo)))
        while (request := self.log.match.request) is not None:
            seat = min(request.asks)
            if not self.try_at(self.soon(), AnswerUndo(seat, accept=bool(self.dice.below(6))), PEOPLE[seat]):
                return

    def dispute(self) -> None:
        """A dispute, and its settlement by all, or by nobody."""
        seat, version = self.dice.below(self.account.seats), self.log.match.version - self.dice.below(3)
        if self.dice.below(3) or not self.try_at(self.soon(), Dispute(seat, version, "?"), PEOPLE[seat]):
            return
        if self.log.match.status != "frozen":
            return
        ruling: commands.Ruling = self.dice.choice(("stands", "rewind"))
        for other in self.log.match.in_play:
            if self.dice.below(4):
                command = GiveRuling(len(self.log.match.cases), ruling, "so")
                self.try_at(self.log.match.at + self.dice.below(60 * SECOND), command, PEOPLE[other])
        case = self.log.match.case
        if case is not None:
            late = case.lapses_at + self.dice.below(900)
            assert self.try_at(late, Lapse(len(self.log.match.cases)), "house")

    def late(self) -> None:
        """The server records whatever is due next."""
        match = self.log.match
        if match.status != "live" or match.clocks is None or not match.clocks.due():
            return
        due, asked = match.clocks.due()[0], match.request
        # Turns run out seldom, for that ends a match of two.
        if (due.what == "turn" and self.dice.below(12)) or (asked is not None and asked.expires_at is None):
            return
        lag = self.dice.choice((0, 1, 900))
        first = due.at if asked is None or asked.expires_at is None else min(due.at, asked.expires_at)
        assert self.try_at(max(first + lag, match.at), RunOut(), "house")

    def away(self) -> None:
        """The server was away while time ran out."""
        match = self.log.match
        if match.status != "live" or match.clocks is None or not match.clocks.due() or self.dice.below(3):
            return
        at = max(match.clocks.due()[0].at + self.dice.below(10 * SECOND), match.at)
        assert self.try_at(at, ExtendClocks(at - match.clocks.due()[0].at + 5 * SECOND), "house")

    def restart(self) -> None:
        again = fold(MATCH_ID, self.log.game, self.log.commits)
        assert again == self.log.match

    # -- what must hold -----------------------------------------------------------------------------------------------

    def check(self) -> None:
        match = self.log.match
        assert match.clocks is not None
        if match.status == "live":
            found = sorted((due.at, due.seat, due.what) for due in match.clocks.due())
            assert found == self.account.expected(), self.log.commits[-1].events
        elif match.status == "frozen":
            assert match.clocks.due() == []


GAMES = {**all_games(), toy.GAME.id: toy.GAME}
TABLES = [(game, seats) for game in GAMES.values() for seats in (2, 3)]


@pytest.mark.parametrize("clock", [TURN, BANK], ids=["turn", "bank"])
@pytest.mark.parametrize(("game", "seats"), TABLES, ids=[f"{game.id}-{seats}" for game, seats in TABLES])
def test_no_sequence_gains_or_loses_time(game: AnyGame, seats: int, clock: Clock) -> None:
    done: Counter[str] = Counter()
    for seed in range(SEEDS):
        driver = Driver(game, seats, clock, seed)
        for _ in range(STEPS):
            driver.step()
            driver.check()
            if driver.log.match.ended:
                break
        driver.log.check_decided_again()
        done += driver.done
    assert done["Move"] > SEEDS * 5
    assert {"Undo", "RunOut"} <= done.keys()
