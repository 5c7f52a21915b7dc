"""The ways in which recorded matches of Blockers! end, besides those of every game."""

from __future__ import annotations

from domain.games.blockers import GAME, Options
from tests.golden.ways import Way, chosen_by
from tests.support.blockers.bots import OF_THE_ROWS, U_SHAPES
from tests.support.blockers.positions import end, state
from tests.support.playing import Setup, any_move

FULL_ROWS = state(U_SHAPES, seats=4, racks=OF_THE_ROWS, turns=end(4) - 24)
"""Seat 0 has nowhere to place any of its tiles."""

WAYS = {
    "shared": Way(Setup(GAME, 3, Options(), seed=41), chosen_by(any_move)),
    "shared_2_seats": Way(Setup(GAME, 2, Options(), seed=53), chosen_by(any_move)),
    "decided_by_captures": Way(Setup(GAME, 3, Options(), seed=3), chosen_by(any_move)),
    "uptown": Way(Setup(GAME, 4, Options(scoring="uptown", first_seat=2), seed=4), chosen_by(any_move)),
    "with_passes": Way(Setup(GAME, 4, Options(), 5, FULL_ROWS), chosen_by(any_move)),
}
