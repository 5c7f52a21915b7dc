"""The ways in which recorded matches of Blockers! Territories end, besides those of every game."""

from __future__ import annotations

from domain.games.territories import GAME
from domain.games.territories.state import Options
from tests.golden.ways import Way, chosen_by
from tests.support.playing import Setup, any_move
from tests.support.territories.bots import choose

BLOCKED = GAME.parse(GAME.examples["blocked_in"], 2, Options())
"""The seat to move is blocked in."""

WAYS = {
    "all_controlled": Way(Setup(GAME, 2, Options(), seed=5), chosen_by(any_move)),
    "all_controlled_on_purpose": Way(Setup(GAME, 3, Options(), seed=6), chosen_by(choose)),
    "shared": Way(Setup(GAME, 2, Options(max_rounds=3), seed=2), chosen_by(any_move)),
    "last_round": Way(Setup(GAME, 4, Options(max_rounds=1, first_seat=3), seed=7), chosen_by(any_move)),
    "with_a_pass": Way(Setup(GAME, 2, Options(), 8, BLOCKED), chosen_by(any_move)),
}
