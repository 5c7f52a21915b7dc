"""Disputes in the middle of play: what everybody folds stays the same, and everything is decided again as it was."""

from __future__ import annotations

import dataclasses

from domain.commands import Dispute, GiveRuling, Move, Ruling
from domain.decide import decide
from domain.dispute_state import LAPSES_AFTER
from domain.events import DisputeLapsed
from domain.game import AnyGame, Dice
from domain.match import Act, Refused
from replay.verify import Judge
from tests.support.dice import RandomDice
from tests.support.following import follow
from tests.support.played_games import each_table, viewers
from tests.support.playing import Playing, Setup, any_move, play_on, player


def settle(playing: Playing, ruling: Ruling) -> None:
    """The open dispute, by all seats."""
    case = playing.match.case
    assert case is not None
    for seat in range(playing.setup.seats):
        assert playing.do(GiveRuling(case.number, ruling, "So be it."), player(seat)) is None


def disputed(playing: Playing, dice: Dice) -> None:
    """Some seat that still may disputes one of the newest versions, and it is settled in some way."""
    first, newest = playing.match.table.first, playing.match.version
    seat, version = dice.below(playing.setup.seats), max(first, newest - dice.below(3))
    if isinstance(playing.do(Dispute(seat, version, "Not so."), player(seat)), Refused):
        return
    node = playing.match.node
    possible = version > first and node is not None and node.find(version) is not None
    settle(playing, "rewind" if possible and dice.below(2) else "stands")


def played_with_disputes(setup: Setup) -> Playing:
    playing, dice = Playing(setup), RandomDice(setup.seed)
    for _ in range(8):
        play_on(playing, any_move, dice, playing.match.version + 1 + dice.below(6))
        if playing.match.status == "live":
            disputed(playing, dice)
    if playing.match.status == "live":
        refused = playing.do(Dispute(0, playing.match.version, "And this."), player(0))
        if refused is None:
            settle(playing, "void")
    return playing


@each_table
def test_a_match_with_disputes_is_folded_alike_by_all_and_decided_again_as_it_was(game: AnyGame, seats: int) -> None:
    for seed in range(2):
        playing = played_with_disputes(Setup(game, seats, game.options(), seed=seed))
        assert any(match.cases for match in playing.matches)
        for sees in viewers(seats):
            follow(playing, sees)
        judge = Judge(playing.match_id, game, playing.seed)
        for commit in playing.commits:
            with playing.telling(commit.version):
                assert judge.judge(commit) is None


@each_table
def test_a_ruling_back_gives_exactly_the_state_before(game: AnyGame, seats: int) -> None:
    playing = Playing(Setup(game, seats, game.options(), seed=3))
    play_on(playing, any_move, RandomDice(3), playing.match.version + 3)
    if playing.match.status != "live":
        return
    version = playing.match.version
    before = playing.matches[version - 2]
    assert playing.do(Dispute(0, version, "Not so."), player(0)) is None
    settle(playing, "rewind")
    after = playing.match
    assert (after.state, after.to_move, after.status) == (before.state, before.to_move, "live")
    assert after.node_at(version) is not None


@each_table
def test_a_lapsed_dispute_lets_the_next_act_be_decided_as_if_it_were_not_there(game: AnyGame, seats: int) -> None:
    playing = Playing(Setup(game, seats, game.options(), seed=4))
    seat = min(playing.match.to_move)
    move = playing.legal(seat)[0]
    assert playing.do(Dispute(seat, playing.match.version, "Not so."), player(seat)) is None
    frozen = playing.match
    refused = playing.move(seat, move)
    assert isinstance(refused, Refused)
    assert refused.code == "not_live"
    thawed = dataclasses.replace(frozen, status="live", cases=())
    late = frozen.at + LAPSES_AFTER
    lapsed = decide(frozen, Move(seat, move), Act(player(seat), late, RandomDice(1)))
    plain = decide(thawed, Move(seat, move), Act(player(seat), late, RandomDice(1)))
    assert isinstance(plain, tuple)
    assert lapsed == (DisputeLapsed(1, frozen.version - 1), *plain)
