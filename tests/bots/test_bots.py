"""What holds for every bot in every game: legal moves to the end, nothing but what its seat may see, and the same again."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from bots import LEVELS, Bot, Budget
from bots.dice import QuickDice
from bots.match import Seating, play
from bots.planner import WORLD, Search
from bots.seen import Seen, seen
from domain.game import AnyGame, Dice
from domain.hidden import redact
from tests.support.dice import RandomDice
from tests.support.options import option_sets
from tests.support.played_games import GAMES, VERSIONS, each_game, matches

NODES = 60
"""So few that whole matches of planners take little time. The budget is counted, so they are the same on every machine."""
MOST = 40
"""Moves of a match with slow bots."""


def small() -> Budget:
    return Budget(NODES)


each_bot = pytest.mark.parametrize("bot", LEVELS.values(), ids=LEVELS.keys())
each_version = pytest.mark.parametrize("game", VERSIONS.values(), ids=VERSIONS.keys())


@each_version
def test_matches_of_each_bot_with_each_number_of_seats_have_no_refused_move(game: AnyGame) -> None:
    """``play`` raises for a refused move."""
    for seats in game.seats:
        for number, options in enumerate(option_sets(game, seats)[:2]):
            bots = [list(LEVELS.values())[(seat + number) % len(LEVELS)] for seat in range(seats)]
            played = play(Seating(game, options, bots, small, most=MOST), seed=100 * seats + number)
            assert played.moves == MOST or played.outcome is not None


@each_game
def test_greedy_plays_to_the_end(game: AnyGame) -> None:
    played = play(Seating(game, game.options(), [LEVELS["greedy"]] * game.seats[0]), seed=3)
    assert played.outcome is not None


@each_bot
@each_game
def test_a_decision_follows_from_what_is_seen_and_the_seed(game: AnyGame, bot: Bot) -> None:
    for view in views(game, 6):
        chosen = {repr(bot(view, QuickDice(5), small())) for _ in range(2)}
        assert len(chosen) == 1


@each_bot
@each_game
def test_a_decision_does_not_depend_on_what_is_hidden(game: AnyGame, bot: Bot) -> None:
    """Two full states that the seat cannot tell apart give the same choice, for each of some seeds."""
    for number, (state, seat) in enumerate(positions(game, 6)):
        twin = game.imagine(redact(state, frozenset({seat})), seat, RandomDice(number))
        choices = [bot(seen(game, each, seat), QuickDice(number), small()) for each in (state, twin)]
        assert choices[0] == choices[1]


@each_bot
@each_game
def test_no_bot_is_given_anything_hidden(game: AnyGame, bot: Bot) -> None:
    """What a bot gets in a match is redacted already: redacting it again changes nothing."""
    given: list[Seen] = []

    def noting(view: Seen, dice: Dice, budget: Budget) -> Any:
        given.append(view)
        return bot(view, dice, budget)

    play(Seating(game, game.options(), [noting] * game.seats[0], small, most=12), seed=1)
    assert given
    for view in given:
        assert redact(view.state, frozenset({view.seat})) == view.state
        assert {field.name for field in dataclasses.fields(view)} == {"game", "seat", "state", "memory"}


@each_game
@pytest.mark.parametrize("nodes", [0, 1, 40, 500])
def test_a_planner_keeps_its_budget_of_nodes(game: AnyGame, nodes: int) -> None:
    for view in views(game, 4):
        search = Search(view, QuickDice(1), Budget(nodes))
        assert search.best() in view.legal()
        assert search.nodes < nodes + WORLD


@each_game
def test_a_planner_without_time_gives_a_legal_move_at_once(game: AnyGame) -> None:
    for view in views(game, 4):
        search = Search(view, QuickDice(1), Budget(over=lambda: True))
        assert search.best() in view.legal()
        assert search.nodes == 0


def positions(game: AnyGame, count: int) -> list[tuple[Any, int]]:
    """States of played matches with a seat to move, spread over all that were played."""
    live = [
        (match.state, seat)
        for seats in game.seats
        for playing in matches(game, seats)[:3]
        for match in playing.matches
        if match.status == "live"
        for seat in sorted(match.to_move)[:1]
    ]
    return live[:: max(1, len(live) // count)][:count]


def views(game: AnyGame, count: int) -> list[Seen]:
    return [seen(game, state, seat) for state, seat in positions(game, count)]


MATCHES = 8


@pytest.mark.parametrize(
    "game", [game for name, game in GAMES.items() if name != "highest_card"], ids=lambda game: game.id
)
@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_it_beats_random(game: AnyGame, name: str) -> None:
    """It wins over nine in ten, and fewer than five of eight would be one in two hundred then. The seeds are fixed."""
    won = 0
    for number in range(MATCHES):
        bots = [LEVELS[name], LEVELS["random"]]
        seating = Seating(game, game.options(), bots if number % 2 else bots[::-1], small, most=5_000)
        played = play(seating, seed=number)
        assert played.outcome is not None
        won += played.outcome.winners == (0 if number % 2 else 1,)
    assert won >= 5
