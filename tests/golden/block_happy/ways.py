"""The ways in which recorded matches of Block Happy end, besides those of every game."""

from __future__ import annotations

from domain.games.block_happy import GAME
from domain.games.block_happy.examples import composed
from domain.games.block_happy.state import Options
from tests.golden.ways import Way, chosen_by
from tests.support.block_happy.bots import choose, dawdle
from tests.support.playing import Setup, any_move

HANDS = ("smug sad sad funny angry scared surprised", "smug scared scared funny angry angry surprised")
NEARLY_OVER, LEVEL = (composed(HANDS, happiness, turns=1990) for happiness in ([3, 2], [3, 3]))
"""Ten turns before the last one."""

WAYS = {
    "seven_happiness": Way(Setup(GAME, 3, Options(), seed=1), chosen_by(choose)),
    "seven_happiness_out_of_turn": Way(Setup(GAME, 3, Options(), seed=6), chosen_by(choose)),
    "tickled_pink": Way(Setup(GAME, 3, Options(), seed=0), chosen_by(choose)),
    "tickled_pink_out_of_turn": Way(Setup(GAME, 3, Options(), seed=4), chosen_by(choose)),
    "tickled_pink_handed_over": Way(Setup(GAME, 2, Options(), seed=1201), chosen_by(choose)),
    "tickled_pink_with_cards_seen": Way(Setup(GAME, 3, Options(), seed=1797), chosen_by(choose)),
    "happiness_drawn_out_of_turn": Way(Setup(GAME, 4, Options(), seed=873), chosen_by(choose)),
    "with_turns_missed": Way(Setup(GAME, 2, Options(first_seat=1), seed=6), chosen_by(any_move)),
    "last_turn": Way(Setup(GAME, 2, Options(), 1, NEARLY_OVER), chosen_by(dawdle)),
    "shared_after_the_last_turn": Way(Setup(GAME, 2, Options(), 0, LEVEL), chosen_by(dawdle)),
}
