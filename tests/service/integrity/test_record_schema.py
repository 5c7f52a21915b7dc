"""The JSON Schema of a record, and what its page says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from domain.game import AnyGame
from domain.games import all_games
from domain.hidden import ALL, NOBODY
from replay.record import CONTEXT, FORMAT
from service.cli import console
from service.cli.serve import ROOT
from tests.support.played_games import each_game
from tests.support.records import plain_record, short

SCHEMA = json.loads((ROOT / "docs" / "record.schema.json").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
VALIDATOR = Draft202012Validator(SCHEMA)


@each_game
def test_records_are_as_the_schema_says(game: AnyGame) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    for sees in (ALL, NOBODY):
        assert list(VALIDATOR.iter_errors(plain_record(short(game), sees))) == []


@pytest.mark.parametrize(
    "change", [{"seed": "AB" * 32}, {"more": 1}, {"entries": []}, {"version": 0}, {"format": "x"}, {"sees": "me"}]
)
def test_what_is_no_record_is_none_by_the_schema(change: dict[str, Any]) -> None:
    assert list(VALIDATOR.iter_errors(plain_record(short(all_games()["territories"])) | change))


def test_the_page_names_every_field_and_every_exit_code() -> None:
    for name in (*SCHEMA["required"], *SCHEMA["properties"]["entries"]["items"]["required"]):
        assert f"`{name}`" in PAGE
    for code in (console.GOOD, console.VIOLATED, console.USAGE, console.UNREADABLE):
        assert f"| {code} |" in PAGE
    assert FORMAT in PAGE
    assert FORMAT.encode() + b"\x00" == CONTEXT
