"""A game and the older versions of its rules that it keeps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain.game import AnyGame, NewerRulesError
from tests.support import toy, toy_2
from tests.support.played_games import every_version, name_of

THIRD: AnyGame = replace(toy_2.ONLY_2, version=3, earlier={1: toy_2.FIRST})


def test_each_version_is_found_from_every_other() -> None:
    first, second = toy_2.GAME.at(1), toy_2.GAME.at(2)
    assert second is toy_2.GAME
    assert first is not None
    assert (first.version, first.decide, first.state) == (1, toy.decide, toy.State)
    assert (first.at(2), first.at(1), first.at(3)) == (second, first, None)
    assert (first.newest, toy_2.GAME.newest) == (second, second)
    assert toy.GAME.at(2) is None, "the record that is kept is not changed by the newer one"


def test_a_version_whose_code_is_gone_is_read_by_the_next_newer_one() -> None:
    assert THIRD.at(2) is None
    assert THIRD.reader(2) is THIRD
    assert THIRD.reader(1).version == 1
    assert toy_2.ONLY_2.reader(1) is toy_2.ONLY_2
    with pytest.raises(NewerRulesError, match="knows up to 3"):
        THIRD.reader(4)


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": 0},
        {"earlier": {2: toy_2.ONLY_2}},
        {"earlier": {3: replace(toy_2.ONLY_2, version=3)}},
        {"earlier": {1: toy_2.ONLY_2}},
        {"earlier": {1: replace(toy_2.FIRST, id="another")}},
        {"lifts": {2: toy_2.lift}},
    ],
)
def test_a_game_keeps_lower_versions_of_itself_and_nothing_else(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="highest_card"):
        replace(toy_2.ONLY_2, **wrong)


def test_the_tests_of_every_game_find_the_older_versions_too() -> None:
    found = every_version({toy.GAME.id: toy_2.GAME})
    assert list(found) == ["highest_card", "highest_card_1"]
    assert found["highest_card_1"] is toy_2.GAME.at(1)
    assert [name_of(game) for game in found.values()] == list(found)
