"""The audit names the first version at which a log is not what was once written; live play never leaks or crashes on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgpack
import pytest

from domain import hashchain
from domain.store import Entry
from service.adapters.memory.store import MemoryStore
from tests.support.backends import in_memory
from tests.support.house import House
from tests.support.http import Body


class Vandal:
    """Changes a stored log behind the service's back. One match, which every test gets as it was."""

    def __init__(self, *, end: bool, game: str = "blockers") -> None:
        self.store = MemoryStore()
        self.house = House(replace(in_memory(), store=self.store))
        self.table = self.house.table(game)
        self.table.play_on(6)
        if end:
            self.table.give_up()
        self._kept = list(self.log)
        self._seed = self.store._seeds[self.table.match_id]
        self._seal = self.store._seals[self.table.match_id]

    @property
    def log(self) -> list[Entry]:
        return self.store._logs[self.table.match_id]

    def restore(self) -> None:
        self.log[:] = self._kept
        self.store._seeds[self.table.match_id] = self._seed
        self.store._seals[self.table.match_id] = self._seal
        self.store.release(self.table.match_id)

    def alter(self, version: int, **fields: Any) -> None:
        self.log[version - 1] = replace(self.log[version - 1], **fields)

    def forge(self, version: int, change: Callable[[list[Any]], Any]) -> None:
        """Changes the public part and gives it the hash that it should have, but not those behind it."""
        entry = self.log[version - 1]
        public = msgpack.unpackb(entry.public, strict_map_key=False)
        change(public)
        self.rehash(version, msgpack.packb(public))

    def rehash(self, version: int, public: bytes) -> None:
        previous = self.log[version - 2].hash if version > 1 else hashchain.GENESIS
        self.alter(version, public=public, hash=hashchain.link(self.table.match_id, version, previous, public))

    def audit(self, house: House | None = None) -> Body:
        return (house or self.house).web.get(f"{self.table.path}/audit").shown()

    def names(self, version: int, *kinds: str) -> None:
        """The audit, with a warm and with a cold cache, names this version."""
        for house in (self.house, self.house.another()):
            found = self.audit(house)
            assert (found["ok"], found["first_bad_version"]) == (False, version), found
            assert found["fault"] in kinds
            assert found["message"].startswith(f"Version {version}: ")


@pytest.fixture(scope="module", params=[False, True], ids=["live", "ended"])
def kept(request: pytest.FixtureRequest) -> Vandal:
    return Vandal(end=request.param)


@pytest.fixture
def vandal(kept: Vandal) -> Vandal:
    kept.restore()
    return kept


@pytest.mark.parametrize("game", ["blockers", "territories", "highest_card"])
def test_the_audit_of_an_untouched_match_is_good(house: House, game: str) -> None:
    table = house.table(game)
    table.play_on(3)
    table.undo(4)
    live = house.web.get(f"{table.path}/audit").shown()
    assert live["ok"]
    assert (live["version"], live["head"], live["seed"]) == (7, table.last["receipt"]["head"], None)
    assert live["message"] == "All 7 versions are as they were written."
    assert (live["first_bad_version"], live["fault"]) == (None, None)
    table.give_up()
    ended = house.web.get(f"{table.path}/audit").shown()
    assert ended["ok"]
    assert len(ended["seed"]) == 64
    assert ended["seed_commitment"] == live["seed_commitment"]


def flipped(raw: bytes, at: int) -> bytes:
    at %= len(raw)
    return raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]


@pytest.mark.parametrize("at", [0, 1, 7, 40, -33, -1])
@pytest.mark.parametrize("version", [1, 2, 3, 5, 9])
def test_one_flipped_bit_of_a_public_part_is_named(vandal: Vandal, version: int, at: int) -> None:
    vandal.alter(version, public=flipped(vandal.log[version - 1].public, at))
    vandal.names(version, "altered")


@pytest.mark.parametrize("version", [1, 2, 3, 5, 9])
def test_one_flipped_bit_of_a_hash_is_named(vandal: Vandal, version: int) -> None:
    vandal.alter(version, hash=flipped(vandal.log[version - 1].hash, version))
    vandal.names(version, "altered")


