"""Returns that are free, those that others are asked for, and how many there may be: by each protocol."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain.commands import AnswerUndo, Dispute, GiveRuling, Redo, Resign, Undo, UndoPolicy, WithdrawUndo
from domain.events import Rewound
from domain.game import AnyGame
from domain.games.block_happy import GAME as BLOCK_HAPPY
from domain.games.block_happy.examples import composed
from domain.games.blockers import GAME as BLOCKERS
from domain.games.territories import GAME as TERRITORIES
from domain.match import Refused
from domain.undo import Consent, Free, UndoVerdict, is_move, undo_verdict
from replay.knowledge import learners
from tests.support.block_happy.tables import DECLINE, OTHER, PLAIN, play
from tests.support.playing import Playing, Setup, player

EIGHT = f"smug {PLAIN}"
"""A hand of seven next to which the eighth is played, so that its seat draws nothing."""
PROTOCOLS = pytest.mark.parametrize("protocol", [1, 2])


def playing(game: AnyGame, position: Any, protocol: int, seats: int = 2, **more: Any) -> Playing:
    return Playing(Setup(game, seats, game.options(), position=position, undo="consent", protocol=protocol, **more))


def moved(match: Playing, *moves: dict[str, Any]) -> Playing:
    """The match after moves of whoever is to move."""
    for move in moves:
        (seat,) = match.match.to_move
        assert match.move(seat, match.game.read_move(move)) is None
    return match


def verdict(match: Playing, seat: int) -> UndoVerdict:
    """What the undo of the newest move would be."""
    return undo_verdict(match.match, seat, player(seat), match.match.version - 1)


def learned(match: Playing) -> set[int]:
    assert match.match.node is not None
    return set(learners(match.commits[-1], match.match.node, len(match.match.table.seats)))


# -- what discloses ---------------------------------------------------------------------------------------------------


@PROTOCOLS
def test_whoever_was_asked_for_a_card_and_had_none_does_not_take_that_back_freely(protocol: int) -> None:
    start = composed([f"curious {EIGHT}", f"smug {OTHER}"], [1, 1])
    match = moved(playing(BLOCK_HAPPY, start, protocol), play("curious", 1, ask="overjoyed"), DECLINE)
    assert match.commits[-1].draws == 0
    assert learned(match) == {0}, "the asked seat knew its own hand"
    expected = {1: Free, 2: Consent}[protocol]
    assert isinstance(verdict(match, 1), expected)


@PROTOCOLS
def test_six_happiness_without_a_win_show_that_tickled_pink_is_not_held(protocol: int) -> None:
    start = composed([f"annoyed {EIGHT}", f"smug {OTHER}"], [4, 2])
    match = moved(playing(BLOCK_HAPPY, start, protocol), play("annoyed", 1), DECLINE)
    assert match.match.state.happiness == (6, 0)
    assert match.commits[-1].draws == 0
    assert learned(match) == {1}, "the seat with six happiness knew its own hand"
    assert isinstance(verdict(match, 1), {1: Free, 2: Consent}[protocol])


@PROTOCOLS
@pytest.mark.parametrize(
    ("happiness", "more"),
    [([3, 2], {}), ([5, 0], {}), ([4, 2], {"show": "tickled_pink"})],
    ids=["five happiness", "nothing to take", "everybody sees where Tickled Pink lies"],
)
def test_a_decline_that_shows_nothing_stays_free(happiness: list[int], more: dict[str, Any], protocol: int) -> None:
    start = composed([f"bored annoyed {PLAIN}", f"smug {OTHER}"], happiness, **more)
    first = play("annoyed", 1) if happiness[1] else play("bored", 1)
    match = moved(playing(BLOCK_HAPPY, start, protocol), first, DECLINE)
    assert learned(match) == set()
    assert isinstance(verdict(match, 1), Free)


@PROTOCOLS
def test_a_pass_shows_that_nothing_can_be_placed(protocol: int) -> None:
    position = BLOCKERS.parse(BLOCKERS.examples["nothing_to_place"], 4, BLOCKERS.options())
    match = moved(playing(BLOCKERS, position, protocol, 4), {"type": "pass"})
    assert learned(match) == {1, 2, 3}
    assert isinstance(verdict(match, 0), {1: Free, 2: Consent}[protocol])


def test_the_reason_names_the_version_by_which_somebody_learned_something() -> None:
    start = composed([f"curious {EIGHT}", f"smug {OTHER}"], [1, 1])
    match = moved(playing(BLOCK_HAPPY, start, 2), play("curious", 1, ask="overjoyed"), DECLINE)
    found = verdict(match, 1)
    assert isinstance(found, Consent)
    assert found.reason == f"By version {match.match.version} somebody learned something. The others are asked."
    assert match.do(Undo(1, match.match.version - 1), player(1)) is None
    assert match.match.request is not None, "the asking seat must agree"


def test_without_consent_what_was_disclosed_stays() -> None:
    start = composed([f"curious {EIGHT}", f"smug {OTHER}"], [1, 1])
    setup = Setup(BLOCK_HAPPY, 2, BLOCK_HAPPY.options(), position=start, undo="free_only")
    match = moved(Playing(setup), play("curious", 1, ask="overjoyed"), DECLINE)
    refused = match.do(Undo(1, match.match.version - 1), player(1))
    assert isinstance(refused, Refused)
    assert refused.code == "undo_refused"


# -- how many returns there may be ------------------------------------------------------------------------------------


def walking(undo: UndoPolicy = "free_only", protocol: int = 2) -> Playing:
    """A match of Territories, in which seat 0 has moved and nothing is hidden."""
    setup = Setup(TERRITORIES, 2, TERRITORIES.options(), undo=undo, protocol=protocol)
    match = Playing(replace(setup, position=Playing(setup).match.state))
    while match.match.node is None or match.match.node.seat != 0:
        move_on(match)
    return match


def move_on(match: Playing) -> None:
    (seat,) = match.match.to_move
    assert match.move(seat, match.legal(seat)[0]) is None


def flip(match: Playing, seat: int, times: int) -> list[str]:
    """Takes the newest move of a seat back, brings it back, and so on. Codes of refusals; nothing for what was done."""
    moved = next(node.version for node in match.match.node.path() if is_move(node)) if match.match.node else 0
    codes = []
    for number in range(times):
        command = Redo(seat, moved) if number % 2 else Undo(seat, moved - 1)
        refused = match.do(command, player(seat))
        codes.append(refused.code if refused else "")
    return codes


@pytest.mark.parametrize("policy", ["free_only", "host"])
def test_a_seat_returns_freely_ten_times_until_another_seat_acts(policy: UndoPolicy) -> None:
    match = walking(policy)
    assert flip(match, 0, 12) == [""] * 10 + ["too_many_returns", "in_force"]
    if policy == "host":
        return
    move_on(match)
    assert flip(match, 1, 2) == ["", ""]
    move_on(match)
    assert flip(match, 0, 10) == [""] * 10


def test_under_consent_the_eleventh_return_is_asked_for() -> None:
    match = walking("consent")
    assert flip(match, 0, 11) == [""] * 11
    request = match.match.request
    assert request is not None
    assert (request.seat, sorted(request.asks)) == (0, [1])
    assert match.do(AnswerUndo(1, accept=True), player(1)) is None
    assert match.match.asking[0].free == 0, "what is agreed on gives all seats their rights back"


def test_matches_of_the_first_protocol_know_no_such_limit() -> None:
    match = walking("free_only", 1)
    assert flip(match, 0, 24) == [""] * 24
    match.matches[-1] = replace(match.match, requests=5_000)
    assert flip(match, 0, 2) == ["", ""]


def test_a_match_has_two_thousand_returns_and_requests_and_everything_else_goes_on() -> None:
    match = walking("consent")
    first = match.match.version
    match.matches[-1] = replace(match.match, branches=1_000, requests=998)
    assert match.do(Undo(0, first - 1), player(0)) is None
    assert match.do(Redo(1, first), player(1)) is None
    assert match.match.request is not None
    assert match.match.branches + match.match.requests == 2_000
    assert match.do(AnswerUndo(0, accept=True), player(0)) is None, "what is asked for already can be agreed on"
    refused = match.do(Undo(0, match.match.table.first), player(0))
    assert isinstance(refused, Refused)
    assert refused.code == "too_many_returns"
    assert "2000" in refused.message
    move_on(match)
    assert match.do(Dispute(0, match.match.version, "why"), player(0)) is None
    assert match.do(GiveRuling(1, "rewind", "so"), player(0)) is None
    assert match.do(GiveRuling(1, "rewind", "so"), player(1)) is None
    assert isinstance(match.commits[-1].events[1], Rewound), "a ruling is never refused for length"
    assert match.do(Resign(0), player(0)) is None


# -- requests that are given up ---------------------------------------------------------------------------------------


def asked_by(match: Playing, seat: int) -> Playing:
    """The match with an open request of this seat to return to the start of play."""
    assert match.do(Undo(seat, match.match.table.first), player(seat)) is None
    assert match.match.request is not None
    return match


def may_block(match: Playing, seat: int) -> bool:
    refused = match.do(AnswerUndo(seat, accept=False, block=True), player(seat))
    assert refused is None or refused.code == "not_yet"
    return refused is None


@pytest.mark.parametrize(("protocol", "blocks"), [(1, False), (2, True)])
def test_a_request_that_was_withdrawn_counts_towards_blocking(protocol: int, *, blocks: bool) -> None:
    match = walking("consent", protocol)
    move_on(match)
    asked_by(match, 0)
    assert match.do(WithdrawUndo(0), player(0)) is None
    assert may_block(asked_by(match, 0), 1) is blocks


@pytest.mark.parametrize(("protocol", "blocks"), [(1, False), (2, True)])
def test_so_does_one_that_its_seat_ended_by_moving_on(protocol: int, *, blocks: bool) -> None:
    match = walking("consent", protocol)
    move_on(match)
    asked_by(match, 0)
    assert match.match.to_move == {0}
    move_on(match)
    assert match.match.request is None
    move_on(match)
    assert may_block(asked_by(match, 0), 1) is blocks


def test_but_not_one_that_another_seat_ended_by_acting() -> None:
    match = walking("consent")
    move_on(match)
    move_on(match)
    asked_by(match, 0)
    assert match.match.to_move == {1}
    move_on(match)
    assert match.match.request is None
    assert not may_block(asked_by(match, 0), 1)
