"""The ways in which recorded matches of Cock Block end, besides those of every game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.commands import Resign
from domain.game import Dice
from domain.games.cock_block import GAME
from domain.games.cock_block.moves import Commit
from domain.games.cock_block.state import Options
from tests.golden.ways import Way, chosen_by
from tests.support.cock_block.bots import choose, guard
from tests.support.cock_block.table import at, position
from tests.support.playing import Playing, Setup, any_kind, player

SMALL, WITH_CARDS = Options(barn_rows=3), Options(barn_rows=3, fights="geeks")
FREE = Options(barn_rows=4, fights="geeks", free_combinations=True)


def guarded(state: Any, seat: int, moves: Sequence[Any], dice: Dice) -> Any:
    """The last seat stays in the Exit Area, so that whoever comes home has to fight for it."""
    return (guard if seat == len(state.heroes) - 1 else choose)(state, seat, moves, dice)


def mixed(state: Any, seat: int, moves: Sequence[Any], dice: Dice) -> Any:
    """Two moves of three have a goal; the others are of any kind."""
    return (choose if dice.below(3) else any_kind)(state, seat, moves, dice)


def from_position(plain: Any, seed: int, options: Options | None = None) -> Setup:
    chosen = options or Options()
    seats = len(plain["seats"])
    return Setup(GAME, seats, chosen, seed, GAME.parse(plain, seats, chosen))


def resigning_in_a_fight(playing: Playing) -> None:
    """The mover has chosen his cards; the foe resigns, and they are never shown."""
    assert playing.move(0, Commit(("got_bread", "wild"))) is None
    assert playing.do(Resign(1), player(1)) is None


NEARLY_OVER = position(
    at("a2", "jealous_bff", "wild", "flex_gunz"),
    at("b4", "got_bread", "the_rumor", "bouncer"),
    at("d6", "drank_2_much", "get_2_drinks", "wingman"),
    turn=492,
    active=1,
    tokens={"c3": "jealous_bff", "d5": "loud_friend"},
)

A_FIGHT = position(
    at("b3", "got_bread", "wild", "wingman"),
    at("b3", "the_rumor", "bouncer", chick="sarah"),
    actions=["move"],
    discard=["flex_gunz"],
    pending={"type": "duel", "mover": 0, "foe": 1},
)

WAYS = {
    "carried_out": Way(Setup(GAME, 2, Options(), seed=3), chosen_by(mixed)),
    "carried_out_4_seats": Way(Setup(GAME, 4, SMALL, seed=11), chosen_by(choose)),
    "carried_out_fights_with_cards": Way(Setup(GAME, 3, FREE, seed=55), chosen_by(mixed)),
    "carried_out_after_a_tie": Way(Setup(GAME, 2, FREE, seed=12), chosen_by(choose)),
    "fight_in_the_exit_at_once": Way(from_position(GAME.examples["almost_home"], seed=1), chosen_by(choose)),
    "fight_in_the_exit": Way(Setup(GAME, 3, SMALL, seed=22), chosen_by(guarded)),
    "fight_in_the_exit_4_seats": Way(Setup(GAME, 4, SMALL, seed=59), chosen_by(guarded)),
    "fight_in_the_exit_with_cards": Way(Setup(GAME, 4, FREE, seed=2), chosen_by(guarded)),
    "fight_in_the_exit_by_turned_cards": Way(Setup(GAME, 2, WITH_CARDS, seed=15), chosen_by(guarded)),
    "recovery_in_the_exit": Way(Setup(GAME, 2, SMALL, seed=9), chosen_by(guarded)),
    "recovery_in_the_exit_4_seats": Way(Setup(GAME, 4, SMALL, seed=35), chosen_by(guarded)),
    "recovery_in_the_exit_with_cards": Way(Setup(GAME, 3, FREE, seed=16), chosen_by(guarded)),
    "recovery_at_once": Way(from_position(GAME.examples["recovery_in_the_exit"], seed=2), chosen_by(choose)),
    "out_of_turns": Way(from_position(NEARLY_OVER, seed=4), chosen_by(mixed)),
    "resigned_in_a_fight": Way(from_position(A_FIGHT, 5, Options(fights="geeks")), resigning_in_a_fight),
}
