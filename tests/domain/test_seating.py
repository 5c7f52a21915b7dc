"""Seats before the start: ready checks, and bots."""

from __future__ import annotations

from typing import Any

import pytest

from domain import events
from domain.commands import (
    AnswerUndo,
    Clock,
    Dispute,
    Expire,
    GiveRuling,
    Join,
    Leave,
    Move,
    Ready,
    RemovePlayer,
    Resign,
    RunOut,
    SeatBot,
    Undo,
)
from domain.deadlines import due_command, next_deadline
from domain.games.territories import GAME as TERRITORIES
from domain.players import bot_id, is_bot, level_of, stand_in
from tests.support.clocked import PEOPLE, SECOND
from tests.support.timed_log import TimedLog

FAST, SLOW = Clock(turn=3600), Clock(turn=3601)


def opened(seats: int = 2, clock: Clock | None = FAST, **opening: Any) -> TimedLog:
    return TimedLog(seats, game=TERRITORIES, protocol=3, clock=clock, **opening)


def checking(seats: int = 2, clock: Clock | None = FAST) -> TimedLog:
    """A full match whose seats are being asked."""
    log = opened(seats, clock, start="ready")
    for name in PEOPLE[1:seats]:
        log.do(Join(), name)
    return log


@pytest.mark.parametrize(("clock", "seconds"), [(FAST, 60), (SLOW, 86400), (Clock(bank=600), 60), (None, 86400)])
def test_the_last_player_who_joins_begins_the_check(clock: Clock | None, seconds: int) -> None:
    log = checking(3, clock)
    due = log.now + seconds * SECOND
    assert log.events() == [events.Joined(2, "cleo", ""), events.ReadyAsked(due)]
    assert log.match.status == "open"
    assert next_deadline(log.match) == due
    assert due_command(log.match) == RunOut()


def test_the_match_starts_with_the_last_seat_that_is_ready() -> None:
    log = checking(3)
    log.do(Ready(1), "ben")
    log.refused(Ready(1), "ben", "already_answered")
    log.refused(Ready(0), "ben", "not_seated")
    log.do(Ready(0), "ada")
    assert log.match.node is None
    log.do(Ready(2), "cleo")
    assert [type(event) for event in log.events()] == [events.SeatReady, events.Started]
    assert log.match.status == "live"
    assert log.match.table.check is None
    assert log.match.clocks is not None
    log.check_decided_again()


def test_a_seat_that_lets_the_time_run_out_is_freed_for_others() -> None:
    log = checking(3)
    log.do(Ready(0), "ada").do(Ready(2), "cleo")
    due = log.match.table.check.due if log.match.table.check is not None else 0
    log.refused(RunOut(), "house", "not_yet")
    log.wait(60 * SECOND)
    for command, by in ((Ready(1), "ben"), (Leave(1), "ben"), (Join(), "dan")):
        log.refused(command, by, "time_up")
    log.do(RunOut(), "house")
    assert log.events() == [events.ReadyFailed((1,), due)]
    table = log.match.table
    assert (table.free(), table.check, table.failed_checks) == ([1], None, 1)
    log.refused(Join(), "ben", "removed")
    log.do(Join(), "dan")
    assert isinstance(log.events()[1], events.ReadyAsked)
    for seat, name in ((0, "ada"), (1, "dan"), (2, "cleo")):
        log.do(Ready(seat), name)
    assert log.match.status == "live"
    log.check_decided_again()


def test_without_its_host_the_match_is_cancelled() -> None:
    log = checking()
    log.do(Ready(1), "ben").wait(60 * SECOND)
    log.do(RunOut(), "house")
    assert [type(event) for event in log.events()] == [events.ReadyFailed, events.Cancelled]
    assert (log.match.status, log.match.void_reason) == ("void", "cancelled")


def test_nobody_is_removed_during_a_check_but_a_player_may_leave_which_ends_it() -> None:
    log = checking()
    log.refused(RemovePlayer(1), "ada", "ready_check")
    log.do(Leave(1), "ben")
    assert (log.match.table.check, log.match.table.failed_checks) == (None, 0)
    log.refused(Ready(0), "ada", "not_asked")
    log.do(Join(), "ben")
    assert log.match.table.check is not None


