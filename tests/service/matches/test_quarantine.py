"""A log that does not hold: no process plays on over it, nobody signs on, and a repair ends it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgpack
import pytest

from domain import hashchain, wire
from domain.store import Entry
from service.adapters.memory.store import MemoryStore
from service.web.app import Parts
from tests.support.backends import in_memory
from tests.support.house import House
from tests.support.http import Answer, Player, Table
from tests.support.seals import FOREIGN_SEALS, seal


@pytest.fixture
def store() -> MemoryStore:
    made = MemoryStore()
    made.note_sealed(1)
    return made


@pytest.fixture
def house(store: MemoryStore) -> House:
    return House(replace(in_memory(), store=store))


@pytest.fixture
def table(house: House) -> Table:
    table = house.table("blockers", 2)
    table.play_on(4)
    return table


def act(table: Table, house: House) -> Answer:
    """Whoever is to move makes a legal move, in a process of the caller's choice."""
    seat = table.to_move[0]
    return mover(table, house).post(f"{table.path}/moves", {"move": table.listed(seat)[0]})


@pytest.fixture
def acting(table: Table) -> Callable[[House], Answer]:
    """The same legal move, known before anything is damaged, sent to one process or another."""
    move = {"move": table.listed(table.to_move[0])[0]}
    return lambda house: mover(table, house).post(f"{table.path}/moves", move)


def mover(table: Table, house: House) -> Player:
    return table.players[table.to_move[0]].at(house.web)


def chain_anew(store: MemoryStore, match_id: str, first: int, change: Callable[[list[Any]], None]) -> None:
    """Changes a version and makes every hash from there on fit, as whoever can write into the store can."""
    log = store._logs[match_id]
    public = msgpack.unpackb(log[first - 1].public, strict_map_key=False)
    change(public)
    log[first - 1] = replace(log[first - 1], public=msgpack.packb(public))
    for place in range(first - 1, len(log)):
        previous = log[place - 1].hash if place else hashchain.GENESIS
        log[place] = replace(log[place], hash=hashchain.link(match_id, place + 1, previous, log[place].public))


def later(public: list[Any]) -> None:
    public[1] += 1


def rules_zero(public: list[Any]) -> None:
    public[6][0]["rules"] = 0


def test_a_broken_chain_under_a_warm_cache_stops_every_process_at_the_first_finding(
    house: House, table: Table, store: MemoryStore, acting: Callable[[House], Answer]
) -> None:
    other = house.another()
    other.web.get(table.path).shown()
    log = store._logs[table.match_id]
    log[3] = replace(log[3], hash=bytes(32))
    assert not house.another().web.get(f"{table.path}/audit").shown()["ok"]
    before = house.dump()
    for process in (house, other, house.another()):
        acting(process).refused(500, "log_damaged")
        process.web.get(table.path).refused(500, "log_damaged")
        process.web.get(f"{table.path}/replay").refused(500, "log_damaged")
    assert house.dump() == before
    found = house.web.get(f"{table.path}/audit").shown()
    assert (found["ok"], found["quarantined"], found["first_bad_version"]) == (False, True, 4)


def test_a_cold_load_of_a_broken_log_stops_those_who_have_it_in_memory(
    house: House, table: Table, store: MemoryStore, acting: Callable[[House], Answer]
) -> None:
    log = store._logs[table.match_id]
    log[3] = replace(log[3], hash=bytes(32))
    house.another().web.get(table.path).refused(500, "log_damaged")
    acting(house).refused(500, "log_damaged")


def other_secrets(store: MemoryStore, match_id: str) -> None:
    log = store._logs[match_id]
    place = next(place for place, entry in enumerate(log) if entry.secrets)
    values = wire.secret_values(log[place].secrets)
    swapped = wire.packed_secrets([values[1], values[0], *values[2:]])
    log[place] = replace(log[place], secrets=swapped)


def other_seed(store: MemoryStore, match_id: str) -> None:
    store._seeds[match_id] = bytes(len(store._seeds[match_id]))


@pytest.mark.parametrize(("alter", "kind"), [(other_secrets, "secret_altered"), (other_seed, "wrong_seed")])
def test_a_secret_or_a_seed_that_the_log_does_not_commit_to_is_never_played_from(
    house: House,
    table: Table,
    store: MemoryStore,
    acting: Callable[[House], Answer],
    alter: Callable[[MemoryStore, str], None],
    kind: str,
) -> None:
    alter(store, table.match_id)
    count = len(store.read(table.match_id))
    acting(house.another()).refused(500, "log_damaged")
    acting(house).refused(500, "log_damaged")
    assert len(store.read(table.match_id)) == count
    found = house.web.get(f"{table.path}/audit").shown()
    assert (found["ok"], found["quarantined"], found["fault"]) == (False, True, kind)


