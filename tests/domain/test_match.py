"""The aggregate: opening, joining, leaving, playing, resigning, and what each refuses."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import pytest

from domain import wire
from domain.commands import Join, Leave, Move, Open, Resign
from domain.commit import Commit
from domain.decide import decide, decide_open, entropy_with
from domain.events import Cancelled, Joined, Left, Opened, Retired, Started
from domain.evolve import advance, begin, fold
from domain.game import Outcome
from domain.hashchain import GENESIS
from domain.hidden import ALL, NOBODY, Bag, Hidden, Secret
from domain.match import Act, Match, Refused
from domain.protocol import PROTOCOL
from tests.support import toy
from tests.support.dice import RandomDice, ScriptedDice
from tests.support.playing import Playing, Setup, played

MATCH_ID = "00abc"
SEED = bytes(32)


class Log:
    """A match and its commits, acted on by named players."""

    def __init__(self, seats: int = 2, options: Any = None, position: Any = None) -> None:
        command = Open("highest_card", seats, options or {}, entropy="ada's")
        act = Act("ada", 1_000, RandomDice())
        self.commits: list[Commit] = []
        self.match: Any = None
        self.append(command, "ada", decide_open(toy.GAME, command, act, "00", position))

    def append(self, command: Any, by: str, events: Any, draws: int = 0) -> None:
        assert not isinstance(events, Refused), events
        version = len(self.commits) + 1
        commit = Commit(version, version * 1_000, by, "t0", f"c{version}", command, events, draws, b"")
        entry = wire.encode(toy.GAME, MATCH_ID, commit, SEED, self.match.head if self.match else GENESIS)
        self.commits.append(wire.decode(toy.GAME, entry))
        first = self.match is None
        read = self.commits[-1]
        self.match = begin(MATCH_ID, toy.GAME, read) if first else advance(self.match, read)

    def ask(self, command: Any, by: str, *script: Any) -> Any:
        """What would happen."""
        return decide(self.match, command, Act(by, 5_000, ScriptedDice(*script)))

    def do(self, command: Any, by: str, *script: Any) -> Log:
        self.append(command, by, self.ask(command, by, *script))
        return self

    def refused(self, command: Any, by: str, code: str) -> Refused:
        refused = self.ask(command, by)
        assert isinstance(refused, Refused), refused
        assert refused.code == code
        assert len(refused.message) > 15
        return refused


def running() -> Log:
    """Ada on seat 0 with 1 and 3, Ben on seat 1 with 2 and 4."""
    return Log().do(Join(), "ben", "1", "2", "3", "4")


# -- open, join, leave ------------------------------------------------------------------------------------------------


def test_opening_seats_the_host_and_records_rules_and_options() -> None:
    log = Log(3, {"hand": 1})
    opened, joined = log.commits[0].events
    assert opened == Opened(
        "highest_card", 1, 3, toy.Options(hand=1), "ada", "consent", False, "00", protocol=PROTOCOL, rated=False
    )
    assert joined == Joined(0, "ada", "ada's")
    match = log.match
    assert (match.status, match.version, match.to_move, match.state, match.outcome) == ("open", 1, NOBODY, None, None)
    assert match.table.free() == [1, 2]
    assert match.table.seat_of("ada") == 0
    assert match.table.opened_at == 1_000


@pytest.mark.parametrize("seats", [0, 1, 4])
def test_a_game_is_opened_for_its_numbers_of_seats_only(seats: int) -> None:
    refused = decide_open(toy.GAME, Open("highest_card", seats, {}), Act("ada", 0, RandomDice()), "00")
    assert refused == Refused("invalid", "Highest Card is played by 2 to 3 seats", field="seats")


def test_joining_takes_the_first_free_seat_or_the_one_that_is_named() -> None:
    assert Log(3).ask(Join(), "ben") == (Joined(1, "ben", ""),)
    assert Log(3).ask(Join(2, "salt"), "ben") == (Joined(2, "ben", "salt"),)


def test_who_cannot_join() -> None:
    log = Log(3).do(Join(2), "ben")
    log.refused(Join(), "ben", "already_seated")
    log.refused(Join(), "ada", "already_seated")
    log.refused(Join(2), "cleo", "seat_taken")
    for seat in (-1, 3, 99):
        assert log.refused(Join(seat), "cleo", "invalid").field == "seat"
    log.do(Join(), "cleo")
    log.refused(Join(), "dora", "not_open")


def test_the_last_seat_starts_the_match() -> None:
    log = running()
    assert [type(event) for event in log.commits[1].events] == [Joined, Started]
    match = log.match
    assert (match.status, match.table.first, match.since, match.to_move) == ("live", 2, 2, {0, 1})
    assert match.state.hands == (Bag.of("13", frozenset({0})), Bag.of("24", frozenset({1})))
    assert match.node.version == 2


def test_the_entropy_of_all_seats_goes_into_the_dice_with_what_a_join_brings() -> None:
    log = Log(3).do(Join(2, "ben's"), "ben")
    assert log.match.table.entropy == ("ada's", "", "ben's")
    assert entropy_with(log.match, Join(None, "cleo's")) == ("ada's", "cleo's", "ben's")
    assert entropy_with(log.match, Join(1, "cleo's")) == ("ada's", "cleo's", "ben's")
    assert entropy_with(log.match, Join(9, "cleo's")) == ("ada's", "", "ben's")
    assert entropy_with(log.match, Leave(2)) == ("ada's", "", "ben's")


def test_leaving_frees_the_seat_and_its_entropy() -> None:
    log = Log(3).do(Join(2, "ben's"), "ben").do(Leave(2), "ben")
    assert log.commits[-1].events == (Left(2),)
    assert log.match.table.free() == [1, 2]
    assert log.match.table.entropy == ("ada's", "", "")
    assert log.ask(Join(), "ben") == (Joined(1, "ben", ""),)


def test_the_host_leaving_cancels_the_match() -> None:
    log = Log(3).do(Join(), "ben").do(Leave(0), "ada")
    assert log.commits[-1].events == (Cancelled(),)
    assert (log.match.status, log.match.ended) == ("void", True)
    assert log.match.sees("ben") is ALL
    log.refused(Join(), "cleo", "not_open")
    log.refused(Leave(1), "ben", "not_open")
    log.refused(Resign(1), "ben", "not_live")
    log.refused(Move(1, toy.Lay("1")), "ben", "not_live")


def test_who_cannot_leave() -> None:
    log = Log(3).do(Join(), "ben")
    for seat in (2, 3, -1):
        log.refused(Leave(seat), "ben", "seat_empty")
    log.refused(Leave(0), "ben", "not_your_seat")
    log.refused(Leave(1), "cleo", "not_your_seat")
    running().refused(Leave(1), "ben", "not_open")
    running().refused(Leave(0), "ada", "not_open")


# -- moves ------------------------------------------------------------------------------------------------------------


def test_a_move_is_refused_before_the_start_from_outside_and_out_of_turn() -> None:
    Log().refused(Move(0, toy.Lay("1")), "ada", "not_live")
    log = running()
    log.refused(Move(0, toy.Lay("1")), "cleo", "not_seated")
    log.refused(Move(0, toy.Lay("1")), "ben", "not_seated")
    log.refused(Move(7, toy.Lay("1")), "ben", "not_seated")
    log.do(Move(0, toy.Lay("1")), "ada")
    assert log.refused(Move(0, toy.Lay("3")), "ada", "not_your_turn").message == "It is the turn of seat 1."


def test_a_move_against_the_rules_is_refused_with_the_rule() -> None:
    refused = running().refused(Move(0, toy.Lay("2")), "ada", "illegal_move")
    assert (refused.rule, refused.message) == ("TOY-1", "You do not have the 2.")


def test_refuse_is_given_what_the_seat_may_know_and_nothing_else() -> None:
    asked: list[toy.State] = []

    def refuse(state: toy.State, seat: int, move: toy.Move) -> None:
        asked.append(state)

    match = running().match
    watched = dataclasses.replace(match, table=dataclasses.replace(match.table, game=spied(refuse)))
    decide(watched, Move(1, toy.Lay("2")), Act("ben", 0, RandomDice()))
    assert asked[0].hands == (Bag(None, 2, frozenset({0})), Bag.of("24", frozenset({1})))
    assert asked[0].pile == Bag(None, 5)


def spied(refuse: Any) -> Any:
    return dataclasses.replace(toy.GAME, refuse=refuse)


def test_deciding_changes_nothing() -> None:
    log = running()
    before = repr(log.match)
    log.ask(Move(0, toy.Lay("1")), "ada")
    log.refused(Move(0, toy.Lay("2")), "ada", "illegal_move")
    assert repr(log.match) == before


def test_a_simultaneous_choice_is_open_since_its_first_version() -> None:
    log = running()
    assert log.match.since == 2
    log.do(Move(1, toy.Lay("4")), "ben")
    assert (log.match.version, log.match.to_move, log.match.since) == (3, {0}, 2), "the same choice, one is in"
    log.do(Move(0, toy.Lay("1")), "ada", "9", "8")
    assert (log.match.version, log.match.to_move, log.match.since) == (4, {1}, 4), "another choice"
    log.do(Move(1, toy.Order("8")), "ben")
    assert (log.match.version, log.match.to_move, log.match.since) == (5, {0, 1}, 5)


def test_one_seat_after_another_makes_a_new_choice_each_time() -> None:
    """A choice of one seat is over with its move, also if the same seat is to move again."""
    match = played(Setup(toy.GAME, 2, toy.Options(), seed=4)).matches
    for before, after in itertools.pairwise(match):
        if len(before.to_move) == 1:
            assert after.since == after.version


def test_the_end_comes_with_the_outcome_and_opens_everything() -> None:
    match = played(Setup(toy.GAME, 2, toy.Options(hand=1), seed=1)).match
    assert (match.status, match.ended, match.to_move) == ("finished", True, NOBODY)
    assert isinstance(match.outcome, Outcome)
    assert match.sees(None) is ALL
    act = Act("player-0", 0, RandomDice())
    for command in (Move(0, toy.Lay("1")), Resign(0)):
        refused = decide(match, command, act)
        assert isinstance(refused, Refused)
        assert refused.code == "not_live"


# -- resigning --------------------------------------------------------------------------------------------------------


def test_once_all_others_have_resigned_the_last_seat_wins() -> None:
    log = Log(3).do(Join(), "ben").do(Join(), "cleo").do(Resign(1), "ben").do(Resign(0), "ada")
    assert log.commits[-1].events[0] == Retired(0, "resigned")
    match = log.match
    assert (match.status, match.to_move) == ("finished", NOBODY)
    assert match.outcome == Outcome((2,), (), "resigned")
    assert match.node.parent.state == match.state, "the state stays as it was"


def test_one_resigns_for_oneself_in_a_running_match_only() -> None:
    Log().refused(Resign(0), "ada", "not_live")
    running().refused(Resign(0), "ben", "not_seated")
    running().refused(Resign(0), "cleo", "not_seated")
    assert running().do(Move(0, toy.Lay("1")), "ada").ask(Resign(0), "ada") == (Retired(0, "resigned"),), (
        "also out of turn"
    )


# -- seeing and folding -----------------------------------------------------------------------------------------------


def test_a_player_sees_with_the_own_seat_and_a_stranger_with_none() -> None:
    match = running().match
    assert match.sees("ben") == frozenset({1})
    assert match.sees("cleo") == match.sees(None) == NOBODY


def test_an_empty_seat_is_not_that_of_a_nobody() -> None:
    log = Log(3)
    assert log.match.table.seat_of(None) is None
    assert log.match.sees(None) == NOBODY


def test_folding_the_log_gives_the_match_at_each_version() -> None:
    log = running().do(Move(1, toy.Lay("4")), "ben")
    assert fold(MATCH_ID, toy.GAME, []) is None
    for version in range(1, 4):
        match = fold(MATCH_ID, toy.GAME, log.commits[:version])
        assert match is not None
        assert match.version == version
        assert match.at == version * 1_000
    assert match == log.match


def test_folding_as_a_seat_never_holds_more_than_it_may_know() -> None:
    log = running().do(Move(1, toy.Lay("4")), "ben")
    match = fold(MATCH_ID, toy.GAME, log.commits, frozenset({0}))
    assert match is not None
    assert match.state.doing == toy.Laying((None, Hidden(frozenset({1}))))
    assert match.state.hands[1] == Bag(None, 1, frozenset({1}))


def test_a_match_can_start_from_a_position() -> None:
    hands = tuple(Bag.of(card, frozenset({seat})) for seat, card in enumerate("95"))
    started = toy.State(hands, Bag.of("1"), toy.Laying((None, Secret("2", frozenset({1})))), (0, 3), peek=True)
    log = Log(position=started).do(Join(), "ben")
    assert log.commits[0].events[0].position == started
    assert log.commits[1].events[1] == Started(started)
    assert log.match.state == started
    assert log.match.table.position is None, "it stands in the tree of versions from now on"


def test_a_position_without_a_move_left_is_finished_at_once() -> None:
    hands = tuple(Bag.of("", frozenset({seat})) for seat in range(2))
    over = toy.State(hands, Bag.of("1"), toy.Laying((None, None)), (2, 1), peek=True)
    match: Match = Log(position=over).do(Join(), "ben").match
    assert (match.status, match.outcome) == ("finished", Outcome((0,), (2, 1), "most points", "TOY-2"))


def test_every_version_of_a_match_can_be_found_again() -> None:
    playing: Playing = played(Setup(toy.GAME, 3, toy.Options(), seed=9))
    node = playing.match.node
    assert node is not None
    for match in playing.matches:
        if match.node is not None:
            found = node.find(match.version)
            assert found is not None
            assert found.state == match.state
