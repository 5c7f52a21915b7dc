"""What every store of imported records promises."""

from __future__ import annotations

import pytest

from service.adapters.memory.records import MemoryRecords
from service.adapters.redis.records import RedisRecords
from service.ports import Imported, ImportFacts, Records
from tests.support.backends import Backend

MOST = 10


@pytest.fixture
def records(backend: Backend) -> Records:
    return MemoryRecords() if backend.client is None else RedisRecords(backend.client)


def imported(name: str, raw: bytes = b"12345", by: str = "ann", key: str = "aa") -> Imported:
    return Imported(name, raw, ImportFacts(5, by, key))


def test_a_record_is_found_as_it_was_put(records: Records) -> None:
    assert records.get("a") is None
    assert records.facts("a") is None
    assert records.put(imported("a"), MOST)
    assert records.get("a") == imported("a")
    assert records.facts("a") == imported("a").facts


def test_a_record_that_is_there_stays_as_it_is_and_counts_for_who_brought_it(records: Records) -> None:
    records.put(imported("a"), MOST)
    assert records.put(imported("a", b"other", "bob", "bb"), MOST)
    assert records.get("a") == imported("a")
    assert records.put(imported("b", b"0123456789", "bob"), MOST)


def test_no_player_has_more_bytes_than_it_may(records: Records) -> None:
    assert records.put(imported("a"), MOST)
    assert records.put(imported("b"), MOST)
    assert not records.put(imported("c", b"1"), MOST)
    assert records.get("c") is None
    assert records.put(imported("a"), MOST)
    assert records.put(imported("c", b"1", "bob"), MOST)


def test_another_signature_takes_the_place_of_the_first(records: Records) -> None:
    records.put(imported("a"), MOST)
    records.replace(imported("a", b"54321", "bob", "bb"))
    assert records.get("a") == imported("a", b"54321", "ann", "bb")


def test_a_record_of_an_earlier_release_has_no_key(backend: Backend, records: Records) -> None:
    if backend.client is not None:
        backend.client.hset("record:{old}", mapping={"raw": b"12345", "at": 5, "by": "ann"})
        assert records.get("old") == imported("old", key="")
        assert records.facts("old") == ImportFacts(5, "ann", "")
