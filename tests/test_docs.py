"""Tests the documentation: generated pages are up to date, settings are listed, links and paths lead to files."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import generate
import pytest

from service.config import Settings

ROOT = Path(__file__).parent.parent
GUIDES = sorted((ROOT / "docs").rglob("*.md"))
FRONT = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")]
PAGES = [*FRONT, *GUIDES]
ENTRANCES = (ROOT / "README.md", ROOT / "docs" / "architecture.md")
"""The pages from which a reader must be able to reach every other one."""
NAMING_PATHS = [page for page in PAGES if page.name != "CHANGELOG.md"]
"""The changelog names files that have moved since."""

LINK = re.compile(r"\]\((?!https?://)([^)#]+)")
FILE_PATH = re.compile(r"`([^`\s<…]*/[^`\s<…]*\.(?:py|md|lua|mjs))`")


def test_every_rule_route_problem_event_and_example_stands_in_the_generated_files() -> None:
    """Run docs/generate.py if this fails."""
    for path, text in generate.files().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.relative_to(ROOT)} is out of date"


def test_there_is_no_page_of_a_game_that_is_gone() -> None:
    assert {*(ROOT / "docs" / "games").iterdir()} == {path for path in generate.pages() if path.parent.name == "games"}


def test_every_setting_is_listed_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    for field in dataclasses.fields(Settings):
        assert f"`FOLDTABLE_{field.name.upper()}`" in readme


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_what_there_is(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", NAMING_PATHS, ids=lambda page: str(page.relative_to(ROOT)))
def test_paths_in_backticks_are_paths_of_the_repository(page: Path) -> None:
    for path in FILE_PATH.findall(page.read_text()):
        assert (ROOT / path).is_file(), path


def test_every_guide_is_linked_from_an_entrance() -> None:
    """A link to a folder counts for the pages in it."""
    linked = {(page.parent / target).resolve() for page in ENTRANCES for target in LINK.findall(page.read_text())}
    missing = [page for page in GUIDES if page not in (*linked, *ENTRANCES) and page.parent not in linked]
    assert missing == []


def test_the_picture_of_a_replay_refers_to_nothing_outside() -> None:
    picture = (ROOT / "docs" / "replay.svg").read_text()
    assert set(re.findall(r"https?://[^\s\"']+", picture)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"url\(|@import|@font-face|<script|href", picture)


def test_a_decision_note_has_its_date() -> None:
    for note in (ROOT / "docs" / "decisions").iterdir():
        date = re.match(r"(\d{4}-\d\d-\d\d)-", note.name)
        assert date is not None
        assert note.read_text().splitlines()[2] == date.group(1)
