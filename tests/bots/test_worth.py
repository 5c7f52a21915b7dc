"""Evaluations are chances, on full, imagined and redacted states, and the end of a match overrules them."""

from __future__ import annotations

import pytest

from bots.worth import won, worth
from domain.game import AnyGame, Outcome, chance
from domain.hidden import NOBODY, redact
from tests.support import toy
from tests.support.dice import RandomDice
from tests.support.played_games import GAMES, each_game, matches


@each_game
def test_the_chances_of_all_seats_make_one(game: AnyGame) -> None:
    if game.evaluate is None:
        return
    for seats in game.seats:
        for playing in matches(game, seats)[:2]:
            for match in playing.matches[seats::7]:
                if match.status == "live":
                    imagined = game.imagine(redact(match.state, frozenset({0})), 0, RandomDice(match.version))
                    for state in (match.state, imagined):
                        chances = [game.evaluate(state, seat) for seat in range(seats)]
                        assert min(chances) >= 0
                        assert sum(chances) == pytest.approx(1)
                    assert 0 <= game.evaluate(redact(match.state, NOBODY), 0) <= 1


def test_every_game_here_has_an_evaluation() -> None:
    assert [name for name, game in GAMES.items() if game.evaluate is None] == [toy.GAME.id]


def test_after_the_end_only_the_outcome_counts() -> None:
    game = toy.GAME
    ended = next(playing.match for playing in matches(game, 2) if playing.match.status == "finished")
    outcome = game.outcome(ended.state)
    assert outcome is not None
    assert [worth(game, ended.state, seat) for seat in (0, 1)] == [won(outcome, seat) for seat in (0, 1)]
    assert [won(Outcome((0, 2), (), ""), seat) for seat in range(3)] == [0.5, 0, 0.5]
    assert won(Outcome((), (), ""), 0) == 0


def test_a_lead_of_a_unit_makes_e_times_as_likely() -> None:
    first, second = (chance([30, 20], seat, 10) for seat in (0, 1))
    assert first / second == pytest.approx(2.71828, abs=1e-4)
    assert chance([10_000_000, 0, 0], 1, 1) == 0
