"""Clocks: turns, banks, answers, disputes, requests, and what returns do to time."""

from __future__ import annotations

from typing import Any

import pytest

from domain import commands, events
from domain.chance import SeededDice
from domain.commands import AnswerUndo, Clock, Dispute, ExtendClocks, GiveRuling, Lapse, Redo, Resign, RunOut, Undo
from domain.deadlines import as_of, due_command, next_deadline
from domain.decide import decide_open
from domain.games.block_happy import GAME as BLOCK_HAPPY
from domain.games.block_happy.examples import EXAMPLES
from domain.games.cock_block import GAME as COCK_BLOCK
from domain.games.territories import GAME as TERRITORIES
from domain.match import Act, Refused
from domain.validation import read
from tests.support import toy
from tests.support.clocked import SECOND, Clocked
from tests.support.timed_log import TimedLog

TURN = Clock(turn=60, answer=20)
BANK = Clock(bank=100, increment=5, answer=20)


def first(log: Clocked) -> int:
    return min(log.match.to_move)


# -- turns and banks --------------------------------------------------------------------------------------------------


def test_each_turn_has_its_whole_time() -> None:
    log = Clocked(TERRITORIES, clock=TURN)
    one = first(log)
    assert log.due_in() == [(one, "turn", 60)]
    log.move(59)
    assert log.due_in() == [(1 - one, "turn", 60)]
    log.move(1)
    assert log.due_in() == [(one, "turn", 60)]
    assert next_deadline(log.match) == log.match.at + 60 * SECOND
    assert due_command(log.match) == RunOut()


def test_a_bank_is_used_up_turn_by_turn_and_gains_an_increment_by_each() -> None:
    log = Clocked(TERRITORIES, clock=BANK)
    one = first(log)
    log.move(30)
    assert (log.left(one), log.left(1 - one)) == (75, 100)
    log.move(99)
    log.move(75 - 0.001)
    assert log.left(one) == pytest.approx(5.001)
    assert log.due_in()[0][2] == pytest.approx(6)


def test_a_seat_that_runs_out_after_it_has_moved_has_lost_as_of_that_moment() -> None:
    log = Clocked(TERRITORIES, clock=TURN)
    one = first(log)
    log.move(1)
    log.move(1)
    assert log.after(60, RunOut(), "house") is None
    due = log.matches[-2].at + 60 * SECOND
    assert log.events() == [events.Retired(one, "timeout", due)]
    assert log.match.outcome is not None
    assert (log.match.status, log.match.outcome.winners, log.match.outcome.reason) == (
        "finished",
        (1 - one,),
        "timeout",
    )
    assert log.match.to_move == frozenset()
    log.check_decided_again()


def test_a_seat_that_runs_out_before_it_has_moved_makes_a_match_of_two_void() -> None:
    log = Clocked(TERRITORIES, clock=TURN)
    one = first(log)
    due = log.match.at + 60 * SECOND
    assert log.run_out(75) == [events.Retired(one, "timeout", due), events.Annulled()]
    assert (log.match.status, log.match.void_reason, log.match.outcome) == ("void", "aborted", None)


def test_nothing_runs_out_early_and_nobody_acts_late() -> None:
    log = Clocked(TERRITORIES, clock=TURN)
    one = first(log)
    mover = ("ada", "ben")[one]
    early = log.after(59.999, RunOut(), "house")
    assert early is not None
    assert early.code == "not_yet"
    for command in (
        commands.Move(one, log.legal(one)[0]),
        Resign(one),
        Dispute(one, log.match.version, "?"),
        Undo(one, log.match.table.first),
    ):
        late = log.after(60, command, mover)
        assert late is not None
        assert late.code == "time_up"
    log.move(59.999)


def test_a_match_of_an_earlier_protocol_has_no_clocks() -> None:
    opening = commands.Open("territories", 2, {}, clock=TURN)
    act = Act("ada", 1, SeededDice(bytes(32), "00abc", 1, "c1", ()))
    assert decide_open(TERRITORIES, opening, act, "00", protocol=2) == Refused(
        "invalid", "Matches have no clocks here yet.", field="clock"
    )


