"""What every log promises, asked of all of them."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, cast

import pytest

from domain.hashchain import GENESIS
from domain.protocol import PROTOCOL
from domain.store import (
    Appended,
    ArchivedError,
    Conflict,
    Entry,
    QuarantinedError,
    Seal,
    Sealing,
    Store,
    Stored,
    Unsealed,
)
from service.adapters.redis.store import stream_key
from tests.support.backends import Backend
from tests.support.entries import MATCH, SEED, chain, entry, play
from tests.support.seals import SIGNER

OTHER = "0a-two"
ELSEWHERE = "3f-three"


def change_time(store: Store, match_id: str) -> int:
    return next(row.at for row in store.changes(int(match_id[:2], 16)) if row.match_id == match_id)


def test_what_was_appended_is_read_back_in_order(backend: Backend) -> None:
    entries = play(backend.store, MATCH, 5)
    assert list(backend.store.read(MATCH)) == entries


def test_a_tail_begins_behind_the_version_and_can_be_limited(backend: Backend) -> None:
    entries = play(backend.store, MATCH, 12)
    assert list(backend.store.read(MATCH, after=9)) == entries[9:]
    assert list(backend.store.read(MATCH, after=2, limit=3)) == entries[2:5]
    assert list(backend.store.read(MATCH, after=12)) == []


def test_several_matches_are_read_together_each_from_where_it_is_known(backend: Backend) -> None:
    one, other = play(backend.store, MATCH, 12), play(backend.store, ELSEWHERE, 3)
    found = backend.store.read_each({MATCH: 4, ELSEWHERE: 0, OTHER: 0, "no match": 0}, 5)
    assert {match_id: list(entries) for match_id, entries in found.items()} == {
        MATCH: one[4:9],
        ELSEWHERE: other,
        OTHER: [],
    }
    assert backend.store.read_each({}, 5) == {}


def test_a_match_that_cannot_be_read_is_left_out_among_several(speaking: Backend) -> None:
    assert speaking.client is not None
    entries = play(speaking.store, MATCH, 2)
    speaking.client.set(stream_key(ELSEWHERE), "mine")
    assert speaking.store.read_each({ELSEWHERE: 0, MATCH: 0}, 5) == {MATCH: tuple(entries)}


def test_a_match_that_does_not_exist_has_no_entries_and_no_seed(backend: Backend) -> None:
    assert list(backend.store.read(MATCH)) == []
    assert backend.store.seed(MATCH) is None


def test_a_gap_is_refused_and_nothing_is_missing(backend: Backend) -> None:
    entries = play(backend.store, MATCH, 2)
    before = backend.dump()
    ahead = entry(MATCH, 5, entries[-1].hash)
    assert backend.store.append(MATCH, ahead, entries[-1].hash) == Conflict(())
    assert backend.dump() == before


def test_a_first_entry_that_is_not_version_1_is_refused(backend: Backend) -> None:
    assert backend.store.append(MATCH, entry(MATCH, 2, GENESIS), GENESIS) == Conflict(())
    assert list(backend.store.read(MATCH)) == []


def test_a_stale_writer_gets_the_entries_that_it_lacks(backend: Backend) -> None:
    entries = play(backend.store, MATCH, 6)
    before = backend.dump()
    stale = entry(MATCH, 4, entries[2].hash, b"late")
    assert backend.store.append(MATCH, stale, entries[2].hash) == Conflict(tuple(entries[3:]))
    assert backend.dump() == before


def test_a_second_beginning_gets_the_whole_match_and_does_not_change_its_seed(backend: Backend) -> None:
    entries = play(backend.store, MATCH, 3)
    again = entry(MATCH, 1, GENESIS, b"another")
    assert backend.store.append(MATCH, again, GENESIS, bytes(32)) == Conflict(tuple(entries))
    assert backend.store.seed(MATCH) == SEED


def test_an_entry_that_is_already_there_counts_as_appended_and_changes_nothing(backend: Backend) -> None:
    entries = play(backend.store, MATCH, 3)
    before = backend.dump()
    assert backend.store.append(MATCH, entries[2], entries[1].hash) == Appended()
    assert backend.store.append(MATCH, entries[1], entries[0].hash) == Appended()
    assert backend.dump() == before


def test_another_entry_of_a_version_that_is_there_is_a_conflict(backend: Backend) -> None:
    entries = play(backend.store, MATCH, 3)
    other = replace(entries[1], public=b"another")
    assert backend.store.append(MATCH, other, entries[0].hash) == Conflict(tuple(entries[1:]))


def test_the_newest_changes_of_all_shards_come_first(backend: Backend) -> None:
    for match_id in (ELSEWHERE, MATCH, OTHER):
        play(backend.store, match_id, 1)
    rows = backend.store.newest(9)
    assert [row.match_id for row in backend.store.newest(1)] == [OTHER]
    assert sorted(row.match_id for row in rows) == sorted([MATCH, OTHER, ELSEWHERE])
    assert [row.at for row in rows] == sorted((row.at for row in rows), reverse=True)


def test_another_previous_hash_is_refused_and_nothing_is_missing(backend: Backend) -> None:
    play(backend.store, MATCH, 3)
    before = backend.dump()
    wrong = b"\x07" * 32
    assert backend.store.append(MATCH, entry(MATCH, 4, wrong), wrong) == Conflict(())
    assert backend.dump() == before


def test_a_first_entry_follows_32_zero_bytes_only(backend: Backend) -> None:
    wrong = b"\x01" * 32
    assert backend.store.append(MATCH, entry(MATCH, 1, wrong), wrong, SEED) == Conflict(())
    assert backend.store.seed(MATCH) is None


def test_two_matches_of_one_shard_do_not_touch_each_other(backend: Backend) -> None:
    one = play(backend.store, MATCH, 3)
    two = play(backend.store, OTHER, 2)
    assert list(backend.store.read(MATCH)) == one
    assert list(backend.store.read(OTHER)) == two
    assert [row.match_id for row in backend.store.changes(0x0A)] == [MATCH, OTHER]


def test_shards_have_their_own_change_index(backend: Backend) -> None:
    play(backend.store, MATCH, 1)
    play(backend.store, ELSEWHERE, 1)
    assert [row.match_id for row in backend.store.changes(0x0A)] == [MATCH]
    assert [row.match_id for row in backend.store.changes(0x3F)] == [ELSEWHERE]
    assert list(backend.store.changes(0x0B)) == []


@pytest.mark.parametrize(
    "data", [bytes(range(256)), bytes(1), bytes(1000), b"\r\n$5\r\n*3\r\n", bytes(range(256)) * 400]
)
def test_bytes_come_back_as_they_were_written(backend: Backend, data: bytes) -> None:
    written = Entry(1, data, data[::-1], bytes(range(224, 256)))
    seed = bytes(range(100, 132))
    assert backend.store.append(MATCH, written, GENESIS, seed) == Appended()
    assert list(backend.store.read(MATCH)) == [written]
    assert backend.store.seed(MATCH) == seed
    second = replace(written, version=2, secrets=b"")
    assert backend.store.append(MATCH, second, written.hash) == Appended()
    assert list(backend.store.read(MATCH)) == [written, second]


def test_of_32_writers_at_once_exactly_one_wins_and_the_index_moves_once(backend: Backend) -> None:
    entries = play(backend.store, MATCH, 4)
    change_times = {change_time(backend.store, MATCH)}
    gate = threading.Barrier(32)

    def write(number: int) -> Appended | Conflict | Unsealed:
        mine = entry(MATCH, 5, entries[-1].hash, b"writer %d" % number)
        gate.wait()
        answer = backend.store.append(MATCH, mine, entries[-1].hash)
        change_times.add(change_time(backend.store, MATCH))
        return answer

    with ThreadPoolExecutor(32) as pool:
        answers = list(pool.map(write, range(32)))
    head = backend.store.read(MATCH, after=4)
    assert len(head) == 1
    assert answers.count(Appended()) == 1
    assert answers.count(Conflict(tuple(head))) == 31
    assert head[0].public == b"writer %d" % answers.index(Appended())
    assert len(change_times) == 2


def test_writers_of_many_matches_get_change_times_that_all_differ(backend: Backend) -> None:
    names = [f"0a{number}" for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: play(backend.store, name, 5), names))
    rows = backend.store.changes(0x0A)
    assert sorted(row.match_id for row in rows) == names
    assert len({row.at for row in rows}) == 8


@pytest.mark.parametrize(
    ("changed", "previous", "seed"),
    [
        ({"version": 0}, None, None),
        ({"version": -1}, None, None),
        ({"version": cast(Any, "four")}, None, None),
        ({"version": cast(Any, 4.5)}, None, None),
        ({"version": 10**15}, None, None),
        ({"hash": b""}, None, None),
        ({"hash": bytes(31)}, None, None),
        ({"hash": bytes(33)}, None, None),
        ({"public": b""}, None, None),
        ({}, bytes(31), None),
        ({}, b"", None),
        ({}, None, SEED),
    ],
)
def test_a_malformed_call_writes_nothing(
    backend: Backend, changed: dict[str, Any], previous: bytes | None, seed: bytes | None
) -> None:
    entries = play(backend.store, MATCH, 3)
    before = backend.dump()
    last = entries[-1].hash
    with pytest.raises(ValueError, match=r"version|hash|public|seed"):
        backend.store.append(
            MATCH, replace(entry(MATCH, 4, last), **changed), last if previous is None else previous, seed
        )
    assert backend.dump() == before


@pytest.mark.parametrize("seed", [None, b"", bytes(31), bytes(33)])
def test_a_match_does_not_begin_without_a_seed_of_32_bytes(backend: Backend, seed: bytes | None) -> None:
    before = backend.dump()
    with pytest.raises(ValueError, match="seed"):
        backend.store.append(MATCH, entry(MATCH, 1, GENESIS), GENESIS, seed)
    assert backend.dump() == before


@pytest.mark.parametrize("match_id", ["", "zz-one", "40-one", "ff-one"])
def test_an_id_without_a_shard_is_no_match(backend: Backend, match_id: str) -> None:
    before = backend.dump()
    with pytest.raises(ValueError, match=r"shard|literal"):
        backend.store.append(match_id, entry(match_id, 1, GENESIS), GENESIS, SEED)
    with pytest.raises(ValueError, match=r"shard|literal"):
        backend.store.read(match_id)
    assert backend.dump() == before


def test_every_append_moves_its_match_to_the_end_of_the_index(backend: Backend) -> None:
    play(backend.store, MATCH, 1)
    play(backend.store, OTHER, 1)
    first = change_time(backend.store, MATCH)
    assert change_time(backend.store, OTHER) > first
    head = chain(MATCH, 1)[-1].hash
    backend.store.append(MATCH, entry(MATCH, 2, head), head)
    assert [row.match_id for row in backend.store.changes(0x0A)] == [OTHER, MATCH]
    assert [row.match_id for row in backend.store.changes(0x0A, since=first)] == [OTHER, MATCH]
    assert [row.match_id for row in backend.store.changes(0x0A, since=change_time(backend.store, OTHER))] == [MATCH]


def test_the_index_goes_on_by_single_microseconds_when_the_clock_is_behind_it(backend: Backend) -> None:
    """Once it stood at a time far ahead, whose 16 digits must all count."""
    ahead = 4_102_444_800_123_456
    backend.advance_index(OTHER, ahead)
    play(backend.store, MATCH, 1)
    assert change_time(backend.store, MATCH) == ahead + 1
    play(backend.store, "0a-four", 3)
    assert [(row.match_id, row.at) for row in backend.store.changes(0x0A)] == [
        (OTHER, ahead),
        (MATCH, ahead + 1),
        ("0a-four", ahead + 4),
    ]


def test_changes_can_be_read_in_pieces(backend: Backend) -> None:
    names = [f"0a{number:02}" for number in range(7)]
    for name in names:
        play(backend.store, name, 1)
    seen: list[str] = []
    since = 0
    while rows := backend.store.changes(0x0A, since=since, limit=3):
        seen += [row.match_id for row in rows]
        since = rows[-1].at
    assert seen == names


def test_an_archived_match_takes_nothing_any_more(backend: Backend) -> None:
    entries = play(backend.store, MATCH, 3)
    backend.archive(MATCH)
    before = backend.dump()
    for version, previous, seed in [(4, entries[-1].hash, None), (1, GENESIS, SEED)]:
        with pytest.raises(ArchivedError):
            backend.store.append(MATCH, entry(MATCH, version, previous), previous, seed)
    assert backend.dump() == before


def test_a_log_of_a_thousand_entries_stays_whole(backend: Backend) -> None:
    entries = play(backend.store, MATCH, 1000)
    assert list(backend.store.read(MATCH)) == entries
    assert list(backend.store.read(MATCH, after=998)) == entries[998:]


def test_a_new_store_opens_matches_by_the_newest_protocol(backend: Backend) -> None:
    assert backend.store.protocol() == PROTOCOL
    play(backend.store, MATCH, 1)
    assert backend.store.protocol() == PROTOCOL


def test_a_store_of_an_older_release_opens_matches_by_the_first_protocol_until_it_is_raised(backend: Backend) -> None:
    play(backend.store, MATCH, 1)
    assert backend.store.protocol() == 1
    backend.store.raise_protocol(PROTOCOL)
    assert backend.store.protocol() == PROTOCOL
    backend.store.raise_protocol(1)
    assert backend.store.protocol() == PROTOCOL


# -- seals and quarantine ---------------------------------------------------------------------------------------------

ONE, TWO, FORGED = Seal(b"signed 1", b"mac 1"), Seal(b"signed 2", b"mac 2"), Seal(b"signed ?", b"mac ?")


def sealed(backend: Backend) -> list[Entry]:
    """A log of two versions, of which the first is there and sealed."""
    entries = chain(MATCH, 2)
    assert backend.store.append(MATCH, entries[0], GENESIS, SEED, Sealing(b"", ONE)) == Appended()
    return entries


def test_an_append_replaces_the_seal_of_the_entry_before(backend: Backend) -> None:
    entries = sealed(backend)
    assert backend.store.whole(MATCH) == Stored((entries[0],), SEED, ONE, None)
    assert backend.store.append(MATCH, entries[1], entries[0].hash, None, Sealing(ONE.mac, TWO)) == Appended()
    assert backend.store.whole(MATCH) == Stored(tuple(entries), SEED, TWO, None)
    assert backend.store.append(MATCH, entries[1], entries[0].hash, None, Sealing(ONE.mac, TWO)) == Appended()


def test_an_append_behind_an_entry_with_another_seal_writes_nothing_and_shows_that_seal(backend: Backend) -> None:
    entries = sealed(backend)
    before = backend.dump()
    assert backend.store.append(MATCH, entries[1], entries[0].hash, None, Sealing(b"mac", TWO)) == Unsealed(ONE)
    assert backend.dump() == before


def test_an_entry_without_a_seal_shows_none(backend: Backend) -> None:
    entries = chain(MATCH, 2)
    backend.store.append(MATCH, entries[0], GENESIS, SEED)
    assert backend.store.append(MATCH, entries[1], entries[0].hash, None, Sealing(b"mac", TWO)) == Unsealed(Seal())
    assert backend.store.append(MATCH, entries[1], entries[0].hash, None, Sealing(b"", TWO)) == Appended()


def test_a_seal_is_put_beside_the_head_that_it_is_for_and_no_other(backend: Backend) -> None:
    entries = sealed(backend)
    assert backend.store.seal(MATCH, entries[0].hash, TWO)
    assert not backend.store.seal(MATCH, entries[1].hash, FORGED)
    assert not backend.store.seal(OTHER, entries[0].hash, FORGED)
    assert backend.store.whole(MATCH).seal == TWO
    assert backend.store.whole(OTHER) == Stored((), None, Seal(), None)


def test_a_match_in_quarantine_takes_nothing_until_it_is_released(backend: Backend) -> None:
    entries = sealed(backend)
    assert backend.store.quarantine(MATCH, b"first")
    assert not backend.store.quarantine(MATCH, b"second")
    assert backend.store.quarantined() == {MATCH: b"first"}
    assert backend.store.whole(MATCH).quarantine == b"first"
    before = backend.dump()
    for version, previous, seed in [(entries[1], entries[0].hash, None), (entries[0], GENESIS, SEED)]:
        with pytest.raises(QuarantinedError):
            backend.store.append(MATCH, version, previous, seed)
    assert backend.dump() == before
    play(backend.store, OTHER, 1)
    assert backend.store.release(MATCH)
    assert not backend.store.release(MATCH)
    assert backend.store.quarantined() == {}
    assert backend.store.append(MATCH, entries[1], entries[0].hash, None, Sealing(ONE.mac, TWO)) == Appended()


def test_the_time_from_which_every_log_has_a_seal_is_kept(backend: Backend) -> None:
    assert backend.store.sealed_since() is None
    backend.store.note_sealed(1_700_000_000_000)
    assert backend.store.sealed_since() == 1_700_000_000_000


def test_the_ids_of_the_keys_that_seal_are_kept(backend: Backend) -> None:
    assert backend.store.sealers() == frozenset()
    backend.store.set_sealers({"aa", "bb"})
    # The key of all test services last, for the server is shared with other tests.
    backend.store.set_sealers({"bb", SIGNER.key_id})
    assert backend.store.sealers() == {"bb", SIGNER.key_id}
    backend.store.set_sealers({SIGNER.key_id})
