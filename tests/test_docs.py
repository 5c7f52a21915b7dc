"""The documentation is true: generated pages are up to date, settings are listed, links lead somewhere, the guide runs."""

from __future__ import annotations

import dataclasses
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from service.config import Settings

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_every_rule_route_problem_and_event_stands_in_the_generated_pages() -> None:
    """Run docs/generate.py if this fails."""
    for path, text in generator().pages().items():
        assert path.read_text() == text, f"{path.relative_to(ROOT)} is out of date"


def test_there_is_no_page_of_a_game_that_is_gone() -> None:
    assert {*(ROOT / "docs" / "games").iterdir()} == {
        path for path in generator().pages() if path.parent.name == "games"
    }


def test_every_setting_is_listed_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    for field in dataclasses.fields(Settings):
        assert f"`FOLDTABLE_{field.name.upper()}`" in readme


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_what_there_is(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_a_decision_note_has_its_date() -> None:
    for note in (ROOT / "docs" / "decisions").iterdir():
        date = re.match(r"(\d{4}-\d\d-\d\d)-", note.name)
        assert date is not None
        assert note.read_text().splitlines()[2] == date.group(1)