# -- answers ----------------------------------------------------------------------------------------------------------


def asked(clock: Clock) -> Clocked:
    """A match in which seat 0 has asked something of seat 1."""
    start = BLOCK_HAPPY.parse(EXAMPLES["annoyed meets smug"], 2, BLOCK_HAPPY.options())
    log = Clocked(BLOCK_HAPPY, clock=clock, position=start)
    play = next(place for place, move in enumerate(log.legal(0)) if getattr(move, "card", None) == "annoyed")
    log.move(10, play)
    return log


def test_a_seat_that_is_asked_has_its_own_time_and_the_turn_waits() -> None:
    log = asked(BANK)
    assert log.due_in() == [(1, "answer", 20)]
    assert log.left(0) == 90
    log.move(15)
    assert log.left(0) == 95, "the answer has ended its turn"
    assert log.due_in() == [(1, "turn", 100)]


def test_an_answer_that_is_missing_is_given_by_the_server_as_of_its_time() -> None:
    log = asked(TURN)
    due = log.match.at + 20 * SECOND
    made = log.run_out(25)
    assert made[0] == events.AnswerMissed(1, due)
    assert len(made) > 1
    assert log.match.node is not None
    assert log.match.node.seat is None
    assert log.match.clocks is not None
    assert log.match.clocks.missed == (0, 1)
    assert log.due_in() == [(1, "turn", 55)], "its own turn has run since then"
    log.check_decided_again()


def test_all_of_a_simultaneous_choice_have_a_time_to_answer_of_their_own() -> None:
    log = Clocked(toy.GAME, 3, clock=TURN)
    assert log.due_in() == [(0, "answer", 20), (1, "answer", 20), (2, "answer", 20)]
    log.move(5, seat=1)
    assert log.due_in() == [(0, "answer", 15), (2, "answer", 15)]
    log.after(1, Undo(1, log.match.version - 1), "ben")
    for name, seat in (("ada", 0), ("cleo", 2)):
        assert log.after(0.5, AnswerUndo(seat, accept=True), name) is None
    # The others go on; the one that chooses again has its full time.
    assert log.due_in() == [(0, "answer", 13), (2, "answer", 13), (1, "answer", 20)]
    made = log.run_out(13)
    assert isinstance(made[0], events.AnswerMissed)
    assert made[0].seat == 0
    assert log.run_out(0)[0] == events.AnswerMissed(2, made[0].due)
    assert [due[:2] for due in log.due_in()] == [(1, "answer")]


def test_three_answers_in_a_row_that_are_missing_retire_a_seat_and_its_own_answer_ends_the_row() -> None:
    log = Clocked(toy.GAME, 3, clock=TURN, given={"hand": 3, "peek": False})
    for number in (1, 2):
        for seat in (1, 2):
            log.move(1, seat=seat)
        assert isinstance(log.run_out(18)[0], events.AnswerMissed)
        assert log.match.clocks is not None
        assert log.match.clocks.missed == (number, 0, 0)
    assert log.match.status == "live"
    for seat in (1, 2):
        log.move(1, seat=seat)
    assert log.run_out(18)[0] == events.Retired(0, "timeout", log.matches[-2].at + 18 * SECOND)


# -- disputes and requests --------------------------------------------------------------------------------------------


