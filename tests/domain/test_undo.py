"""Returns that are free, those that others are asked for, and how many there may be: by each protocol."""

from __future__ import annotations

from typing import Any

import pytest

from domain.commands import Undo
from domain.game import AnyGame
from domain.games.block_happy import GAME as BLOCK_HAPPY
from domain.games.block_happy.examples import composed
from domain.games.blockers import GAME as BLOCKERS
from domain.match import Refused
from domain.undo import Consent, Free, UndoVerdict, undo_verdict
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
