"""The history of a match against a plain model: a dictionary of versions and pointers to parents, nothing clever.

Moves, undos, redos, requests, answers and restarts come at random. The model decides by itself what each of them should do;
the match must do just that, and be right about every version that there has ever been.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from domain import wire
from domain.commands import AnswerUndo, Redo, Resign, Undo, UndoPolicy, WithdrawUndo
from domain.evolve import fold
from domain.game import AnyGame
from domain.hidden import NOBODY, redact, veils
from domain.match import Refused
from replay.moment import Path
from tests.support.dice import RandomDice
from tests.support.played_games import SOAK, each_game
from tests.support.playing import Playing, Setup, any_move, play_on, player

SEATS = st.integers(0, 11)
PLACES = st.integers(0, 7) | st.integers(0, 60)


@dataclass(frozen=True)
class Was:
    """A version as the model remembers it."""

    parent: int | None
    state: Any
    stands_for: int
    """The version at which this very state came about."""
    turn: int
    branch: int
    mover: int | None = None
    """Whose move it was; ``None`` for what is no move."""
    harmless: bool = False
    """Whether nobody can have learned anything by it."""


@dataclass
class Wish:
    version: int
    seat: int
    way: str
    to: int
    open: set[int]
    accepted: set[int] = field(default_factory=set)


class Model:
    """What the history of a match should be."""

    def __init__(self, first: int, state: Any, seats: int, policy: UndoPolicy) -> None:
        self.first, self.seats, self.policy = first, seats, policy
        self.was = {first: Was(None, state, first, 0, 0)}
        self.now = first
        self.branches = 0
        self.wish: Wish | None = None
        self.asked = [0] * seats
        self.refused = [0] * seats
        self.blocked: list[set[int]] = [set() for _ in range(seats)]
        self.free = [0] * seats
        self.ended = False

    def way_to(self, version: int) -> list[int]:
        """The versions in force when that version is, newest first."""
        found: list[int] = []
        at: int | None = version
        while at is not None:
            found.append(at)
            at = self.was[at].parent
        return found

    def moves_to(self, version: int) -> set[int]:
        return {v for v in self.way_to(version) if self.was[v].mover is not None}

    # -- what should happen -------------------------------------------------------------------------------------------

    def verdict(self, seat: int, way: str, to: int) -> str:
        """``free``, ``consent``, or the code of the refusal."""
        if self.ended:
            return "final"
        if not self.first <= to <= self.now:
            return "version_not_found"
        in_force = to in self.way_to(self.now)
        if in_force != (way == "undo"):
            return "in_force" if in_force else "not_in_force"
        if self.was[to].stands_for == self.was[self.now].stands_for:
            return "nothing_to_undo"
        if self.policy == "off":
            return "undo_refused"
        touched = [self.was[v] for v in self.moves_to(self.now) ^ self.moves_to(to)]
        hosted = self.policy == "host" and seat == 0
        free = hosted or all(one.mover == seat and one.harmless for one in touched)
        if free and self.free[seat] < 10:
            return "free"
        otherwise = "too_many_returns" if free else "undo_refused"
        return self.asking(seat) if self.policy == "consent" else otherwise

    def asking(self, seat: int) -> str:
        if self.wish is not None:
            return "request_open"
        if self.blocked[seat]:
            return "requests_blocked"
        return "too_many_requests" if self.asked[seat] >= 2 else "consent"

    def answering(self, command: AnswerUndo) -> str:
        """The code of the refusal, ``accepted``, ``declined`` or ``done``."""
        wish = self.wish
        if self.ended:
            return "final"
        if command.request is not None and (wish is None or wish.version != command.request):
            return "request_lapsed"
        if wish is None:
            return "no_request"
        if command.seat in wish.accepted:
            return "already_answered"
        if command.seat not in wish.open:
            return "not_asked"
        if command.block:
            if command.accept:
                return "invalid"
            if self.refused[wish.seat] == 0:
                return "not_yet"
        if not command.accept:
            return "declined"
        return "done" if wish.open == {command.seat} else "accepted"

    # -- what happens -------------------------------------------------------------------------------------------------

    def moved(self, seat: int, state: Any, *, harmless: bool, ended: bool) -> None:
        had = self.was[self.now]
        self.was[self.now + 1] = Was(self.now, state, self.now + 1, had.turn + 1, had.branch, seat, harmless)
        self.now += 1
        self.given_up(seat)
        self.wish, self.ended = None, ended
        self.asked = [asked if asking == seat else 0 for asking, asked in enumerate(self.asked)]
        self.free = [free if other == seat else 0 for other, free in enumerate(self.free)]

    def given_up(self, seat: int) -> None:
        """A seat acts, or withdraws its request. If it was the one that asked, this counts as a refusal."""
        if self.wish is not None and self.wish.seat == seat:
            self.refused[seat] += 1

    def stayed(self) -> None:
        had = self.was[self.now]
        self.was[self.now + 1] = Was(self.now, had.state, had.stands_for, had.turn, had.branch)
        self.now += 1

    def returned(self, to: int) -> None:
        target = self.was[to]
        self.branches += 1
        self.was[self.now + 1] = Was(to, target.state, target.stands_for, target.turn, self.branches)
        self.now += 1
        self.wish = None

    def returned_freely(self, seat: int, to: int) -> None:
        self.given_up(seat)
        self.returned(to)
        self.free = [free + 1 if other == seat else 0 for other, free in enumerate(self.free)]

    def wished(self, seat: int, way: str, to: int) -> None:
        self.stayed()
        self.wish = Wish(self.now, seat, way, to, set(range(self.seats)) - {seat})
        self.asked[seat] += 1

    def answered(self, command: AnswerUndo, what: str) -> None:
        assert self.wish is not None
        asker, to = self.wish.seat, self.wish.to
        if what == "done":
            self.returned(to)
            self.asked, self.free, self.refused[asker] = [0] * self.seats, [0] * self.seats, 0
            return
        self.stayed()
        if what == "accepted":
            self.wish.open.discard(command.seat)
            self.wish.accepted.add(command.seat)
        else:
            self.refused[asker] += 1
            if command.block:
                self.blocked[asker].add(command.seat)
            self.wish = None


class History(RuleBasedStateMachine):
    """A match and its model, to which the same things happen."""

    game: AnyGame

    @initialize(
        seed=st.integers(0, 1 << 20),
        seats=st.integers(0, 9),
        policy=st.sampled_from(("consent", "consent", "consent", "free_only", "host", "off")),
    )
    def open(self, seed: int, seats: int, policy: UndoPolicy) -> None:
        many = self.game.seats[seats % len(self.game.seats)]
        self.playing = Playing(Setup(self.game, many, self.game.options(), seed, undo=policy))
        self.dice = RandomDice(seed)
        match = self.playing.match
        self.model = Model(match.version, match.state, many, policy)

    @property
    def running(self) -> bool:
        return not self.model.ended

    def did(self, command: Any, seat: int) -> str:
        """The code of the refusal, or nothing if it was done."""
        refused = self.playing.do(command, player(seat))
        return refused.code if isinstance(refused, Refused) else ""

    def seat(self, pick: int) -> int:
        return pick % self.model.seats

    def version(self, place: int) -> int:
        """One of those that have a state, the newest for 0."""
        return self.model.now - place % (self.model.now - self.model.first + 1)

    def way_of(self, to: int, *, astray: bool = False) -> str:
        return "undo" if (to in self.model.way_to(self.model.now)) != astray else "redo"

    @rule(count=st.integers(1, 5))
    def move(self, count: int) -> None:
        for _ in range(count):
            if self.model.ended:
                return
            before = self.playing.match
            play_on(self.playing, any_move, self.dice, before.version + 1)
            match, commit = self.playing.match, self.playing.commits[-1]
            assert match.node is not None
            silent = not commit.draws and not commit.secrets and veils(before.state) == veils(match.state)
            silent = silent and not match.node.disclosed
            mover = match.table.seat_of(commit.player)
            assert mover is not None
            self.model.moved(mover, match.state, harmless=silent, ended=match.outcome is not None)

    @rule(pick=SEATS, place=PLACES, astray=st.sampled_from((False, False, False, True)))
    def ask_or_return(self, pick: int, place: int, *, astray: bool) -> None:
        """To any version, by undo where it is in force and otherwise by redo; or astray, just the wrong one."""
        to = self.version(place)
        self._return(self.seat(pick), self.way_of(to, astray=astray), to)

    @rule(pick=SEATS, place=PLACES)
    def return_with_consent(self, pick: int, place: int) -> None:
        to = self.version(place)
        self._return(self.seat(pick), self.way_of(to), to)
        for seat in range(self.model.seats):
            if seat != self.seat(pick):
                self._answer(AnswerUndo(seat, accept=True))

    @rule(pick=SEATS, below=st.booleans(), way=st.sampled_from(("undo", "redo")))
    def return_to_nowhere(self, pick: int, way: str, *, below: bool) -> None:
        self._return(self.seat(pick), way, self.model.first - 1 if below else self.model.now + 1)

    @rule(pick=SEATS)
    def take_back(self, pick: int) -> None:
        """Who moved last takes it back; or brings back what was just undone."""
        moves = sorted(self.model.moves_to(self.model.now))
        if moves and pick:
            last = self.model.was[moves[-1]]
            assert last.mover is not None
            assert last.parent is not None
            self._return(last.mover, "undo", last.parent)
        else:
            self._return(self.seat(pick), "redo", self.model.now - 1)

    @rule(pick=SEATS, place=PLACES)
    def flip(self, pick: int, place: int) -> None:
        """Back and forth, more often than is free."""
        there, here = self.version(place), self.model.now
        for number in range(12):
            to = here if number % 2 else there
            self._return(self.seat(pick), self.way_of(to), to)

    @rule(pick=SEATS)
    def return_to_the_same(self, pick: int) -> None:
        """To any version whose state is the present one, in force or not."""
        model = self.model
        alike = [v for v, was in model.was.items() if was.stands_for == model.was[model.now].stands_for]
        to = alike[pick % len(alike)]
        self._return(self.seat(pick), self.way_of(to), to)

    @rule(pick=SEATS, place=PLACES, times=st.integers(2, 4), block=st.booleans())
    def pester(self, pick: int, place: int, times: int, *, block: bool) -> None:
        """To ask again and again; each time the next seat declines, or nobody answers and it is withdrawn."""
        to = self.version(place)
        for number in range(times):
            self._return(self.seat(pick), self.way_of(to), to)
            if block:
                self._answer(AnswerUndo(self.seat(pick + 1), accept=False, block=number > 0))
            self.withdraw(pick)

    def _return(self, seat: int, way: str, to: int) -> None:
        expected = self.model.verdict(seat, way, to)
        done = self.did((Undo if way == "undo" else Redo)(seat, to), seat)
        assert done == ("" if expected in ("free", "consent") else expected)
        if expected == "free":
            self.model.returned_freely(seat, to)
        elif expected == "consent":
            self.model.wished(seat, way, to)

    @precondition(lambda self: self.model.wish is not None)
    @rule(accept=st.booleans(), block=st.booleans())
    def answer_all(self, *, accept: bool, block: bool) -> None:
        """Everybody accepts, or the first who is asked does not."""
        assert self.model.wish is not None
        for seat in sorted(self.model.wish.open):
            if self.model.wish is not None:
                self._answer(AnswerUndo(seat, accept, block and not accept))

    @rule(pick=SEATS, accept=st.booleans(), block=st.booleans(), off=st.sampled_from((None, 0, 0, 1, -2)))
    def answer(self, pick: int, off: int | None, *, accept: bool, block: bool) -> None:
        named = self.model.wish.version if self.model.wish is not None else self.model.now
        self._answer(AnswerUndo(self.seat(pick), accept, block, None if off is None else named + off))

    def _answer(self, command: AnswerUndo) -> None:
        expected = self.model.answering(command)
        done = self.did(command, command.seat)
        if expected in ("accepted", "declined", "done"):
            assert done == ""
            self.model.answered(command, expected)
        else:
            assert done == expected

    @rule(pick=SEATS)
    def withdraw_one(self, pick: int) -> None:
        self.withdraw(pick)

    def withdraw(self, pick: int) -> None:
        seat, wish = self.seat(pick), self.model.wish
        expected = "final" if self.model.ended else "no_request" if wish is None or wish.seat != seat else ""
        assert self.did(WithdrawUndo(seat), seat) == expected
        if not expected:
            self.model.stayed()
            self.model.given_up(seat)
            self.model.wish = None

    @precondition(lambda self: self.running and self.model.now > 50)
    @rule(pick=SEATS)
    def resign(self, pick: int) -> None:
        """All seats but one resign, one after the other."""
        for number in range(1, self.model.seats):
            seat = self.seat(pick + number)
            assert self.did(Resign(seat), seat) == ""
            self.model.stayed()
            self.model.given_up(seat)
            self.model.wish = None
        self.model.ended = True

    @rule(seed=st.integers(0, 1 << 30))
    def wander(self, seed: int) -> None:
        """Many things in a row, the likely ones more often, so that the tree grows wide."""
        dice = RandomDice(seed)
        for _ in range(12):
            pick, place, coin = dice.below(12), dice.below(dice.choice((4, 12, 60))), not dice.below(2)
            match dice.choice(("move", "move", "ask", "agree", "agree", "back", "same", "answer", "answer", "pester")):
                case "move":
                    self.move(dice.below(4) + 1)
                case "ask":
                    self.ask_or_return(pick, place, astray=not dice.below(6))
                case "agree":
                    self.return_with_consent(pick, place)
                case "back":
                    self.take_back(pick)
                case "same":
                    self.return_to_the_same(pick)
                case "answer":
                    self.answer(pick, dice.choice((None, 0, 0, 1)), accept=coin, block=not dice.below(4))
                case "pester":
                    self.pester(pick, place, 3, block=coin and not dice.below(3))

    @rule()
    def restart(self) -> None:
        """All that is left is the log."""
        before = self.playing.match
        commits = [wire.decode(self.game, entry) for entry in self.playing.entries]
        folded = fold(self.playing.match_id, self.game, commits)
        assert folded is not None
        assert folded == before
        self.playing.matches[-1] = folded
        self.agrees_at_every_version()
        for sees in (NOBODY, frozenset({0})):
            known = [wire.decode(self.game, entry, sees) for entry in self.playing.entries]
            as_seen = fold(self.playing.match_id, self.game, known, sees)
            assert as_seen is not None
            assert as_seen.state == redact(before.state, sees)
            assert (as_seen.request, as_seen.asking, as_seen.to_move) == (before.request, before.asking, before.to_move)

    # -- what must always hold ----------------------------------------------------------------------------------------

    @invariant()
    def agrees_now(self) -> None:
        match, model = self.playing.match, self.model
        was, wish, request = model.was[model.now], model.wish, match.request
        assert (match.version, match.state, match.ended) == (model.now, was.state, model.ended)
        assert match.to_move == (frozenset() if model.ended else self.game.to_move(was.state))
        assert match.branches == model.branches
        assert (request is None) == (wish is None)
        if request is not None and wish is not None:
            assert (request.version, request.seat, request.direction) == (wish.version, wish.seat, wish.way)
            assert request.to == wish.to
            assert sorted(request.asks) == sorted(wish.open)
            assert sorted(request.accepted) == sorted(wish.accepted)
        for seat, asking in enumerate(match.asking):
            had = model.asked[seat], model.refused[seat], model.blocked[seat], model.free[seat]
            assert (asking.asked, asking.refused, set(asking.blocked_by), asking.free) == had

    def agrees_at_every_version(self) -> None:
        match, model, path = self.playing.match, self.model, Path(self.playing.match)
        in_force = set(model.way_to(model.now))
        for version, was in model.was.items():
            node = match.node_at(version)
            assert node is not None, version
            assert (node.version, node.state, node.turn, node.branch) == (version, was.state, was.turn, was.branch)
            assert (None if node.parent is None else node.parent.version) == was.parent
            assert path.in_force(version) == (version in in_force)
            assert path.place(version) == (was.turn, was.branch)
            over = model.ended and version == model.now
            assert match.to_move_at(version) == (frozenset() if over else self.game.to_move(was.state))
            assert match.outcome_at(version) == (match.outcome if over else None)
            then = Path(match, version)
            so_far = set(model.way_to(version))
            assert all(then.in_force(v) == (v in so_far) for v in range(model.first, version + 1))
        assert match.node_at(model.first - 1) is None
        assert match.node_at(model.now + 1) is None

    def teardown(self) -> None:
        if hasattr(self, "model"):
            self.agrees_at_every_version()


@each_game
def test_the_history_is_what_a_plain_model_says(game: AnyGame) -> None:
    machine: Any = type(f"HistoryOf{game.id}", (History,), {"game": game})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=80 * SOAK, stateful_step_count=30, deadline=None, database=None, derandomize=SOAK == 1
        ),
    )
