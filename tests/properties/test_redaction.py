"""A viewer's state is what folding the viewer's own redacted commits gives, at every version."""

from __future__ import annotations

from domain.game import AnyGame
from domain.hidden import redact
from tests.support.following import follow
from tests.support.played_games import each_table, matches, viewers


@each_table
def test_folding_redacted_commits_gives_the_redacted_state(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for sees in viewers(seats):
            follow(playing, sees)


@each_table
def test_who_moves_and_who_won_is_public(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for match in playing.matches:
            if match.node is None:
                continue
            with playing.telling(match.version):
                for sees in viewers(seats):
                    state = redact(match.state, sees)
                    assert game.to_move(state) == game.to_move(match.state), sees
                    assert game.outcome(state) == game.outcome(match.state), sees
