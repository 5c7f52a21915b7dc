"""The records of Cock Block end as their names say, and together they show everything that can happen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from domain import wire
from domain.games.cock_block import GAME
from domain.games.cock_block.events import KnockedOut, Rose
from tests.golden.records import Record, read

RECORDS = {path.stem: read(path) for path in sorted(Path(__file__).parent.glob("*.json"))}


def happened(record: Record) -> Iterator[tuple[type, ...]]:
    """The kinds of the events of each version."""
    for entry in record.entries:
        yield tuple(type(event) for event in wire.decode(GAME, entry).events)


def ending(record: Record) -> str:
    _winners, _scores, reason, _rule = record.seen["outcome"]
    if reason != "carried home":
        return str(reason)
    *_, last = happened(record)
    return "recovery" if Rose in last else "fight_in_the_exit" if KnockedOut in last else "carried_out"


def test_every_record_ends_as_its_name_says() -> None:
    for name, ends in (("out_of_turns", "out of turns"), ("resigned", "resigned")):
        assert ending(RECORDS[name]) == ends
    for name, record in RECORDS.items():
        told = next((ends for ends in ("carried_out", "fight_in_the_exit", "recovery") if name.startswith(ends)), None)
        assert told in (None, ending(record)), name


def test_every_way_home_is_recorded_with_dice_and_with_cards() -> None:
    ways = {(ending(record), record.seen["end"]["fights"]) for record in RECORDS.values()}
    assert ways >= {
        (ends, fights)
        for ends in ("carried_out", "fight_in_the_exit", "recovery")
        for fights in ("cool_people", "geeks")
    }
    assert {len(record.seen["end"]["seats"]) for record in RECORDS.values()} == {2, 3, 4}


def test_everything_that_can_happen_has_happened_in_a_record() -> None:
    seen = {kind for record in RECORDS.values() for kinds in happened(record) for kind in kinds}
    assert seen >= set(GAME.events.values())
