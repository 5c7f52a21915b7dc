"""What is half done survives: a legendary with tokens still to put, a window, a fight with one choice made."""

from __future__ import annotations

from typing import Any

import pytest

from domain import wire
from domain.commands import Redo, Undo
from domain.evolve import fold
from domain.games.cock_block import GAME
from domain.games.cock_block.state import Options
from tests.support.cock_block.table import DECLINE, at, block, commit, legendary, move, position, put
from tests.support.playing import Playing, Setup, player

FOUR = dict.fromkeys(("a1", "a2", "a3", "a4"), "jealous_bff")

STEPS: dict[str, tuple[list[dict[str, Any]], dict[str, Any], list[tuple[int, dict[str, Any]]]]] = {
    "puts": (
        [at("a0", "bag_of_seeds"), at("d3")],
        {"tokens": FOUR},
        [(0, legendary("bag_of_seeds")), (0, put("b2")), (0, put("c3")), (0, put("c4")), (0, put("d4"))],
    ),
    "counter_window": (
        [at("a0", "jealous_bff"), at("b3"), at("b5")],
        {},
        [(0, block("jealous_bff", "b4")), (1, DECLINE), (2, DECLINE)],
    ),
    "duel": (
        [at("b2", "flex_gunz", "wild"), at("b3", "bouncer")],
        {},
        [(0, move("flex_gunz")), (0, commit("wild")), (1, commit())],
    ),
}
"""By what is pending: a position, and moves of which all but the last leave something to do."""


@pytest.mark.parametrize("pending", STEPS)
def test_what_is_half_done_survives_a_restart_and_is_undone_and_redone_step_by_step(pending: str) -> None:
    seats, fields, steps = STEPS[pending]
    options = Options(fights="geeks")
    start = GAME.parse(position(*seats, **fields), len(seats), options)
    playing = Playing(Setup(GAME, len(seats), options, 1, start))
    first = playing.match.version
    shown = [GAME.view(start)]
    for seat, plain in steps:
        assert playing.move(seat, GAME.read_move(plain)) is None
        shown.append(GAME.view(playing.match.state))
        again = fold(playing.match_id, GAME, [wire.decode(GAME, entry) for entry in playing.entries])
        assert again == playing.match
    types = [view["pending"] and view["pending"]["type"] for view in shown]
    assert types == [None, *[pending] * (len(steps) - 1), None]
    for step in reversed(range(len(steps))):
        assert playing.do(Undo(0, first + step), player(0)) is None
        assert GAME.view(playing.match.state) == shown[step]
    for step in range(1, len(steps) + 1):
        assert playing.do(Redo(0, first + step), player(0)) is None
        assert GAME.view(playing.match.state) == shown[step]