def test_a_dispute_stops_all_clocks_and_they_go_on_when_it_is_settled() -> None:
    log = Clocked(TERRITORIES, clock=BANK)
    one = first(log)
    log.move(10)
    log.after(30, Dispute(0, log.match.version, "?"), "ada")
    assert log.due_in() == []
    assert log.left(1 - one) == 70
    assert next_deadline(log.match) == log.match.at + 1000 * SECOND
    log.after(500, GiveRuling(1, "stands", "so"), "ada")
    assert log.due_in() == []
    log.after(1, GiveRuling(1, "stands", "so"), "ben")
    assert log.due_in() == [(1 - one, "turn", 70)]


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [(Clock(turn=60), 600), (Clock(turn=600), 6000), (Clock(bank=3600), 36000), (Clock(turn=86400), 86400)],
)
def test_with_clocks_a_dispute_expires_sooner_and_the_clocks_go_on_as_of_then(clock: Clock, seconds: int) -> None:
    log = Clocked(TERRITORIES, clock=clock)
    one = first(log)
    log.after(10, Dispute(0, log.match.version, "?"), "ada")
    raised = log.match.at
    assert next_deadline(log.match) == raised + seconds * SECOND
    early = log.after(seconds - 0.001, Lapse(1), "house")
    assert early is not None
    read = as_of(log.match, raised + seconds * SECOND + 7)
    assert read.status == "live"
    assert read.clocks is not None
    span = (clock.turn or clock.bank or 0) - 10
    assert read.clocks.due()[0].at == raised + (seconds + span) * SECOND
    log.after(seconds + 5, Lapse(1), "house")
    assert log.due_in() == [(one, "turn", span - 5)]
    assert log.after(6, Dispute(0, log.match.version, "again"), "ada") == Refused(
        "too_many_disputes", "With clocks, a seat disputes again only if its first dispute was upheld."
    )


def test_a_clock_that_runs_out_after_a_dispute_has_expired_is_recorded_with_it() -> None:
    log = Clocked(TERRITORIES, clock=TURN)
    log.move(1)
    log.move(1)
    one = first(log)
    log.after(10, Dispute(0, log.match.version, "?"), "ada")
    raised = log.match.at
    made = log.run_out(600 + 50 + 3)
    assert made == [
        events.DisputeLapsed(1, log.match.cases[0].version),
        events.Retired(one, "timeout", raised + 650 * SECOND),
    ]
    assert log.match.status == "finished"
    log.check_decided_again()


def test_a_request_expires_with_clocks_and_counts_as_declined_while_the_clock_runs_on() -> None:
    log = Clocked(TERRITORIES, clock=TURN)
    one = first(log)
    mover, other = (("ada", "ben"), ("ben", "ada"))[one]
    log.move(1)
    log.move(1)
    back = log.match.version - 2
    log.after(3, Undo(one, back), mover)
    asked = log.match.version
    assert log.match.request is not None
    assert log.due_in() == [(one, "turn", 57)]
    assert next_deadline(log.match) == log.match.at + 20 * SECOND
    late = log.after(20, AnswerUndo(1 - one, accept=True, request=asked), other)
    assert late is not None
    assert late.code == "request_lapsed"
    assert as_of(log.match, log.match.at + 20 * SECOND).request is None
    assert log.run_out(21) == [events.RequestExpired(asked, log.matches[-2].at + 20 * SECOND)]
    assert log.match.request is None
    assert log.match.asking[one].refused == 1
    assert log.due_in() == [(one, "turn", 36)]
    again = log.after(1, RunOut(), "house")
    assert again is not None
    assert again.code == "not_yet"


def test_a_move_after_a_request_has_expired_finds_it_declined() -> None:
    log = Clocked(TERRITORIES, clock=TURN)
    one = first(log)
    log.move(1)
    log.move(1)
    log.after(3, Undo(1 - one, log.match.table.first), ("ada", "ben")[1 - one])
    assert log.match.request is not None
    log.move(21)
    assert log.match.request is None
    assert log.match.asking[1 - one].refused == 1


# -- returns ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clock", [TURN, BANK], ids=["turn", "bank"])
def test_after_a_free_undo_the_turn_goes_on_with_what_was_left_and_the_other_seat_has_lost_nothing(
    clock: Clock,
) -> None:
    log = Clocked(TERRITORIES, clock=clock)
    one = first(log)
    mover = ("ada", "ben")[one]
    full = clock.turn or clock.bank or 0
    start = log.match.version
    log.move(20)
    assert log.after(15, Undo(one, start), mover) is None
    assert log.due_in() == [(one, "turn", full - 20)]
    log.move(4)
    assert log.due_in() == [(1 - one, "turn", full)], "what it spent is given back"
    if clock.bank:
        assert log.left(one) == full - 24 + 5


