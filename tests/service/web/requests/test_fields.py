"""Bodies that can be read and are not as they should be: the field is named, and nothing changes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.house import House
from tests.support.scene import POSTS, Scene

pytestmark = pytest.mark.usefixtures("untouched")


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("players", {"name": None}, "name"),
    ("players", {"name": 7}, "name"),
    ("players", {"name": ["Fay"]}, "name"),
    ("players", {"name": ""}, "name"),
    ("players", {"name": "    "}, "name"),
    ("players", {"name": "\u2003\u00a0"}, "name"),
    ("players", {"name": "x" * 41}, "name"),
    ("players", {"name": "x" * 10_000}, "name"),
    ("players", {"name": "Fay\u0000"}, "name"),
    ("players", {"name": "Fa\ny"}, "name"),
    ("players", {"name": "Fa\u007fy"}, "name"),
    ("players", {"name": "\u202eyaF"}, "name"),
    ("players", {"name": "F\u200bay"}, "name"),
    ("players", {"name": "F\u2028ay"}, "name"),
    ("players", {"name": "F\ue000ay"}, "name"),
    ("players", {"name": "\u3164"}, "name"),
    ("players", {"name": "Ann\u3164"}, "name"),
    ("players", {"name": "\u2800\u2800"}, "name"),
    ("players", {"name": "\ufe0f"}, "name"),
    ("players", {"name": "\u0301\u200d"}, "name"),
    ("players", {"more": 1}, "more"),
    ("matches", {"game": 5}, "game"),
    ("matches", {"seats": "3"}, "seats"),
    ("matches", {"seats": True}, "seats"),
    ("matches", {"seats": 3.0}, "seats"),
    ("matches", {"seats": None}, "seats"),
    ("matches", {"seats": 1}, "seats"),
    ("matches", {"seats": 6}, "seats"),
    ("matches", {"seats": 2**53 - 1}, "seats"),
    ("matches", {"seats": -3}, "seats"),
    ("matches", {"options": []}, "options"),
    ("matches", {"options": None}, "options"),
    ("matches", {"options": {"luck": 1}}, "options.luck"),
    ("matches", {"options": {"x" * 1000: 1}}, "options." + "x" * 60),
    ("matches", {"options": {"scoring": "chess"}}, "options.scoring"),
    ("matches", {"options": {"scoring": 1}}, "options.scoring"),
    ("matches", {"options": {"first_seat": "0"}}, "options.first_seat"),
    ("matches", {"options": {"first_seat": True}}, "options.first_seat"),
    ("matches", {"options": {"first_seat": 5}}, "options.first_seat"),
    ("matches", {"options": {"first_seat": 3}}, "options.first_seat"),
    ("matches", {"undo": "always"}, "undo"),
    ("matches", {"undo": None}, "undo"),
    ("matches", {"private": 1}, "private"),
    ("matches", {"private": "true"}, "private"),
    ("matches", {"private": None}, "private"),
    ("matches", {"entropy": "x" * 65}, "entropy"),
    ("matches", {"entropy": "a b"}, "entropy"),
    ("matches", {"entropy": "é"}, "entropy"),
    ("matches", {"entropy": "line\n"}, "entropy"),
    ("matches", {"entropy": 5}, "entropy"),
    ("matches", {"position": []}, "position"),
    ("matches", {"position": "none"}, "position"),
    ("matches", {"position": {"luck": 1}}, "position.luck"),
    ("matches", {"host": 1}, "host"),
    ("seats", {"seat": "1"}, "seat"),
    ("seats", {"seat": True}, "seat"),
    ("seats", {"seat": 1.0}, "seat"),
    ("seats", {"seat": -1}, "seat"),
    ("seats", {"seat": 2}, "seat"),
    ("seats", {"seat": 2**53 - 1}, "seat"),
    ("seats", {"entropy": "x" * 65}, "entropy"),
    ("seats", {"player": 1}, "player"),
    ("moves", {"move": None}, "move"),
    ("moves", {"move": "pass"}, "move"),
    ("moves", {"move": [{"type": "pass"}]}, "move"),
    ("moves", {"move": {}}, "move.type"),
    ("moves", {"move": {"type": None}}, "move.type"),
    ("moves", {"move": {"type": ["place"]}}, "move.type"),
    ("moves", {"move": {"type": "castle"}}, "move.type"),
    ("moves", {"move": {"type": "place"}}, "move.at"),
    ("moves", {"move": {"type": "place", "at": "Z9"}}, "move.at"),
    ("moves", {"move": {"type": "place", "at": 5}}, "move.at"),
    ("moves", {"move": {"type": "place", "at": "A1", "seat": 0}}, "move.seat"),
    ("moves", {"move": {"type": "move", "from_": "A1", "to": "A2"}}, "move.from_"),
    ("moves", {"seat": 0}, "seat"),
    ("resign", {"seat": 0}, "seat"),
    ("undo", {"to": "4"}, "to"),
    ("undo", {"to": True}, "to"),
    ("undo", {"to": 4.0}, "to"),
    ("undo", {"from": 4}, "from"),
    ("redo", {"to": "7"}, "to"),
    ("redo", {"to": [7]}, "to"),
    ("redo", {"why": "so"}, "why"),
    ("undo", {"reason": "x" * 201}, "reason"),
    ("undo", {"reason": "two\nlines"}, "reason"),
    ("undo", {"reason": None}, "reason"),
    ("redo", {"reason": 7}, "reason"),
    ("answer", {"accept": None}, "accept"),
    ("answer", {"accept": 1}, "accept"),
    ("answer", {"accept": "true"}, "accept"),
    ("answer", {"block": 0}, "block"),
    ("answer", {"request": "5"}, "request"),
    ("answer", {"request": 5.0}, "request"),
    ("answer", {"seat": 1}, "seat"),
    ("forks", {"version": "3"}, "version"),
    ("forks", {"version": None}, "version"),
    ("forks", {"version": True}, "version"),
    ("forks", {"undo": "always"}, "undo"),
    ("forks", {"private": 1}, "private"),
    ("forks", {"entropy": "a b"}, "entropy"),
    ("forks", {"seats": 2}, "seats"),
]


@pytest.mark.parametrize(("name", "wrong", "field"), WRONG, ids=[f"{n}-{str(w)[:40]}" for n, w, _f in WRONG])
def test_a_field_that_is_not_as_it_should_be_is_named(
    scene: Scene, name: str, wrong: dict[str, Any], field: str
) -> None:
    target = scene.target(name)
    target.player.post(target.path, target.body | wrong).refused(422, "invalid", field=field)


@pytest.mark.parametrize(
    ("name", "field"), [("players", "name"), ("matches", "game"), ("matches", "seats"), ("moves", "move")]
)
def test_a_field_that_is_missing_is_named(scene: Scene, name: str, field: str) -> None:
    target = scene.target(name)
    body = {key: item for key, item in target.body.items() if key != field}
    target.player.post(target.path, body).refused(422, "invalid", field=field)


def test_a_long_name_of_a_stranger_does_not_come_back(scene: Scene) -> None:
    for name in POSTS:
        target = scene.target(name)
        answer = target.player.post(target.path, target.body | {"x" * 20_000: 1})
        answer.refused(422, "invalid", field="x" * 60)
        assert len(answer.data) < 500


@pytest.mark.parametrize("name", ["🦊", "Ann 🦊🎲", "x" * 40, "Łukasz Żółć", "李小龍", "محمد", "O'Brien-Smith", "ê̄"])
def test_names_of_all_scripts_are_good(small: House, name: str) -> None:
    assert small.web.post("/players", {"name": name}).done()["name"] == name


def test_a_name_is_trimmed_and_composed(small: House) -> None:
    assert small.web.post("/players", {"name": "  Rene\u0301e \t"}).done()["name"] == "Ren\u00e9e"


@pytest.mark.parametrize("other", ["Ann", "ann", "ANN", " Ann ", "\u0410nn", "\uff21nn", "An\u200dn"])
def test_no_two_players_have_names_that_look_the_same(small: House, other: str) -> None:
    small.web.post("/players", {"name": "Ann"}).done()
    answer = small.web.post("/players", {"name": other})
    assert answer.status in (409, 422)
    if answer.status == 409:
        answer.refused(409, "name_taken", field="name")


def test_a_game_that_there_is_not_is_a_404(scene: Scene) -> None:
    for game in ("chess", "", "Blockers", "x" * 5000):
        scene.running.host.post("/matches", {"game": game, "seats": 2}).refused(404, "game_not_found")
