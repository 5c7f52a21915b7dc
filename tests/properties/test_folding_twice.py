"""A history that is folded twice in one process gives the same states both times: a fold leaves nothing behind."""

from __future__ import annotations

from domain.evolve import advance, begin
from domain.game import AnyGame
from domain.match import Match
from tests.support.played_games import each_table, matches
from tests.support.playing import Playing


@each_table
def test_a_history_that_is_folded_again_gives_the_same_states(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for before, again in zip(playing.matches, folded(playing), strict=True):
            assert again.state == before.state, (
                f"{playing.at(before.version)}: folded once more in the same process the state is another, so evolve of"
                f" {game.id} keeps something outside of the state"
            )


def folded(playing: Playing) -> list[Match]:
    first, *more = playing.commits
    found = [begin(playing.match_id, playing.game, first)]
    for commit in more:
        found.append(advance(found[-1], commit))
    return found