@pytest.mark.parametrize("at", [0, 1, 2, -1])
@pytest.mark.parametrize("version", [3, 4, 9])
def test_one_flipped_bit_of_the_secrets_is_named(vandal: Vandal, version: int, at: int) -> None:
    vandal.alter(version, secrets=flipped(vandal.log[version - 1].secrets, at))
    vandal.names(version, "secret_altered", "unreadable")


@pytest.mark.parametrize("secrets", [b"", b"\x90", b"\x91\xc0", b"\x91\xc4\x01\x05", b"\xc1", b"\xc0", b"\x05"])
def test_secrets_that_are_others_or_none_are_named(vandal: Vandal, secrets: bytes) -> None:
    vandal.alter(4, secrets=secrets)
    vandal.names(4, "secret_altered", "unreadable")


def test_a_secret_where_none_belongs_is_named(vandal: Vandal) -> None:
    vandal.alter(2, secrets=vandal.log[3].secrets)
    vandal.names(2, "secret_altered")


def test_two_secrets_that_changed_places_are_named(vandal: Vandal) -> None:
    first, second, *rest = msgpack.unpackb(vandal.log[2].secrets)
    vandal.alter(3, secrets=msgpack.packb([second, first, *rest]))
    vandal.names(3, "secret_altered")


@pytest.mark.parametrize("version", [1, 2, 4])
def test_a_dropped_version_is_named(vandal: Vandal, version: int) -> None:
    del vandal.log[version - 1]
    vandal.names(version, "gap")


def test_a_version_that_lies_twice_is_named(vandal: Vandal) -> None:
    vandal.log.insert(4, vandal.log[4])
    vandal.names(6, "reordered")


def test_versions_that_changed_places_are_named(vandal: Vandal) -> None:
    vandal.log[3], vandal.log[4] = vandal.log[4], vandal.log[3]
    vandal.names(4, "reordered")
    vandal.restore()
    vandal.log[3], vandal.log[4] = replace(vandal.log[4], version=4), replace(vandal.log[3], version=5)
    vandal.names(4, "altered")


def test_the_end_cut_off_is_told_by_a_receipt(vandal: Vandal) -> None:
    """A shorter log is a good log; who holds a receipt of the version that is gone can prove that it was there."""
    receipt = vandal.table.answers[9]["receipt"]
    del vandal.log[8:]
    assert vandal.audit(vandal.house.another())["version"] == 8 < receipt["version"]


@pytest.mark.parametrize("version", [2, 4, 8])
def test_a_forged_version_is_found_at_the_next_link(vandal: Vandal, version: int) -> None:
    vandal.forge(version, lambda public: public.__setitem__(1, 5))
    vandal.names(version + 1, "altered")


def test_a_log_rehashed_to_its_end_is_not_signed_and_does_not_fit_the_receipts(vandal: Vandal) -> None:
    receipt = vandal.table.answers[9]["receipt"]
    vandal.forge(4, lambda public: public.__setitem__(1, 5))
    for version in range(5, len(vandal.log) + 1):
        vandal.rehash(version, vandal.log[version - 1].public)
    vandal.names(len(vandal.log), "wrong_signature")
    assert vandal.log[8].hash.hex() != receipt["head"]


def another_drawn(vandal: Vandal) -> None:
    """A secret of version 5 replaced by another of the same form."""
    (value,) = msgpack.unpackb(vandal.log[4].secrets)
    other = msgpack.packb("1" if msgpack.unpackb(value) != "1" else "2")
    vandal.alter(5, secrets=msgpack.packb([other]))


def test_another_card_for_the_one_that_was_drawn_is_named(vandal: Vandal) -> None:
    another_drawn(vandal)
    vandal.names(5, "secret_altered")


@pytest.mark.parametrize("seed", [bytes(32), b"", b"short"])
def test_another_seed_is_named(vandal: Vandal, seed: bytes) -> None:
    vandal.store._seeds[vandal.table.match_id] = seed
    vandal.names(1, "wrong_seed")


