"""Counted matches: shares, intervals and line-ups."""

from __future__ import annotations

import pytest

from bots.match import Played
from bots.tally import Share, Tally, lineup
from domain.game import Outcome


def test_the_interval_is_wilsons() -> None:
    """The first value is an example of Newcombe (1998), table I."""
    share = Share(81, 263)
    assert share.interval == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert Share(0, 10).interval == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert Share(10, 10).interval == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert Share().interval == (0.0, 1.0)


def test_matches_are_counted_by_seats_bots_and_ends() -> None:
    tally = Tally()
    tally.add(Played(Outcome((0,), (), "won"), 5, [1, 9]), ("a", "b"))
    tally.add(Played(Outcome((0, 1), (), "won"), 7, [2, 3]), ("b", "a"))
    tally.add(Played(Outcome((), (), "over"), 7, [0, 0]), ("a", "a"))
    tally.add(Played(None, 9, [0, 0]), ("b", "b"))
    assert {seat: (share.won, share.of) for seat, share in tally.seats.items()} == {0: (1.5, 4), 1: (0.5, 4)}
    assert {name: (share.won, share.of) for name, share in tally.bots.items()} == {"a": (1.5, 4), "b": (0.5, 4)}
    assert tally.ends == {"won": 1, "won, shared": 1, "over, nobody wins": 1, "broken off": 1}
    assert (tally.moves, tally.slowest) == ([5, 7, 7, 9], {"a": 3, "b": 9})


def test_each_bot_sits_on_each_seat() -> None:
    assert [lineup(("a", "b"), 2, n) for n in range(2)] == [("a", "b"), ("b", "a")]
    assert [lineup(("a", "b"), 3, n) for n in range(3)] == [("a", "b", "a"), ("b", "a", "a"), ("a", "a", "b")]
