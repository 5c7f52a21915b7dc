"""Both verifiers refuse what is no record, although its chain and its signature hold: the same for the same reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import pytest

from domain.game import AnyGame
from domain.match import VoidReason
from replay.record import Plain, canonical
from tests.service.integrity.test_vectors import NODE, VECTORS, by_python, run
from tests.support import toy
from tests.support.dice import RandomDice
from tests.support.played_games import SOAK, each_game
from tests.support.playing import Playing, Setup, any_move, bot, play_on, return_somewhere
from tests.support.records import plain_record, short
from tests.vectors.make_forms import FILE, cut, in_form, placed_forms

FORMS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))

each_form = pytest.mark.parametrize("vector", FORMS, ids=lambda vector: vector["name"])


def found_by_python(record: bytes) -> list[Any] | None:
    """What the Python verifier makes of a record; ``None`` if it holds."""
    try:
        return list(by_python(record))
    except AssertionError:
        return None


def found_by_javascript(path: Path, records: Sequence[bytes], **more: Any) -> list[list[Any] | None]:
    rows = [{"record": record.decode(), "receipts": []} for record in records]
    path.write_text(json.dumps(VECTORS | {"records": rows} | more), encoding="utf-8")
    return [None if each["ok"] else [each["version"], each["kind"]] for each in run(path)["records"]]


def played(game: AnyGame, seed: int) -> Playing:
    """A match with returns, to its end if it ends in time."""
    playing, dice = Playing(Setup(game, game.seats[0], game.options(), seed=seed)), RandomDice(seed)
    choose = bot(game.id) or any_move
    while playing.match.status == "live" and playing.match.version < 300:
        play_on(playing, choose, dice, playing.match.version + 1 + dice.below(40))
        if playing.match.status == "live" and dice.below(3) == 0:
            return_somewhere(playing, dice)
    return playing


def some_forms(plain: Plain, dice: RandomDice) -> list[bytes]:
    """The record with an item of some version in a form that is wrong wherever it stands."""
    forms = list(placed_forms(plain))
    chosen = dice.sample(range(len(forms)), min(len(forms), 40 * SOAK))
    return [canonical(in_form(plain, *forms[number][1:])) for number in chosen]


@each_form
def test_the_python_verifier_finds_what_the_forms_say(vector: Any) -> None:
    assert found_by_python(vector["record"].encode()) == vector["fault"]


@each_game
def test_what_is_written_in_another_form_is_refused(game: AnyGame) -> None:
    plain = plain_record(short(game, moves=3))
    for record in some_forms(plain, RandomDice(4)):
        assert found_by_python(record) is not None


def test_a_shape_that_is_wrong_everywhere_is_that_fault_also_in_the_place_of_a_secret() -> None:
    plain = plain_record(short(toy.GAME, moves=3))
    deep = [(version, place, form) for name, version, place, form in placed_forms(plain) if name == "lists 40 deep"]
    assert len(deep) > 50
    for version, place, form in deep:
        assert found_by_python(canonical(in_form(plain, version, place, form))) == [version, "unreadable"]


@each_game
def test_a_match_cut_short_with_its_seed_is_truncated(game: AnyGame) -> None:
    playing = played(game, 2)
    for count in (2, len(playing.entries) // 2, len(playing.entries) - 1):
        assert found_by_python(canonical(cut(playing, count))) == [count + 1, "truncated"]


if NODE is not None:

    def test_the_javascript_verifier_finds_what_the_forms_say(tmp_path: Path) -> None:
        found = found_by_javascript(tmp_path / "forms.json", [vector["record"].encode() for vector in FORMS])
        for vector, fault in zip(FORMS, found, strict=True):
            assert fault == vector["fault"], vector["name"]

    @each_game
    def test_both_verifiers_find_the_same_in_other_forms(game: AnyGame, tmp_path: Path) -> None:
        records = some_forms(plain_record(short(game, moves=3)), RandomDice(5))
        found = found_by_javascript(tmp_path / "forms.json", records)
        assert found == [found_by_python(record) for record in records]

    @each_game
    def test_the_javascript_verifier_knows_where_a_match_ends(game: AnyGame, tmp_path: Path) -> None:
        for seed in range(2, 2 + 2 * SOAK):
            playing, dice = played(game, seed), RandomDice(seed)
            last = len(playing.entries)
            counts = [1, 2, *(1 + dice.below(last) for _ in range(8)), *range(max(1, last - 5), last + 1)]
            found = found_by_javascript(tmp_path / "cut.json", [canonical(cut(playing, count)) for count in counts])
            for count, fault in zip(counts, found, strict=True):
                assert fault == (None if playing.matches[count - 1].ended else [count + 1, "truncated"]), (seed, count)

    def test_the_end_of_a_game_that_it_does_not_know_is_undecided(tmp_path: Path) -> None:
        playing = short(toy.GAME, seed=3, moves=3)
        records = [canonical(cut(playing, count)) for count in (len(playing.entries), len(playing.entries) - 1)]
        found = found_by_javascript(tmp_path / "cut.json", records, without_ends=True)
        assert found == [None, [None, "undecided"]]

    def test_the_javascript_verifier_knows_every_event_that_makes_a_match_void() -> None:
        assert {*get_args(VoidReason)} - {"ruled", "deserted"} | {"resigned"} <= {
            *run(FILE.parent / "verify.json")["ending"]
        }
