"""Entries of a log made by hand, for the contract of stores."""

from __future__ import annotations

from domain.hashchain import GENESIS, link
from domain.store import Appended, Entry, Store

MATCH = "0a-one"


SEED = bytes(range(32))


def entry(match_id: str, version: int, previous: bytes, public: bytes = b"public", secrets: bytes = b"") -> Entry:
    return Entry(version, public, secrets, link(match_id, version, previous, public))


def chain(match_id: str, length: int, first: int = 1, previous: bytes = GENESIS) -> list[Entry]:
    entries: list[Entry] = []
    for version in range(first, first + length):
        entries.append(entry(match_id, version, entries[-1].hash if entries else previous, b"p%d" % version))
    return entries


def play(store: Store, match_id: str, length: int) -> list[Entry]:
    entries = chain(match_id, length)
    previous = GENESIS
    for each in entries:
        assert store.append(match_id, each, previous, SEED if each.version == 1 else None) == Appended()
        previous = each.hash
    return entries
