"""The ways in which recorded matches of Highest Card end, besides those of every game."""

from __future__ import annotations

from domain.commands import Redo, Undo
from tests.golden.ways import Way, chosen_by
from tests.support import toy
from tests.support.dice import RandomDice
from tests.support.playing import Playing, Setup, any_move, play_on, player


def with_returns(playing: Playing) -> None:
    """The host takes three moves back, plays otherwise, returns to what was undone, and all play to the end."""
    dice = RandomDice(playing.setup.seed)
    first = playing.match.version
    play_on(playing, any_move, dice, first + 4)
    assert playing.do(Undo(0, first + 1), player(0)) is None
    play_on(playing, any_move, dice, first + 7)
    assert playing.do(Redo(0, first + 4), player(0)) is None
    chosen_by(any_move)(playing)


WAYS = {
    "shared": Way(Setup(toy.GAME, 2, toy.Options(), seed=0), chosen_by(any_move)),
    "without_peeking": Way(Setup(toy.GAME, 3, toy.Options(peek=False), seed=6), chosen_by(any_move)),
    "undone_and_redone": Way(Setup(toy.GAME, 3, toy.Options(), seed=7), with_returns),
}
