"""Matches of newer code, and a store from before protocols."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgpack
import pytest

from domain import hashchain
from domain.protocol import NEWEST, PROTOCOL, NewerProtocolError
from service.adapters.memory.store import MemoryStore
from service.cli.audit import sweep
from service.integrity.audit import audit_stored
from tests.support.backends import in_memory
from tests.support.house import House, catalogue
from tests.support.seals import STRICT_SEALS, seal


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def house(store: MemoryStore) -> House:
    return House(replace(in_memory(), store=store))


def reopen(store: MemoryStore, match_id: str, protocol: int, *, relink: bool) -> None:
    """Changes the stored protocol, with hashes that fit or not."""
    log, previous = store._logs[match_id], hashchain.GENESIS
    public: Any = msgpack.unpackb(log[0].public, use_list=True)
    public[6][0]["protocol"] = protocol
    log[0] = replace(log[0], public=msgpack.packb(public))
    for place, entry in enumerate(log if relink else ()):
        previous = hashchain.link(match_id, entry.version, previous, entry.public)
        log[place] = replace(entry, hash=previous)


def test_a_match_of_a_newer_protocol_is_left_alone_and_says_so(house: House, store: MemoryStore) -> None:
    table = house.table("blockers", 2)
    table.play_on(2)
    reopen(store, table.match_id, NEWEST + 1, relink=True)
    seal(store, table.match_id)
    fresh = House(replace(in_memory(), store=store))
    for path in ("", "/audit", "/replay", "/record"):
        answer = fresh.web.get(f"/matches/{table.match_id}{path}")
        assert (answer.status, answer.body["code"]) == (503, "newer_protocol")
        assert answer.headers["Retry-After"] == "10"
    with pytest.raises(NewerProtocolError):
        list(audit_stored(store, catalogue(), STRICT_SEALS, table.match_id))


def test_an_altered_protocol_is_a_finding_and_no_excuse(house: House, store: MemoryStore) -> None:
    table = house.table("blockers", 2)
    reopen(store, table.match_id, NEWEST + 1, relink=False)
    (found,) = sweep(store, [table.match_id])
    assert found.fault is not None
    assert (found.fault.version, found.fault.kind) == (1, "altered")
    fresh = House(replace(in_memory(), store=store))
    assert fresh.web.get(f"/matches/{table.match_id}").body["code"] == "log_damaged"
    assert not fresh.web.get(f"/matches/{table.match_id}/audit").shown()["ok"]


def test_a_store_from_before_protocols_opens_by_the_first_until_it_is_raised(house: House, store: MemoryStore) -> None:
    store._protocol = 1
    table = house.table("blockers", 2)
    assert house.service.matches.fresh(table.match_id).match.table.protocol == 1
    store.raise_protocol(PROTOCOL)
    table.play_on(3)
    assert house.service.matches.fresh(table.match_id).match.table.protocol == 1
    newer = house.table("blockers", 2)
    assert house.service.matches.fresh(newer.match_id).match.table.protocol == PROTOCOL
    assert house.web.get(f"/matches/{table.match_id}/audit").shown()["ok"]
