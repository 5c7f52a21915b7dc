"""The long play meets every combination, and tells a fault so that it can be played again."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks import soak
from domain.game import AnyGame
from domain.validation import MalformedError
from tests.support import toy
from tests.support.options import option_sets
from tests.support.played_games import GAMES, each_game
from tests.support.playing import choosers


@each_game
def test_each_seat_count_meets_each_option_and_each_chooser(game: AnyGame) -> None:
    met = {(setup.seats, setup.options, choose) for setup, choose in (soak.setup(game, n) for n in range(2_000))}
    assert met == {
        (seats, options, choose)
        for seats in game.seats
        for options in option_sets(game, seats)
        for choose in choosers(game)
    }


@each_game
def test_a_match_goes_to_its_end_and_is_the_same_again(game: AnyGame) -> None:
    for number in range(len(game.seats)):
        ended = soak.played(game, number)
        assert isinstance(ended, soak.Ended)
        assert (ended.seats, soak.played(game, number)) == (game.seats[number], ended)


def sees_no_two_points(state: Any) -> Iterator[MalformedError]:
    if max(state.points) > 1:
        yield MalformedError("points", "must be few")


def test_a_fault_is_told_with_its_place_and_how_to_play_it_again() -> None:
    faulty = dataclasses.replace(toy.GAME, check=sees_no_two_points)
    fault = next(told for told in (soak.played(faulty, n) for n in range(50)) if isinstance(told, soak.Fault))
    where, error, again = str(fault).splitlines()
    assert where.startswith(f"FAULT in {toy.GAME.id}, ")
    assert " seats, Options(" in where
    assert f", seed {fault.number}, version " in where
    assert not where.endswith("version 0")
    assert "points: must be few" in error
    assert again == f"python -m benchmarks.soak 1 --game {toy.GAME.id} --first {fault.number}"


def test_the_ends_are_counted_by_seats() -> None:
    ended = [soak.Ended(2, "won", 10), soak.Ended(3, "won", 21), soak.Ended(3, "drawn (shared)", 7)]
    rows = [row.split() for row in soak.table(GAMES["highest_card"], ended)]
    assert rows == [
        ["2", "seats", "3", "seats", "all", "moves"],
        ["drawn", "(shared)", "0", "1", "1", "7"],
        ["won", "1", "1", "2", "16"],
    ]


def test_a_fault_ends_the_soak_with_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fault = soak.Fault("blockers", 7, "blockers, 3 seats, Options(), seed 7, version 9", "AssertionError: nobody wins")
    monkeypatch.setattr(soak, "results", lambda game, numbers: iter([fault]))
    monkeypatch.setattr("sys.argv", ["soak", "10"])
    with pytest.raises(SystemExit) as ending:
        soak.main()
    assert ending.value.code == 1
    assert str(fault) in capsys.readouterr().out
