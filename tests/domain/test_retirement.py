"""Seats that retire: of two the other wins, of more a stand-in plays on, and no return undoes it."""

from __future__ import annotations

import pytest

from domain import commands, events
from domain.commands import AnswerUndo, Clock, Dispute, GiveRuling, Move, Resign, Retire, Undo
from domain.game import Outcome
from domain.games.territories import GAME as TERRITORIES
from domain.hidden import NOBODY
from domain.match import Refused
from domain.retirement import Retirement, last_in_play, stand_in, with_retired
from tests.support import toy
from tests.support.clocked import PEOPLE, Clocked

TURN = Clock(turn=60, answer=20)


def moved(seats: int, **opening: object) -> Clocked:
    """A match in which each seat has moved."""
    log = Clocked(TERRITORIES, seats, clock=TURN, **opening)
    for _ in range(seats):
        log.move(1)
    return log


def test_of_two_seats_the_other_wins() -> None:
    log = moved(2)
    log.after(1, Resign(0), "ada")
    assert log.events() == [events.Retired(0, "resigned")]
    assert log.match.outcome == Outcome((1,), (), "resigned")
    assert log.match.status == "finished"
    assert log.match.rated
    assert log.match.retired == (Retirement(0, log.match.at, "resigned"),)


def test_a_seat_of_two_that_has_not_moved_makes_the_match_void_also_if_it_undid_its_move() -> None:
    log = Clocked(TERRITORIES, 2, clock=TURN)
    log.after(1, Resign(0), "ada")
    assert (log.match.status, log.match.void_reason) == ("void", "aborted")
    log = Clocked(TERRITORIES, 2, clock=TURN)
    seat = min(log.match.to_move)
    log.move(1)
    log.after(1, Undo(seat, log.match.version - 1), PEOPLE[seat])
    log.after(1, Resign(seat), PEOPLE[seat])
    assert log.match.status == "finished"


def test_of_more_seats_a_stand_in_plays_on_with_what_the_seat_sees_and_without_a_clock() -> None:
    log = moved(3)
    seat = min(log.match.to_move)
    log.after(1, Resign(seat), PEOPLE[seat])
    assert log.match.status == "live"
    assert log.match.in_play == [other for other in range(3) if other != seat]
    assert log.due_in() == []
    assert log.after(1, Move(seat, log.legal(seat)[0]), PEOPLE[seat]) == Refused(
        "retired", "You have retired from this match."
    )
    assert log.match.sees(PEOPLE[seat]) == NOBODY
    assert log.match.sees(stand_in(seat)) == frozenset({seat})
    other = log.match.in_play[0]
    assert log.match.sees(PEOPLE[other]) == frozenset({other})
    assert log.match.sees(stand_in(other)) == NOBODY
    stranger = log.after(1, Move(other, log.legal(seat)[0]), stand_in(other))
    assert stranger is not None
    assert stranger.code == "not_seated"
    assert log.after(1, Move(seat, log.legal(seat)[0]), stand_in(seat)) is None
    assert log.match.node is not None
    assert log.match.node.seat == seat
    assert [what for _seat, what, _left in log.due_in()] == ["turn"]
    log.check_decided_again()


def test_the_last_seat_in_play_wins() -> None:
    log = moved(3)
    log.after(1, Resign(2), "cleo")
    log.after(1, Resign(0), "ada")
    assert log.match.outcome == Outcome((1,), (), "resigned")
    assert log.match.status == "finished"


def test_seats_that_run_out_in_the_same_millisecond_retire_together_and_nobody_is_left() -> None:
    log = Clocked(toy.GAME, 2, clock=TURN, given={"hand": 3, "peek": False})
    for number in range(2):
        made = log.run_out(20)
        assert made[0] == events.AnswerMissed(0, log.match.at)
        made = log.run_out(0)
        assert made[0] == events.AnswerMissed(1, log.match.at), number
    assert log.match.clocks is not None
    assert log.match.clocks.missed == (2, 2)
    made = log.run_out(20)
    assert made[:2] == [events.Retired(0, "timeout", log.match.at), events.Retired(1, "timeout", log.match.at)]
    assert (log.match.status, log.match.void_reason, log.match.outcome) == ("void", "deserted", None)


