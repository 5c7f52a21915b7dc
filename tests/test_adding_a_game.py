"""What ``docs/adding-a-game.md`` says: one folder more, and everything else finds the game by it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import domain.games
from service.web.app import create_app
from tests.support import toy, toy_2
from tests.support.backends import in_memory
from tests.support.house import House
from tests.support.http import Web

NAME = "highest_card"


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The toy's source as a folder among the games, and nothing else."""
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / "__init__.py").write_text(Path(toy.__file__).read_text())
    monkeypatch.setattr(domain.games, "__path__", [*domain.games.__path__, str(tmp_path)])
    domain.games.all_games.cache_clear()
    yield NAME
    domain.games.all_games.cache_clear()
    for module in [name for name in sys.modules if name.startswith(f"domain.games.{NAME}")]:
        del sys.modules[module]


def test_a_folder_more_is_a_game_more_in_the_catalogue_in_play_and_in_the_description(added: str) -> None:
    web = Web(create_app(House(in_memory()).parts).wsgi_app, [])
    assert added in [row["game"] for row in web.get("/games").shown()["games"]]
    assert [rule["number"] for rule in web.get(f"/games/{added}").shown()["rules"]] == [
        r.number for r in toy.GAME.rules
    ]
    ann, ben = web.enter("Ann"), web.enter("Ben")
    match = ann.post("/matches", {"game": added, "seats": 2}).done()["match_id"]
    assert ben.post(f"/matches/{match}/seats", {}).done()["status"] == "live"
    move = ann.get(f"/matches/{match}/moves").shown()["moves"][0]
    assert ann.post(f"/matches/{match}/moves", {"move": move}).done()["version"] == 3
    schemas = web.ask("GET", "/api/openapi.json").shown()["components"]["schemas"]
    assert f"Move.{added}" in schemas
    assert f"Options.{added}" in schemas


@pytest.fixture
def changed(added: str, tmp_path: Path) -> str:
    """The same folder after a change of the rules: the old modules in ``v1``, the new ones beside it."""
    folder = tmp_path / NAME
    (folder / "v1").mkdir()
    (folder / "__init__.py").rename(folder / "v1" / "__init__.py")
    kept = f"from domain.games.{NAME} import v1 as toy"
    source = Path(toy_2.__file__).read_text().replace("from tests.support import toy", kept)
    (folder / "__init__.py").write_text(source)
    return added


def test_a_changed_game_is_found_with_the_version_that_its_folder_keeps(changed: str) -> None:
    game = domain.games.all_games()[changed]
    assert [found.version for found in (game, game.reader(1))] == [2, 1]
    web = Web(create_app(House(in_memory()).parts).wsgi_app, [])
    assert web.get(f"/games/{changed}").shown()["versions"] == [1, 2]


def test_without_the_folder_it_is_unknown() -> None:
    assert NAME not in domain.games.all_games()
