"""Arbiters: asked, agreed to by all, and unable to turn a look or a late ruling into a result."""

from __future__ import annotations

from typing import Any

import pytest

from domain.commands import (
    AcceptArbitration,
    DeclineArbitration,
    Dispute,
    GiveRuling,
    Join,
    Leave,
    Look,
    Move,
    Resign,
    Undo,
)
from domain.deadlines import next_deadline
from domain.dispute import OPEN_AFTER_END, as_of, sees_at
from domain.dispute_state import LAPSES_AFTER
from domain.events import ArbiterAccepted, ArbiterDeclined, ArbiterResigned, HiddenLookedAt, Unrated
from domain.games import territories
from domain.hidden import ALL, NOBODY
from domain.match import Refused
from domain.undo import Consent, Free, redo_verdict, undo_verdict
from tests.support.timed_log import TimedLog

IDA = "ida"


def asked(**opening: Any) -> TimedLog:
    """A rated match for which Ada asks Ida to be the arbiter."""
    return TimedLog(arbiter=IDA, **opening)


def arbitrated(**opening: Any) -> TimedLog:
    """The same match, started, with Ben on seat 1 and Ida as its arbiter."""
    return asked(**opening).do(AcceptArbitration(), IDA).do(Join(arbiter=IDA), "ben")


def move(log: TimedLog, seat: int | None = None) -> int:
    """A move of a seat that is to move; returns its version."""
    seat = min(log.match.to_move) if seat is None else seat
    log.do(Move(seat, log.legal(seat)[0]), ("ada", "ben")[seat])
    return log.match.version


def disputed(log: TimedLog, version: int | None = None, seat: int = 0) -> int:
    """Disputes a version, the newest by default; returns the number of the dispute."""
    log.do(Dispute(seat, version or log.match.version, "Not so."), ("ada", "ben")[seat])
    return len(log.match.cases)


# -- becoming the arbiter ---------------------------------------------------------------------------------------------


def test_who_is_named_is_only_asked() -> None:
    table = asked().match.table
    assert (table.arbiter, table.asked_arbiter, table.named_arbiter) == (None, IDA, IDA)


def test_who_accepts_before_the_start_is_the_arbiter() -> None:
    log = asked().do(AcceptArbitration(), IDA)
    assert log.events() == [ArbiterAccepted(IDA)]
    table = log.do(Join(arbiter=IDA), "ben").match.table
    assert (table.arbiter, table.asked_arbiter, log.match.rated) == (IDA, None, True)
    log.check_decided_again()


def test_who_has_not_accepted_before_the_start_is_none_and_all_seats_rule() -> None:
    log = asked().do(Join(arbiter=IDA), "ben")
    assert log.match.table.named_arbiter is None
    log.refused(AcceptArbitration(), IDA, "not_open")
    number = disputed(log)
    log.refused(Look(number), IDA, "not_arbiter")
    log.refused(GiveRuling(number, "void", "So."), IDA, "not_seated")
    log.do(GiveRuling(number, "stands", "So."), "ada").do(GiveRuling(number, "stands", "So."), "ben")
    assert log.match.status == "live"
    log.check_decided_again()


def test_who_declines_is_none_and_may_sit() -> None:
    log = asked().do(DeclineArbitration(), IDA)
    assert log.events() == [ArbiterDeclined(IDA)]
    log.refused(AcceptArbitration(), IDA, "not_asked")
    log.refused(DeclineArbitration(), IDA, "not_asked")
    log.do(Join(), IDA)
    assert log.match.table.seat_of(IDA) == 1


def test_only_who_is_asked_answers_and_once() -> None:
    log = asked()
    for stranger in ("ada", "ben", "eve"):
        log.refused(AcceptArbitration(), stranger, "not_asked")
        log.refused(DeclineArbitration(), stranger, "not_asked")
    log.do(AcceptArbitration(), IDA).refused(AcceptArbitration(), IDA, "already_answered")


def test_an_arbiter_resigns_at_any_time_also_while_a_dispute_is_open() -> None:
    log = arbitrated()
    number = disputed(log)
    log.do(Look(number), IDA).do(DeclineArbitration(), IDA)
    assert log.events() == [ArbiterResigned(IDA)]
    assert (log.match.status, log.match.table.arbiter, sees_at(log.match, IDA, log.match.table.first)) == (
        "frozen",
        None,
        NOBODY,
    )
    log.refused(GiveRuling(number, "rewind", "So."), "ada", "ruling_impossible")
    log.do(GiveRuling(number, "stands", "So."), "ada").do(GiveRuling(number, "stands", "So."), "ben")
    assert (log.match.status, log.match.rated) == ("live", False)
    log.check_decided_again()


