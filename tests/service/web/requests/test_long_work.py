"""Work that is linear in a match lets other requests run again and again, and is done once for the same match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import gevent
import pytest

from domain.store import Entry
from service.adapters.memory.records import MemoryRecords
from service.adapters.memory.store import MemoryStore
from service.web.background import LONG, Turns
from tests.support.backends import in_memory
from tests.support.house import House
from tests.support.http import JSON, Answer, Player, Table, Web

MOVES = 90
A_FEW = 8
"""The most commits between two pauses."""


class Others:
    """The other requests of a process: how often they could run while one of them was answered."""

    runs = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        self.runs = 0
        other = gevent.spawn(self._run)
        try:
            yield
        finally:
            other.kill()

    def _run(self) -> None:
        while True:
            self.runs += 1
            gevent.sleep(0)


class CountingStore(MemoryStore):
    """A log that counts the reads of more than a few entries."""

    long_reads = 0

    def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        found = super().read(match_id, after, limit)
        self.long_reads += len(found) > A_FEW
        return found


Long = tuple[House, CountingStore, Table]


@pytest.fixture
def long() -> Long:
    """An ended match of a hundred versions, at a process that has not read it."""
    store = CountingStore()
    house = House(replace(in_memory(), store=store))
    table = house.table("blockers", 2)
    table.play_on(MOVES)
    table.undo(4)
    table.give_up()
    store.long_reads = 0
    return house.another(), store, table


WORK: dict[str, Callable[[Web, Table], Answer]] = {
    "the match": lambda web, table: web.get(table.path),
    "the audit": lambda web, table: web.get(f"{table.path}/audit"),
    "a report": lambda web, table: web.get(f"{table.path}/audit/{table.version}"),
    "the record": lambda web, table: web.get(f"{table.path}/record"),
    "the record in msgpack": lambda web, table: web.get(f"{table.path}/record", {"Accept": "application/msgpack"}),
    "the replay": lambda web, table: web.get(f"{table.path}/replay?mode=played"),
    "the log": lambda web, table: web.get(f"{table.path}/log"),
}


@pytest.mark.parametrize("name", WORK)
def test_others_run_while_a_long_match_is_read(long: Long, name: str) -> None:
    house, _store, table = long
    others = Others()
    with others.running():
        WORK[name](house.web, table).shown()
    assert others.runs >= table.version // A_FEW


def test_others_run_while_a_record_is_imported_loaded_and_replayed(long: Long) -> None:
    house, _store, table = long
    raw, others, records = house.web.get(f"{table.path}/record").data, Others(), MemoryRecords()
    here, there = (house.another() for _ in range(2))
    for each in (here, there):
        each.__dict__["parts"] = replace(each.parts, records=records)
    with others.running():
        made = table.host.at(here.web).ask("POST", "/records", raw=raw, headers={"Content-Type": JSON}).done()
    assert others.runs >= table.version
    for part in ("", "/replay?mode=played"):
        with others.running():
            there.web.get(f"/records/{made['record_id']}{part}").shown()
        assert others.runs >= table.version // A_FEW


@pytest.mark.parametrize("name", ["the record", "the record in msgpack"])
def test_a_record_is_made_once_for_the_same_match(long: Long, name: str) -> None:
    house, store, table = long
    first = WORK[name](house.web, table)
    store.long_reads = 0
    assert WORK[name](house.web, table).data == first.data
    assert store.long_reads == 0


@pytest.mark.parametrize("name", WORK)
def test_who_has_the_answer_gets_no_second_one(long: Long, name: str) -> None:
    house, _store, table = long
    first = WORK[name](house.web, table)
    accept = {"Accept": first.headers["Content-Type"]}
    path = first.path.removeprefix("/api/v1")
    assert house.web.get(path, accept | {"If-None-Match": first.etag}).status == 304


def test_a_record_that_its_reader_has_is_not_made_to_find_that_out(long: Long) -> None:
    house, store, table = long
    tag = house.another().web.get(f"{table.path}/record").etag
    house.web.get(table.path).shown()
    store.long_reads = 0
    assert house.web.get(f"{table.path}/record", {"If-None-Match": tag}).status == 304
    assert store.long_reads == 0


@pytest.mark.parametrize("name", ["the audit", "a report"])
def test_what_was_verified_is_not_verified_again(long: Long, name: str) -> None:
    """It is read again, for it may have been altered; that takes a pause for each page and not for each commit."""
    house, _store, table = long
    others = Others()
    WORK[name](house.web, table).shown()
    with others.running():
        WORK[name](house.web, table).shown()
    assert others.runs < table.version // A_FEW


def test_the_records_of_a_running_match_differ_with_who_asks_and_with_what_happens(small: House) -> None:
    table = small.table("blockers", 2)
    table.play_on(2)
    readers: list[Player | Web] = [*table.players, small.web]
    before = [reader.get(f"{table.path}/record") for reader in readers]
    table.move()
    after = [reader.get(f"{table.path}/record") for reader in readers]
    answers = [*before, *after]
    assert len({answer.data for answer in answers}) == len({answer.etag for answer in answers}) == 6


# -- turns ------------------------------------------------------------------------------------------------------------


def test_one_request_at_a_time_does_long_work_and_short_work_waits_for_nobody() -> None:
    turns, done = Turns(), list[str]()

    def work(name: str, commits: int) -> None:
        with turns.turn(commits):
            done.append(f"{name} begins")
            gevent.sleep(0)
            gevent.sleep(0)
            done.append(f"{name} ends")

    gevent.joinall([gevent.spawn(work, *each) for each in (("long", LONG), ("other", LONG), ("short", LONG - 1))])
    assert done == ["long begins", "short begins", "long ends", "short ends", "other begins", "other ends"]


def test_whoever_has_the_turn_may_take_it_again() -> None:
    turns = Turns()
    with turns.turn(LONG), turns.turn(LONG):
        pass
    with turns.turn(LONG):
        pass