def test_another_seed_of_a_match_from_a_position_is_named_as_that(small: House) -> None:
    example = small.web.get("/games/blockers").shown()["positions"]["held_together"]
    table = small.table("blockers", position=example)
    store = small.backend.store
    assert isinstance(store, MemoryStore)
    store._seeds[table.match_id] = bytes(32)
    found = small.web.get(f"{table.path}/audit").shown()
    assert (found["first_bad_version"], found["fault"]) == (1, "wrong_seed")


FORGERIES: dict[str, Callable[[list[Any]], Any]] = {
    "another format": lambda public: public.__setitem__(0, 2),
    "a field less": lambda public: public.pop(),
    "no events": lambda public: public[6].clear(),
    "an unknown event": lambda public: public[6][0].__setitem__("type", "exploded"),
    "an event without its field": lambda public: public[6][0].pop("seat", None) or public[6][0].pop("game", None),
    "an event with another field": lambda public: public[6][0].__setitem__("luck", 1),
    "an event that is a number": lambda public: public[6].__setitem__(0, 5),
    "events that are text": lambda public: public.__setitem__(6, "none"),
    "an unknown command": lambda public: public[5].__setitem__("type", "explode"),
    "a match event before the game's": lambda public: public[6].insert(0, {"type": "left", "seat": 0}),
    "a seat that there is not": lambda public: public[6][0].__setitem__("seat", 77),
    "a seat that is text": lambda public: public[6][0].__setitem__("seat", "x"),
}


@pytest.mark.parametrize("version", [1, 2, 5, 9])
@pytest.mark.parametrize("forgery", FORGERIES)
def test_an_entry_that_says_nonsense_is_named_and_breaks_nothing(vandal: Vandal, forgery: str, version: int) -> None:
    vandal.forge(version, FORGERIES[forgery])
    found = vandal.audit(vandal.house.another())
    if version == len(vandal.log) and found["ok"]:
        return  # it can be read, and no later version tells that it was another
    assert found["first_bad_version"] in (version, version + 1)


@pytest.mark.parametrize("public", [b"\xc1", b"\x00", b"\x90", b"\xff" * 50, b"\x80", msgpack.packb([1] * 8)])
@pytest.mark.parametrize("version", [1, 2, 5, 9])
def test_an_unreadable_entry_is_a_clean_500_where_the_match_is_shown_or_played(
    vandal: Vandal, version: int, public: bytes
) -> None:
    vandal.rehash(version, public)
    before = vandal.house.dump()
    table = vandal.table
    cold = vandal.house.another()
    for player in table.players:
        reader = player.at(cold.web)
        for part in ("", "/moves", "/log", "/replay", "/replay/3", "/undo?to=3"):
            reader.get(table.path + part).refused(500, "log_damaged")
        for part, body in (("moves", {"move": {"type": "pass"}}), ("undo", {}), ("resign", {}), ("seats", {})):
            reader.post(f"{table.path}/{part}", body).refused(500, "log_damaged")
    assert vandal.house.dump() == before
    vandal.names(version, "unreadable")


def test_a_damaged_match_does_not_hide_the_others_from_the_list(vandal: Vandal) -> None:
    other = vandal.house.table("highest_card")
    vandal.rehash(2, b"\xc1")
    listed = vandal.house.another().web.get("/matches").shown()["matches"]
    assert other.match_id in [row["match_id"] for row in listed]
    assert vandal.table.match_id not in [row["match_id"] for row in listed]


def test_a_damaged_entry_behind_a_warm_cache_is_a_clean_500_too(vandal: Vandal) -> None:
    table = vandal.table
    vandal.house.web.get(table.path).shown()
    vandal.log.append(Entry(len(vandal.log) + 1, b"\xc1", b"", bytes(32)))
    vandal.house.web.get(table.path).refused(500, "log_damaged")
    table.host.post(f"{table.path}/resign").refused(500, "log_damaged")