def test_nobody_resigns_where_nothing_is_left_to_rule_on() -> None:
    asked().do(Leave(0), "ada").refused(DeclineArbitration(), IDA, "final")
    log = arbitrated()
    move(log)
    log.do(Resign(0), "ada")
    log.wait(OPEN_AFTER_END)
    log.refused(DeclineArbitration(), IDA, "final")


# -- agreeing to it ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("accepts", [False, True])
def test_joining_a_rated_match_without_naming_its_arbiter_is_refused_and_says_who_it_is(accepts: bool) -> None:
    log = asked()
    if accepts:
        log.do(AcceptArbitration(), IDA)
    for named in (None, "eve", "ada", ""):
        refused = log.refused(Join(arbiter=named), "ben", "arbiter_not_named")
        assert refused.field == "arbiter"
        assert f'"arbiter": "{IDA}"' in refused.message
    log.refused(Join(arbiter=IDA), IDA, "is_arbiter")
    log.do(Join(arbiter=IDA), "ben")


def test_naming_an_arbiter_that_there_is_not_is_refused() -> None:
    TimedLog().refused(Join(arbiter=IDA), "ben", "arbiter_not_named")
    log = asked().do(DeclineArbitration(), IDA)
    log.refused(Join(arbiter=IDA), "ben", "arbiter_not_named")
    log.do(Join(), "ben")


def test_an_unrated_match_can_be_joined_without_naming_the_arbiter_but_not_by_naming_another() -> None:
    log = asked(private=True)
    log.refused(Join(arbiter="eve"), "ben", "arbiter_not_named")
    log.do(Join(), "ben")


# -- looking ----------------------------------------------------------------------------------------------------------


def test_a_look_ends_the_rating_at_once_and_rules_out_going_back() -> None:
    log = arbitrated()
    version = move(log)
    number = disputed(log, version)
    assert log.match.rated
    log.do(Look(number), IDA)
    assert log.events() == [Unrated("looked"), HiddenLookedAt(number, version)]
    assert not log.match.rated
    assert sees_at(log.match, IDA, version) is ALL
    log.refused(GiveRuling(number, "rewind", "So."), IDA, "ruling_impossible")
    log.do(GiveRuling(number, "stands", "So."), IDA)
    move(log)
    log.do(Resign(0), "ada")
    assert (log.match.status, log.match.rated) == ("finished", False)
    log.check_decided_again()


def test_a_look_rules_out_going_back_in_later_disputes_too() -> None:
    log = arbitrated(clock=None)
    version = move(log)
    number = disputed(log)
    log.do(Look(number), IDA).do(GiveRuling(number, "stands", "So."), IDA)
    for again in (version, move(log)):
        number = disputed(log, again, seat=1)
        log.refused(GiveRuling(number, "rewind", "So."), IDA, "ruling_impossible")
        log.do(GiveRuling(number, "stands", "So."), IDA)


def test_without_a_look_going_back_is_the_arbiters_call() -> None:
    log = arbitrated()
    number = disputed(log, move(log))
    log.do(GiveRuling(number, "rewind", "So."), IDA)
    assert (log.match.rated, log.match.status) == (True, "live")
    log.check_decided_again()


def quiet(policy: str) -> TimedLog:
    """A match of a game in which moves are free to take back: Ada has taken back one and made another."""
    log = arbitrated(game=territories.GAME, undo=policy)
    while log.match.to_move != {0}:
        move(log)
    move(log, 0)
    log.do(Undo(0, log.match.version - 1), "ada")
    move(log, 0)
    return log


def verdicts(log: TimedLog, back: int, forth: int) -> list[type]:
    """The verdicts on taking back the move of before ``back``, and on bringing ``forth`` back."""
    match = as_of(log.match, log.now)
    return [type(undo_verdict(match, 0, "ada", back)), type(redo_verdict(match, 0, "ada", forth))]