def test_a_match_of_more_in_which_a_seat_retires_before_its_first_move_is_not_rated() -> None:
    log = Clocked(TERRITORIES, 3, clock=TURN)
    assert log.match.rated
    log.after(1, Resign(2), "cleo")
    assert log.events() == [events.Retired(2, "resigned"), events.Unrated("early")]
    assert not log.match.rated
    assert log.match.status == "live"
    assert moved(3).do(Resign(1), "ben").match.rated


def test_consent_is_asked_of_those_in_play_only() -> None:
    log = moved(3)
    log.after(1, Resign(2), "cleo")
    seat = min(log.match.in_play)
    log.after(1, Undo(seat, log.match.table.first), PEOPLE[seat])
    assert log.match.request is not None
    asked = log.match.request.asks
    assert asked == set(log.match.in_play) - {seat}
    refused = log.after(1, AnswerUndo(2, accept=True), "cleo")
    assert refused is not None
    assert refused.code == "retired"
    (other,) = asked
    log.after(1, AnswerUndo(other, accept=True), PEOPLE[other])
    assert log.match.branches == 1
    assert log.match.has_retired(2), "no return undoes it"
    assert log.match.in_play == [0, 1]


def test_a_retirement_ends_an_open_request_and_is_possible_while_a_dispute_is_open() -> None:
    log = moved(3)
    log.after(1, Undo(0, log.match.table.first), "ada")
    assert log.match.request is not None
    log.after(1, Resign(1), "ben")
    assert log.match.request is None
    log.after(1, Dispute(0, log.match.version, "?"), "ada")
    log.after(1, GiveRuling(1, "stands", "so"), "ada")
    refused = log.after(1, GiveRuling(1, "stands", "so"), "ben")
    assert refused is not None
    assert refused.code == "retired"
    log.after(1, Resign(2), "cleo")
    assert log.match.status == "finished"
    assert log.match.outcome == Outcome((0,), (), "resigned")


def test_the_rest_of_the_seats_rule_together_on_a_dispute() -> None:
    log = moved(3)
    log.after(1, Resign(1), "ben")
    log.after(1, Dispute(0, log.match.version, "?"), "ada")
    log.after(1, GiveRuling(1, "stands", "so"), "ada")
    assert log.match.case is not None
    log.after(1, GiveRuling(1, "stands", "so"), "cleo")
    assert log.match.case is None
    refused = log.after(1, Dispute(1, log.match.version, "?"), "ben")
    assert refused is not None
    assert refused.code == "retired"


def test_a_deleted_account_retires_once() -> None:
    log = moved(3)
    assert log.after(1, Retire(1), "house") is None
    assert log.events() == [events.Retired(1, "deleted")]
    again = log.after(1, Retire(1), "house")
    assert again is not None


@pytest.mark.parametrize("protocol", [1, 2])
def test_by_earlier_protocols_resigning_ends_every_match_at_once(protocol: int) -> None:
    from tests.support.timed_log import TimedLog

    log = TimedLog(3, game=TERRITORIES, protocol=protocol)
    log.do(commands.Join(), "ben").do(commands.Join(), "cleo")
    log.do(Resign(0), "ada")
    assert log.events() == [events.Resigned(0)]
    assert log.match.outcome == Outcome((1, 2), (), "resigned")
    log.refused(Retire(1), "house", "not_live")


# -- outcomes ---------------------------------------------------------------------------------------------------------


def gone(*seats: int) -> tuple[Retirement, ...]:
    return tuple(Retirement(seat, 1, "resigned") for seat in seats)


@pytest.mark.parametrize(
    ("winners", "retired", "expected"),
    [
        ((0,), (), (0,)),
        ((0,), (1,), (0,)),
        ((0, 1), (1,), (0,)),
        ((1,), (1,), (0, 2, 3)),
        ((1, 2), (1, 2), (0, 3)),
    ],
)
def test_only_seats_in_play_win(winners: tuple[int, ...], retired: tuple[int, ...], expected: tuple[int, ...]) -> None:
    outcome = Outcome(winners, (1, 2, 3, 4), "over", "X-1")
    assert with_retired(outcome, 4, gone(*retired)) == Outcome(expected, (1, 2, 3, 4), "over", "X-1")


def test_nobody_has_won_by_the_retirement_of_others_while_two_are_in_play() -> None:
    assert last_in_play(3, gone(1)) is None
    assert last_in_play(3, gone(0, 1, 2)) is None
    assert last_in_play(3, gone(2, 0)) == Outcome((1,), (), "resigned")
