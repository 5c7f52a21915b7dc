"""Whole matches, one for each way of ending, through the log: BL-12 and BL-14 to BL-17."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.game import Outcome
from domain.games.blockers import GAME, Passed
from domain.games.blockers.scoring import score
from tests.support.blockers.bots import endings, play
from tests.support.scenario import Scenario


def played(name: str) -> tuple[list[Scenario], Outcome]:
    steps = play(endings()[name])
    assert steps[-1].outcome is not None
    return steps, steps[-1].outcome


@pytest.mark.parametrize("name", ["usual", "usual, two seats", "usual, five seats"])
def test_bl_14_the_usual_end(name: str) -> None:
    steps, outcome = played(name)
    assert len(steps) == 1 + 24 * len(steps[-1].state.racks)
    assert outcome.rule == "BL-14"
    (winner,) = outcome.winners
    assert outcome.scores[winner] == min(outcome.scores)
    assert outcome.scores.count(min(outcome.scores)) == 1


def test_bl_16_an_end_that_the_captures_decide() -> None:
    steps, outcome = played("tie broken by captures")
    lowest = [seat for seat, total in enumerate(outcome.scores) if total == min(outcome.scores)]
    captured = {seat: score(steps[-1].state, seat).all_captured for seat in lowest}
    assert len(lowest) == 2
    assert outcome.winners == (min(captured, key=captured.__getitem__),)
    assert outcome.rule == "BL-16"


@pytest.mark.parametrize("name", ["shared victory", "shared victory, two seats"])
def test_bl_16_an_end_with_a_shared_victory(name: str) -> None:
    steps, outcome = played(name)
    first, second = (score(steps[-1].state, seat) for seat in outcome.winners)
    assert (first.total, first.all_captured) == (second.total, second.all_captured)
    assert outcome.rule == "BL-16"


def test_bl_17_an_end_under_uptown_that_captures_would_have_turned() -> None:
    steps, outcome = played("uptown")
    by_captures = GAME.outcome(replace(steps[-1].state, scoring="blockers"))
    assert by_captures is not None
    assert outcome.winners != by_captures.winners


def test_bl_12_an_end_with_passes() -> None:
    steps, outcome = played("passes")
    passes = [event.seat for step in steps for event in step.happened if isinstance(event, Passed)]
    assert passes
    assert set(passes) == {0}
    before, after = steps[0].state, steps[-1].state
    left = [len(state.racks[0]) + len(state.piles[0]) for state in (before, after)]
    assert left[0] - left[1] == 6 - len(passes)
    assert outcome.scores == tuple(score(after, seat).total for seat in range(4))