@pytest.mark.parametrize("change", [later, rules_zero])
def test_a_log_that_is_chained_anew_is_neither_good_nor_played_on(
    house: House,
    table: Table,
    store: MemoryStore,
    acting: Callable[[House], Answer],
    change: Callable[[list[Any]], None],
) -> None:
    chain_anew(store, table.match_id, 1, change)
    count = len(store.read(table.match_id))
    for process in (house, house.another()):
        acting(process).refused(500, "log_damaged")
    assert len(store.read(table.match_id)) == count
    found = house.another().web.get(f"{table.path}/audit").shown()
    assert (found["ok"], found["quarantined"]) == (False, True)
    assert found["fault"] == ("unreadable" if change is rules_zero else "wrong_signature")


def test_an_entry_put_behind_the_log_is_not_signed_on_by_whoever_has_followed_it(
    house: House, table: Table, store: MemoryStore
) -> None:
    """The chain holds, and the reader with the warm cache folds it; but its next append finds no seal."""
    table.give_up()
    log = store._logs[table.match_id]
    forged, ending = log[-1], log.pop()
    store._seals[table.match_id] = house.service.matches.seals.seal(table.match_id, len(log), log[-1].hash)
    house.service.matches.cache.drop(table.match_id)
    house.web.get(table.path).shown()
    public = msgpack.unpackb(ending.public, strict_map_key=False)
    public[1] += 5
    changed = msgpack.packb(public)
    head = hashchain.link(table.match_id, ending.version, log[-1].hash, changed)
    log.append(replace(forged, public=changed, hash=head))
    assert house.web.get(table.path).shown()["status"] == "finished"
    answer = table.host.post(f"{table.path}/disputes", {"version": 3, "reason": "so"})
    answer.refused(500, "log_damaged")
    assert len(store.read(table.match_id)) == ending.version


def test_a_seal_by_a_foreign_key_or_none_is_a_fault_once_all_must_have_one(
    house: House, table: Table, store: MemoryStore
) -> None:
    seal(store, table.match_id, FOREIGN_SEALS)
    assert house.another().web.get(f"{table.path}/audit").shown()["fault"] == "wrong_signature"
    store.release(table.match_id)
    del store._seals[table.match_id]
    found = house.another().web.get(f"{table.path}/audit").shown()
    assert (found["ok"], found["fault"], found["first_bad_version"]) == (False, "wrong_signature", table.version)
    house.another().web.get(table.path).refused(500, "log_damaged")


def test_a_log_of_an_older_release_is_played_on_as_long_as_not_all_are_sealed() -> None:
    store = MemoryStore()
    house = House(replace(in_memory(), store=store))
    table = house.table("blockers", 2)
    table.play_on(2)
    store._seals.clear()
    assert house.another().web.get(f"{table.path}/audit").shown()["ok"]
    table.took(act(table, house.another()))
    table.took(act(table, house))
    store.note_sealed(1)
    assert house.another().web.get(f"{table.path}/audit").shown()["ok"], "its newest version is sealed by now"


def test_a_repaired_match_that_is_released_is_played_on_by_every_process(
    house: House, table: Table, store: MemoryStore, acting: Callable[[House], Answer]
) -> None:
    log = store._logs[table.match_id]
    good: Entry = log[3]
    log[3] = replace(good, hash=bytes(32))
    other = house.another()
    other.web.get(f"{table.path}/audit").shown()
    acting(house).refused(500, "log_damaged")
    log[3] = good
    house.web.get(table.path).refused(500, "log_damaged")
    found = house.web.get(f"{table.path}/audit").shown()
    assert (found["ok"], found["quarantined"]) == (True, True)
    store.release(table.match_id)
    for process in (house, other):
        table.took(act(table, process))
    assert house.web.get(f"{table.path}/audit").shown()["quarantined"] is False


def test_newer_rules_are_no_excuse_for_a_log_that_is_not_sealed(house: House, table: Table, store: MemoryStore) -> None:
    def newer(public: list[Any]) -> None:
        public[6][0]["rules"] = 99

    chain_anew(store, table.match_id, 1, newer)
    found = house.another().web.get(f"{table.path}/audit").shown()
    assert (found["ok"], found["fault"]) == (False, "unreadable")
    assert store.release(table.match_id)
    seal(store, table.match_id)
    house.another().web.get(f"{table.path}/audit").refused(503, "newer_rules")


def test_the_receipt_has_the_signature_that_is_kept_beside_the_log(table: Table, store: MemoryStore) -> None:
    receipt = table.last["receipt"]
    kept = store._seals[table.match_id].signed
    assert kept[:8] == receipt["version"].to_bytes(8, "big")
    assert (kept[8:16].hex(), kept[16:].hex()) == (receipt["key"], receipt["signature"])


def test_a_move_is_signed_once(house: House, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    signer = house.parts.signer
    counted: list[bytes] = []
    sign = signer.sign

    def counting(message: bytes) -> bytes:
        counted.append(message)
        return sign(message)

    monkeypatch.setattr(signer, "sign", counting)
    table.took(act(table, house))
    assert len(counted) == 1
    assert isinstance(house.parts, Parts)