def test_moving_and_undoing_gains_nothing_however_often() -> None:
    log = Clocked(TERRITORIES, clock=BANK)
    one = first(log)
    mover = ("ada", "ben")[one]
    start = log.match.version
    for _ in range(8):
        log.move(2)
        log.after(3, Undo(one, start), mover)
    assert (log.left(one), log.left(1 - one)) == (100 - 16, 100)
    made = log.match.version - 1
    log.after(1, Redo(one, made), mover)
    assert log.left(one) == 100 - 17, "redo gives no increment"
    log.after(1, Undo(one, start), mover)
    assert log.left(one) == 100 - 17, "and takes none away twice"


def test_after_an_agreed_return_the_turn_has_at_least_the_time_of_an_answer() -> None:
    log = Clocked(TERRITORIES, clock=TURN)
    one = first(log)
    mover, other = (("ada", "ben"), ("ben", "ada"))[one]
    start = log.match.version
    log.move(55)
    log.move(30)
    log.after(5, Undo(one, start), mover)
    log.after(5, AnswerUndo(1 - one, accept=True), other)
    assert log.match.state is log.matches[start - 1].state
    assert log.due_in() == [(one, "turn", 20)], "five were left of it"


def test_an_undo_within_the_turn_changes_nothing_about_its_clock() -> None:
    log = Clocked(COCK_BLOCK, clock=TURN)
    one = first(log)
    mover = ("ada", "ben")[one]
    moves = [place for place, move in enumerate(log.legal(one)) if type(move).__name__ == "Move"]
    log.move(10, moves[0])
    assert log.due_in() == [(one, "turn", 50)]
    assert log.after(7, Undo(one, log.match.version - 1), mover) is None
    assert log.due_in() == [(one, "turn", 43)]


def test_redo_gives_no_time() -> None:
    log = Clocked(TERRITORIES, clock=TURN)
    one = first(log)
    mover = ("ada", "ben")[one]
    start = log.match.version
    log.move(10)
    log.after(25, Undo(one, start), mover)
    log.after(5, Redo(one, start + 1), mover)
    assert log.due_in() == [(1 - one, "turn", 60)], "the other seat had got back its 25 seconds"
    log.after(5, Undo(one, start), mover)
    assert log.due_in() == [(one, "turn", 45)], "50 were left when it moved, and it took five to redo"


# -- outages ----------------------------------------------------------------------------------------------------------


def test_clocks_that_ran_out_in_an_absence_of_the_server_get_that_time_back() -> None:
    log = Clocked(TERRITORIES, clock=TURN)
    one = first(log)
    early = log.after(59, ExtendClocks(30_000), "house")
    assert early is not None
    assert early.code == "not_yet"
    assert log.after(70, ExtendClocks(30_000), "house") is None
    assert log.due_in() == [(one, "turn", 20)]
    log.move(19)
    log.check_decided_again()


# -- settings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clock", "answer"),
    [
        (Clock(turn=60), 60),
        (Clock(turn=3 * 86400), 86400),
        (Clock(bank=600), 60),
        (Clock(turn=60, answer=5), 5),
    ],
)
def test_a_time_to_answer_follows_from_the_clock_unless_it_is_given(clock: Clock, answer: int) -> None:
    assert clock.answer_seconds == answer
    assert clock.fault() is None


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "clock"),
        ({"turn": 60, "bank": 60}, "clock"),
        ({"turn": 60, "increment": 1}, "clock.increment"),
    ],
)
def test_a_clock_has_a_turn_or_a_bank(given: dict[str, Any], field: str) -> None:
    fault = read(Clock, given, "clock").fault()
    assert fault is not None
    assert fault.field == field


@pytest.mark.parametrize(
    ("clock", "rated"),
    [
        (None, False),
        (Clock(turn=9), False),
        (Clock(turn=10), True),
        (Clock(turn=14 * 86400), True),
        (Clock(turn=14 * 86400 + 1), False),
        (Clock(bank=59, increment=30), False),
        (Clock(bank=60), True),
        (Clock(turn=60, answer=9), False),
        (Clock(bank=600, answer=10), True),
    ],
)
def test_a_match_is_rated_only_with_a_clock_that_leaves_time_to_think_and_ends(
    clock: Clock | None, rated: bool
) -> None:
    log = TimedLog(2, game=TERRITORIES, protocol=3, clock=clock)
    assert log.match.rated is rated
