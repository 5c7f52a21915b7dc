"""A match of the toy game that changes over to version 2 of its rules."""

from __future__ import annotations

from typing import Any

from domain.commands import AnswerRules, ProposeRules
from tests.support import toy_2
from tests.support.dice import RandomDice
from tests.support.playing import Playing, Setup, any_move, play_on, player

FIRST = toy_2.GAME.reader(1)


class Changing(Playing):
    """Goes on by the rules of its match."""

    @property
    def game(self) -> Any:
        return self.matches[-1].game if self.matches else self.setup.game

    @game.setter
    def game(self, _game: Any) -> None:
        """Follows from the match."""


def changed_over(seats: int = 3, seed: int = 7) -> Playing:
    """Opened by version 1, changed over in the middle of a round, and played to its end by version 2."""
    made = Changing(Setup(FIRST, seats, FIRST.options(hand=3), seed=seed))
    play_on(made, any_move, RandomDice(seed), 8)
    assert made.do(ProposeRules(0, 2), player(0)) is None
    asked = made.match.version
    for seat in range(1, seats):
        assert made.do(AnswerRules(seat, True, asked), player(seat)) is None
    play_on(made, any_move, RandomDice(seed + 1), 200)
    assert made.match.status == "finished"
    return made
