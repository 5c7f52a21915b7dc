"""The promises of the ports for read models, for deleted accounts and for the append-only file."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from domain.store import SHARDS, UnavailableError
from projections import REVISIONS
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.aof import RedisAppendOnlyFile
from service.adapters.redis.client import connect
from service.adapters.redis.players import RedisPlayers
from service.adapters.redis.readmodels import key
from service.ports import AppendOnlyFile, DeletedAccounts, RewriteRefusedError
from service.ports.readmodels import KINDS, Batch, FencedError, ForeignDataError, Lease, ReadModels, Target, packed
from tests.support.backends import Backend
from tests.support.lossy import swallowing_answers
from tests.support.views import let_expire, read_models

ONE, OTHER = Target("lobby", 1), Target("lobby", 2)
HELD_MS = 60_000


class World:
    def __init__(self, backend: Backend) -> None:
        assert backend.client is not None
        self.client = backend.client
        self.views: ReadModels = read_models(backend.client)
        lease = self.views.claim("projector", HELD_MS)
        assert lease is not None
        self.lease: Lease = lease

    def write(self, batch: Batch) -> None:
        self.views.write(self.lease, batch)


@pytest.fixture
def world(speaking: Backend) -> World:
    return World(speaking)


# -- leases -----------------------------------------------------------------------------------------------------------


def test_work_is_claimed_by_one_until_it_is_released(world: World) -> None:
    assert world.views.is_claimed("projector")
    assert not world.views.is_claimed("build:lobby")
    assert world.views.claim("projector", HELD_MS) is None
    world.views.release(world.lease)
    assert not world.views.is_claimed("projector")
    with pytest.raises(FencedError):
        world.write(Batch())
    with pytest.raises(FencedError):
        world.views.release(world.lease)


def test_a_write_extends_its_lease(world: World) -> None:
    short = world.views.claim("build:lobby", 300)
    assert short is not None
    time.sleep(0.2)
    world.views.write(short, Batch())
    time.sleep(0.2)
    assert world.views.is_claimed("build:lobby")


def test_a_writer_without_its_lease_writes_nothing(world: World) -> None:
    let_expire(world.client, world.lease)
    batch = Batch()
    batch.put(ONE.part("rows"), "m1", packed({"game": "go"}))
    with pytest.raises(FencedError):
        world.write(batch)
    assert world.views.size(ONE) == 0


def test_a_write_into_something_else_writes_nothing(world: World) -> None:
    world.client.set(key(ONE, "l", "all"), "x")
    batch = Batch()
    batch.put(ONE.part("rows"), "m1", packed({"game": "go"}))
    batch.rank(ONE.part("l", "all"), "m1", 5)
    with pytest.raises(ForeignDataError, match="l:all"):
        world.write(batch)
    assert world.views.size(ONE) == 0
    with pytest.raises(ForeignDataError):
        world.views.page(ONE, "all", None, 10)


# -- batches ----------------------------------------------------------------------------------------------------------


def test_the_last_write_to_a_name_counts(world: World) -> None:
    for batch in (Batch(), Batch()):
        batch.put(ONE.part("seen"), "m1", 4)
        batch.drop(ONE.part("seen"), "m1")
        batch.drop(ONE.part("seen"), "m2")
        batch.put(ONE.part("seen"), "m2", 7)
        batch.rank(ONE.part("l", "all"), "m1", 1)
        batch.unrank(ONE.part("l", "all"), "m1")
        batch.unrank(ONE.part("l", "all"), "m2")
        batch.rank(ONE.part("l", "all"), "m2", 2)
        world.write(batch)
    assert [world.views.seen(ONE, match_id) for match_id in ("m1", "m2")] == [0, 7]
    assert world.views.ranking(ONE, "l:all") == {"m2": 2.0}


def test_sums_add_up(world: World) -> None:
    for amount in (3, -1):
        batch = Batch()
        batch.add(ONE.part("t", "go"), "turns", amount)
        batch.add(ONE.part("t", "go"), "turns", amount)
        batch.add(ONE.part("t", "go"), "matches", 0)
        world.write(batch)
    assert world.views.totals(ONE, "go") == {"turns": 4}
    assert world.views.amounts(ONE, "go", ["matches", "turns"]) == [0, 4]
    assert world.views.table(ONE, "t:go") == {"turns": b"4"}


def test_a_write_whose_answer_is_lost_is_not_sent_again_for_sums_would_be_added_twice(
    server: EmbeddedServer, valkey: Backend, tmp_path: Path
) -> None:
    world, batch = World(valkey), Batch()
    batch.add(ONE.part("t", "go"), "turns", 1)
    world.write(batch)  # The server knows the script from here on.
    with swallowing_answers(str(server.folder / "server.sock"), tmp_path / "way.sock", times=1) as url:
        client = connect(url, resends=False)
        with pytest.raises(UnavailableError):
            read_models(client).write(world.lease, batch)
        client.close()
    assert world.views.totals(ONE, "go") == {"turns": 2}


def test_a_batch_of_many_thousand_writes_is_written_whole(world: World) -> None:
    batch = Batch()
    for number in range(3500):
        batch.put(ONE.part("seen"), f"m{number}", number)
    world.write(batch)
    assert len(world.views.table(ONE, "seen")) == 3500


# -- generations ------------------------------------------------------------------------------------------------------


def test_generations_are_named_by_kind_and_unnamed(world: World) -> None:
    assert world.views.next_generation("lobby") == ONE
    assert world.views.next_generation("lobby") == OTHER
    assert world.views.serving("lobby") is None
    batch = Batch()
    batch.name_generation("serving", OTHER)
    batch.name_generation("ready", OTHER)
    batch.name_generation("previous", ONE)
    world.write(batch)
    assert world.views.generations("serving") == {"lobby": OTHER}
    assert world.views.generations("previous") == {"lobby": ONE}
    assert world.views.serving("lobby") == OTHER
    batch = Batch()
    batch.unname_generation("previous", "lobby")
    world.write(batch)
    assert world.views.generations("previous") == {}


def test_generations_of_another_revision_are_outdated_until_they_are_forgotten(world: World) -> None:
    batch = Batch()
    for kind in KINDS:
        batch.name_generation(kind, ONE)
    world.write(batch)
    newer = read_models(world.client, {"lobby": REVISIONS["lobby"] + 1})
    assert newer.generations("serving") == {}
    assert newer.outdated("lobby") == {f"lobby@{REVISIONS['lobby']}": {ONE}}
    batch = Batch()
    batch.forget_revision(f"lobby@{REVISIONS['lobby']}")
    newer.write(world.lease, batch)
    assert newer.outdated("lobby") == {}


def test_a_discarded_generation_is_deleted_with_the_trash_and_no_other(world: World) -> None:
    batch = Batch()
    for target in (ONE, OTHER):
        batch.put(target.part("rows"), "m1", packed({}))
        batch.rank(target.part("l", "all"), "m1", 1)
    batch.discard(ONE)
    world.write(batch)
    assert world.views.parts(ONE) == {"rows", "l:all"}
    world.views.empty_trash()
    assert world.views.parts(ONE) == set()
    assert world.views.parts(OTHER) == {"rows", "l:all"}


# -- reading ----------------------------------------------------------------------------------------------------------


def test_rows_are_read_as_written_and_what_is_unreadable_is_none(world: World) -> None:
    batch = Batch()
    batch.put(ONE.part("rows"), "m1", packed({"game": "go"}))
    batch.put(ONE.part("rows"), "m2", b"\xc1")
    batch.put(ONE.part("parked"), "m3", packed({"at": 5, "reason": "KeyError"}))
    batch.put(ONE.part("at"), "7", 99)
    world.write(batch)
    assert world.views.rows(ONE, ["m1", "m2", "m4"]) == [{"game": "go"}, None, None]
    assert world.views.rows(ONE, []) == []
    assert dict(world.views.all_rows(ONE)) == {"m1": {"game": "go"}}
    assert world.views.stored(ONE, ["m2", "m4"]) == [b"\xc1", None]
    assert world.views.size(ONE) == 2
    assert world.views.parked(ONE) == {"m3": {"at": 5, "reason": "KeyError"}}
    assert world.views.checkpoints(ONE) == [99 if shard == 7 else 0 for shard in range(SHARDS)]


def test_a_list_is_read_from_the_highest_or_from_a_score_on(world: World) -> None:
    batch = Batch()
    for number in range(100):
        batch.rank(ONE.part("l", "all"), f"m{number:03}", 5 if number < 90 else number)
    world.write(batch)
    first = world.views.page(ONE, "all", None, 12)
    assert first[:2] == [(99, "m099"), (98, "m098")]
    assert first[9:] == [(90, "m090"), (5, "m089"), (5, "m088")]
    assert world.views.page(ONE, "all", first[-1], 50)[:1] == [(5, "m087")]
    assert len(world.views.page(ONE, "all", first[-1], 500)) == 88
    assert world.views.until(ONE, "all", 5, 2) == ["m000", "m001"]
    assert world.views.since(ONE, "all", 90, 1, 2) == [(91, "m091"), (92, "m092")]


def test_ratings_are_read_by_place_and_by_player(world: World) -> None:
    target, batch = Target("ratings", 1), Batch()
    for place, player in enumerate(("ann", "bob")):
        batch.put(target.part("r", "go"), player, packed((25.0 - place, 8.0)))
        batch.rank(target.part("board", "go"), player, 1.0 - place)
        batch.rank(target.part("l", f"p:go:{player}"), "m1", 1)
    batch.put(target.part("mark"), "go", packed((4, "m1")))
    batch.add_members(target.part("touched", "go"), ["cid", "bob"])
    world.write(batch)
    assert world.views.leaders(target, "go", 0, 5) == ["ann", "bob"]
    assert world.views.leaders(target, "go", 1, 5) == ["bob"]
    assert world.views.places(target, "bob", ["chess", "go"]) == [None, 1]
    assert world.views.standings(target, [("ann", "go"), ("eve", "go")]) == [([25.0, 8.0], 1), (None, 0)]
    assert world.views.marks(target) == {"go": (4, "m1")}
    assert world.views.touched(target, "go") == ["bob", "cid"]
    batch = Batch()
    batch.clear(target.part("touched", "go"))
    world.write(batch)
    assert world.views.touched(target, "go") == []


def test_the_feed_has_each_match_at_its_last_number(world: World) -> None:
    assert world.views.feed_end() == 0
    for numbers in ({"m1": 4, "m2": 5}, {"m1": 9}):
        batch = Batch()
        batch.number_changes(numbers, max(numbers.values()))
        world.write(batch)
    assert world.views.feed_end() == 9
    assert world.views.feed(0, 10) == [(5, "m2"), (9, "m1")]
    assert world.views.feed(5, 10) == [(9, "m1")]


def test_a_match_is_done_again_until_it_was(world: World) -> None:
    world.views.request_retry({"m1": 5, "m2": 6})
    batch = Batch()
    batch.clear_retry("m1")
    world.write(batch)
    assert world.views.retries() == {"m2": 6}


def test_the_audit_s_last_result_of_a_match_counts(world: World) -> None:
    for at, fault in ((1000, b"bad"), (2000, None)):
        batch = Batch()
        batch.audited("m1", at, fault)
        batch.audited("m2", 1500, b"bad")
        world.write(batch)
    assert world.views.audited(["m1", "m2", "m3"]) == [(2000, False), (1500, True), (None, False)]
    assert world.views.audit_faults() == {"m2": b"bad"}
    assert [world.views.count_audited(since) for since in (0, 1501, 2001)] == [2, 1, 0]


LATER_MS = 1000
"""Longer than the moment between the two notes that a deletion makes."""

# -- deleted accounts, and the append-only file -----------------------------------------------------------------------


def test_a_deleted_account_is_to_be_cleaned_up_until_it_was(speaking: Backend) -> None:
    assert speaking.client is not None
    accounts: DeletedAccounts = RedisPlayers(speaking.client)
    assert accounts.newest_in_aof() is None
    before = time.time_ns() // 1_000_000
    for player in ("ann", "bob"):
        speaking.players.create(player, player, f"t-{player}", b"h", 1)
        speaking.players.forget(player)
    newest = accounts.newest_in_aof()
    assert newest is not None
    assert newest >= before
    assert accounts.awaiting_release(before - 1) == []
    assert {player for player, _when in accounts.awaiting_release(newest + LATER_MS)} == {"ann", "bob"}
    accounts.note_released("ann")
    assert [player for player, _when in accounts.awaiting_release(newest + LATER_MS)] == ["bob"]
    accounts.note_rewritten(before - 1)
    assert accounts.newest_in_aof() == newest
    accounts.note_rewritten(newest)
    assert accounts.newest_in_aof() is None


def test_the_append_only_file_is_rewritten(valkey: Backend) -> None:
    assert valkey.client is not None
    file: AppendOnlyFile = RedisAppendOnlyFile(valkey.client)
    while file.state().rewriting:
        time.sleep(0.05)
    run = file.state().run
    file.rewrite()
    while file.state().rewriting:
        time.sleep(0.05)
    state = file.state()
    assert (state.run, state.enabled, state.succeeded) == (run, True, True)
    assert run


def test_a_user_that_may_not_rewrite_the_file_is_refused(valkey: Backend) -> None:
    client = valkey.client
    assert client is not None
    client.execute_command("ACL", "SETUSER", "plain", "on", "nopass", "~*", "+@all", "-bgrewriteaof")  # type: ignore[no-untyped-call]
    try:
        with client.client() as plain:  # type: ignore[no-untyped-call]
            plain.execute_command("AUTH", "plain", "any")
            with pytest.raises(RewriteRefusedError, match="NOPERM"):
                RedisAppendOnlyFile(plain).rewrite()
    finally:
        client.execute_command("ACL", "DELUSER", "plain")  # type: ignore[no-untyped-call]
