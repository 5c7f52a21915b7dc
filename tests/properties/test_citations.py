"""Every move and every event names the rules that bind it, by numbers that the game has."""

from __future__ import annotations

from domain.commands import Move
from domain.game import AnyGame
from domain.hidden import NOBODY, redact
from tests.support.played_games import each_game, each_table, matches


@each_table
def test_whatever_is_done_cites_rules_that_there_are(game: AnyGame, seats: int) -> None:
    numbers = {rule.number for rule in game.rules}
    for playing in matches(game, seats):
        for commit in playing.commits:
            with playing.telling(commit.version):
                moves = [commit.command.move] if isinstance(commit.command, Move) else []
                for said in (*moves, *(event for event in commit.events if type(event) in game.names)):
                    cited = game.cites(said)
                    assert cited, f"{said} cites no rule"
                    assert numbers.issuperset(cited), f"{said} cites {cited}"
                    assert game.cites(redact(said, NOBODY)) == cited, "what is cited tells what is hidden"


@each_game
def test_the_rules_are_numbered_once(game: AnyGame) -> None:
    numbers = [rule.number for rule in game.rules]
    assert len(set(numbers)) == len(numbers)