def test_an_open_match_expires_also_during_a_check() -> None:
    log = opened(2, SLOW, start="ready")
    log.wait(7 * 86400 * SECOND - 10 * SECOND)
    log.do(Join(), "ben")
    assert due_command(log.match) == Expire()
    assert next_deadline(log.match) == log.match.table.expires_at
    log.wait(20 * SECOND)
    log.do(Expire(), "house")
    assert log.match.void_reason == "expired"


# -- bots -------------------------------------------------------------------------------------------------------------


def test_the_host_seats_bots_and_the_last_seat_starts_the_match() -> None:
    log = opened(3)
    log.refused(SeatBot(1, "greedy"), "ben", "forbidden")
    log.refused(SeatBot(0, "greedy"), "ada", "seat_taken")
    log.refused(SeatBot(7, "greedy"), "ada", "invalid")
    log.do(SeatBot(2, "greedy"), "ada")
    assert log.match.table.seat_of("bot:greedy:2") == 2
    log.do(SeatBot(1, "random"), "ada")
    assert log.match.status == "live"
    assert log.match.people_in_play == [0]
    log.refused(SeatBot(1, "random"), "ada", "not_open")
    log.check_decided_again()


def test_a_bot_gives_way_to_a_player_if_the_host_removes_it() -> None:
    log = opened(3)
    log.do(SeatBot(1, "greedy"), "ada").do(RemovePlayer(1), "ada").do(SeatBot(1, "greedy"), "ada")
    log.do(RemovePlayer(1), "ada").do(Join(), "ben").do(Join(), "cleo")
    assert log.match.table.players == {"ada", "ben", "cleo"}


def test_bots_are_always_ready_and_agree_to_what_all_others_accept() -> None:
    log = opened(3, start="ready")
    log.do(SeatBot(2, "greedy"), "ada").do(Join(), "ben").do(Ready(0), "ada").do(Ready(1), "ben")
    assert log.match.status == "live"
    for _ in range(3):
        seat = min(log.match.to_move)
        log.do(Move(seat, log.legal(seat)[0]), bot_id("greedy", 2) if seat == 2 else PEOPLE[seat])
    log.do(Undo(0, log.match.table.first), "ada")
    assert log.match.request is not None
    assert log.match.request.asks == frozenset({1})
    log.do(AnswerUndo(1, accept=True), "ben")
    assert log.match.branches == 1
    log.do(Dispute(0, log.match.version, "?"), "ada").do(GiveRuling(1, "stands", "so"), "ada")
    log.do(GiveRuling(1, "stands", "so"), "ben")
    assert log.match.case is None
    log.check_decided_again()


def test_a_request_that_only_bots_could_answer_is_free() -> None:
    log = opened()
    log.do(SeatBot(1, "greedy"), "ada")
    for _ in range(2):
        seat = min(log.match.to_move)
        log.do(Move(seat, log.legal(seat)[0]), bot_id("greedy", 1) if seat == 1 else "ada")
    log.do(Undo(0, log.match.table.first), "ada")
    assert log.match.state is log.matches[log.match.table.first - 1].state


def test_who_resigns_against_a_bot_has_lost() -> None:
    log = opened()
    log.do(SeatBot(1, "greedy"), "ada")
    for _ in range(2):
        seat = min(log.match.to_move)
        log.do(Move(seat, log.legal(seat)[0]), bot_id("greedy", 1) if seat == 1 else "ada")
    log.do(Resign(0), "ada")
    assert log.match.outcome is not None
    assert log.match.outcome.winners == (1,)


def test_before_this_protocol_there_are_neither_bots_nor_checks() -> None:
    log = TimedLog(2, game=TERRITORIES, protocol=2)
    log.refused(SeatBot(1, "greedy"), "ada", "invalid")
    with pytest.raises(AssertionError):
        TimedLog(2, game=TERRITORIES, protocol=2, start="ready")


def test_the_ids_of_bots_are_told_apart_from_accounts() -> None:
    assert is_bot(bot_id("planner", 3))
    assert level_of(bot_id("planner", 3)) == "planner"
    assert is_bot(stand_in(0))
    assert not is_bot("abcdefghijklmnop")
