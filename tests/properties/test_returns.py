"""A return gives exactly the version that was returned to, for everybody; versions go on, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator

from domain.commands import Redo, Undo
from domain.events import Restored, Rewound
from domain.game import AnyGame
from domain.hidden import redact
from domain.match import Match
from tests.support.played_games import each_table, matches, viewers
from tests.support.playing import Playing, Setup, any_move, played_with_returns


def returns(playing: Playing) -> Iterator[tuple[Match, Match, Match]]:
    """The match before each return, the one after it, and the version that was returned to."""
    for i, commit in enumerate(playing.commits):
        (event, *_more) = commit.events
        if isinstance(event, Rewound | Restored):
            with playing.telling(commit.version):
                yield playing.matches[i - 1], playing.matches[i], playing.matches[event.to - 1]


@each_table
def test_a_return_gives_exactly_that_version_again(game: AnyGame, seats: int) -> None:
    seen = 0
    for playing in matches(game, seats):
        for before, after, target in returns(playing):
            seen += 1
            assert (after.state, after.to_move, after.outcome) == (target.state, target.to_move, target.outcome)
            assert (after.version, after.since) == (before.version + 1, before.version + 1)
            for sees in viewers(seats):
                assert game.view(redact(after.state, sees)) == game.view(redact(target.state, sees))
    assert seen, "no match of this table has a return in it"


@each_table
def test_every_version_can_still_be_found_after_returns(game: AnyGame, seats: int) -> None:
    playing = played_with_returns(Setup(game, seats, game.options(), seed=11), any_move, 60)
    for match in playing.matches:
        if match.node is not None:
            found = playing.match.node_at(match.version)
            assert found is not None, f"version {match.version}"
            assert found.state == match.state
    in_force = [node.version for node in (playing.match.node.path() if playing.match.node else ())]
    assert in_force[-1] == playing.match.table.first
    assert in_force == sorted(in_force, reverse=True)


@each_table
def test_what_is_drawn_after_a_return_is_drawn_anew(game: AnyGame, seats: int) -> None:
    """The same command of another version has other dice, so nobody knows by an undo what will fall."""
    playing = played_with_returns(Setup(game, seats, game.options(), seed=12), any_move, 60)
    commands = [commit.command for commit in playing.commits]
    assert any(isinstance(command, Undo) for command in commands)
    for i, commit in enumerate(playing.commits):
        if isinstance(commit.command, Undo | Redo) or not commit.draws:
            continue
        words = [
            playing.dice_at(commit.command, commit.version + later, playing.matches[i]).below(1 << 62)
            for later in (0, 2)
        ]
        assert words[0] != words[1]
