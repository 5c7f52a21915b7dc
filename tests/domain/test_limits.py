"""The limits of a match by length: what ends it, what is refused, and what never is."""

from __future__ import annotations

import pytest

from domain import limits, wire
from domain.commands import Dispute, GiveRuling, Move, Open, Origin, RecordFork, Resign
from domain.events import Forked, Resigned, Ruled, TooLong
from domain.evolve import fold
from domain.fork import noted
from domain.match import Refused
from replay.verify import Judge
from tests.support import toy
from tests.support.playing import Playing, Setup, player

MOST = 6


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "COMMITS", MOST)


def long_match(protocol: int = 2) -> Playing:
    """A match with as many commits as there may be, which goes on."""
    match = Playing(Setup(toy.GAME, 3, toy.Options(hand=3, peek=False), protocol=protocol))
    while match.match.version < MOST:
        move_on(match)
    assert match.match.status == "live"
    return match


def move_on(match: Playing) -> None:
    seat = min(match.match.to_move)
    assert match.move(seat, match.legal(seat)[0]) is None


@pytest.mark.usefixtures("short")
def test_a_move_too_many_makes_the_match_void() -> None:
    match = long_match()
    before = match.match
    move_on(match)
    after = match.match
    assert match.commits[-1].events == (TooLong(),)
    assert match.commits[-1].draws == 0
    assert (after.status, after.outcome, after.to_move, after.rated) == ("void", None, frozenset(), False)
    assert (after.ended_at, after.state) == (MOST + 1, before.state)
    assert match.do(Resign(0), player(0)) == Refused("not_live", "The match is void.")


@pytest.mark.usefixtures("short")
def test_the_audit_decides_it_again_and_a_fold_gives_it_again() -> None:
    match = long_match()
    move_on(match)
    judge = Judge(match.match_id, match.game, match.seed)
    commits = [wire.decode(match.game, entry) for entry in match.entries]
    assert [judge.judge(commit) for commit in commits] == [None] * len(commits)
    assert fold(match.match_id, match.game, commits) == match.match


@pytest.mark.usefixtures("short")
def test_a_move_that_is_refused_ends_nothing() -> None:
    match = long_match()
    before = match.match
    (seat, *_more) = before.to_move
    unheld = next(card for card in toy.CARDS if card not in before.state.hands[seat])
    refused = match.move(seat, toy.Lay(unheld))
    assert isinstance(refused, Refused)
    assert refused.code == "illegal_move"
    refused = match.do(Move(seat, toy.Lay(unheld)), "a stranger")
    assert isinstance(refused, Refused)
    assert refused.code == "not_seated"
    assert match.match is before


@pytest.mark.usefixtures("short")
def test_resigning_disputing_and_ruling_are_never_refused_for_length() -> None:
    match = long_match()
    assert match.do(Dispute(0, MOST, "why"), player(0)) is None
    for seat in range(3):
        assert match.do(GiveRuling(1, "stands", "so"), player(seat)) is None
    assert isinstance(match.commits[-1].events[-1], Ruled)
    assert match.do(Resign(0), player(0)) is None
    assert match.commits[-1].events == (Resigned(0),)


@pytest.mark.usefixtures("short")
def test_matches_of_the_first_protocol_go_on() -> None:
    match = long_match(1)
    move_on(match)
    assert match.match.status == "live"


def test_a_match_may_have_as_many_commits_as_the_documents_say() -> None:
    assert (limits.COMMITS, limits.RETURNS, limits.FREE_RETURNS, limits.FORKS) == (20_000, 2_000, 10, 100)


@pytest.mark.parametrize(("protocol", "bound"), [(1, False), (2, True)])
def test_a_hundred_forks_are_noted(protocol: int, *, bound: bool) -> None:
    match = Playing(Setup(toy.GAME, 3, toy.Options(), protocol=protocol))
    assert match.do(Resign(0), player(0)) is None
    opened = Open(toy.GAME.id, 3, {}, origin=Origin(match.match_id, 3))
    for number in range(limits.FORKS):
        note = noted(match.match, opened, player(1), f"fork-{number}")
        assert note is not None
        assert match.do(note, player(1)) is None
        assert match.commits[-1].events == (Forked(3, f"fork-{number}"),)
    assert (noted(match.match, opened, player(1), "fork") is None) is bound
    refused = match.do(RecordFork(3, "fork"), player(1))
    assert (refused.code if refused else None) == ("final" if bound else None)
    assert match.do(Dispute(0, 3, "why"), player(0)) is None