@pytest.mark.parametrize(("policy", "other"), [("free_only", Refused), ("consent", Consent)])
def test_after_a_look_no_seat_takes_back_or_brings_back_a_move_of_before_on_its_own(policy: str, other: type) -> None:
    log = quiet(policy)
    made, undone = log.match.version, log.match.version - 2
    assert verdicts(log, made - 1, undone) == [Free, Free]
    # It is about an older version and expires, so that it is no ruling that confirms the moves.
    number = disputed(log, log.match.table.first, seat=1)
    log.do(Look(number), IDA)
    log.wait(LAPSES_AFTER)
    assert verdicts(log, made - 1, undone) == [other, other]
    log.do(Resign(0), "ada")
    log.check_decided_again()


def test_without_a_look_a_dispute_about_an_older_version_changes_nothing_about_returns() -> None:
    log = quiet("free_only")
    made, undone = log.match.version, log.match.version - 2
    disputed(log, log.match.table.first, seat=1)
    log.wait(LAPSES_AFTER)
    assert verdicts(log, made - 1, undone) == [Free, Free]


def test_after_a_look_a_seat_still_takes_back_what_it_did_since() -> None:
    log = quiet("free_only")
    while log.match.to_move != {0}:
        move(log)
    log.do(Look(disputed(log, log.match.table.first)), IDA)
    log.wait(LAPSES_AFTER)
    made = move(log, 0)
    log.do(Undo(0, made - 1), "ada")


def test_an_unrated_match_has_no_rating_to_lose() -> None:
    log = arbitrated(private=True)
    log.do(Look(disputed(log)), IDA)
    assert [type(event) for event in log.events()] == [HiddenLookedAt]


# -- after the end ----------------------------------------------------------------------------------------------------


def finished(**opening: Any) -> TimedLog:
    log = arbitrated(**opening)
    move(log)
    return log.do(Resign(0), "ada")


def test_an_ended_match_is_disputed_and_ruled_on_until_72_hours_after_its_end() -> None:
    log = finished()
    ended = log.match.over_since
    assert ended == log.now
    log.wait(OPEN_AFTER_END - 2001)
    number = disputed(log)
    log.do(GiveRuling(number, "void", "So."), IDA)
    assert (log.match.status, log.match.outcome, log.match.over_since) == ("void", None, ended)
    log.check_decided_again()


def test_after_72_hours_nothing_changes_a_result() -> None:
    log = finished()
    log.wait(OPEN_AFTER_END - 1500)
    number = disputed(log, seat=1)
    outcome = log.match.outcome
    for ruling in ("void", "stands", "rewind"):
        log.refused(GiveRuling(number, ruling, "So."), IDA, "dispute_too_late")
    assert next_deadline(log.match) == log.match.cases[0].lapses_at
    log.wait(LAPSES_AFTER)
    read = as_of(log.match, log.now)
    assert (read.status, read.outcome, read.cases[0].ruling, read.cases[0].lapsed) == (
        "finished",
        outcome,
        "stands",
        True,
    )
    log.refused(Dispute(0, log.match.table.first, "Not so."), "ada", "dispute_too_late")
    log.check_decided_again()


def test_without_an_arbiter_all_seats_together_are_too_late_as_well() -> None:
    log = TimedLog().do(Join(), "ben")
    move(log)
    log.do(Resign(0), "ada")
    log.wait(OPEN_AFTER_END - 1500)
    number = disputed(log)
    log.refused(GiveRuling(number, "void", "So."), "ada", "retired")
    log.refused(GiveRuling(number, "void", "So."), "ben", "dispute_too_late")


# -- protocol 1 -------------------------------------------------------------------------------------------------------


def test_a_match_of_protocol_1_goes_on_as_it_always_did() -> None:
    log = TimedLog(arbiter=IDA, protocol=1).do(Join(), "ben")
    assert log.match.table.arbiter == IDA
    log.refused(AcceptArbitration(), IDA, "already_answered")
    log.refused(DeclineArbitration(), IDA, "not_asked")
    made = move(log)
    number = disputed(log, made)
    log.do(Look(number), IDA)
    assert (log.match.rated, [type(event) for event in log.events()]) == (True, [HiddenLookedAt])
    log.do(GiveRuling(number, "rewind", "So."), IDA)
    move(log)
    log.do(Resign(0), "ada")
    log.wait(100 * OPEN_AFTER_END)
    number = disputed(log, seat=1)
    log.do(GiveRuling(number, "void", "So."), IDA)
    assert log.match.status == "void"
    log.check_decided_again()
