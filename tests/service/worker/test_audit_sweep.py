"""The audit in the background: what it verifies, when again, and what it finds."""

from __future__ import annotations

import time
from copy import copy
from dataclasses import replace
from unittest.mock import ANY

import fakeredis
import pytest

from domain.store import SHARDS
from replay.record import canonical, read
from service.adapters.redis.store import RedisStore, meta_key, stream_key
from service.ports.readmodels import Lease
from service.readmodels.audit_results import figures
from service.readmodels.lag import lag
from service.worker import audit_sweep
from service.worker.audit_sweep import AuditSweep
from tests.support.forged_records import resealed
from tests.support.house import Clock
from tests.support.projecting import GAMES, playings, work
from tests.support.seals import STRICT_SEALS
from tests.support.views import append, let_expire, read_models, worker

LONG = 10.0


class World:
    def __init__(self) -> None:
        self.client = fakeredis.FakeRedis()
        self.store, self.views = RedisStore(self.client), read_models(self.client)
        lease = self.views.claim("projector", 600_000)
        assert lease is not None
        self.lease: Lease = lease
        self.clock = Clock(time.time_ns() // 1_000_000 + 10_000)
        self.seals = STRICT_SEALS
        for playing in playings():
            append(self.store, playing, 0, 30)

    def sweep(self) -> int:
        """Another process, which knows only what is stored."""
        return AuditSweep(self.store, self.views, GAMES, self.seals, self.clock, time.monotonic).step(self.lease, LONG)

    def alter(self, number: int, version: int) -> str:
        """Changes a stored commit behind everybody's back."""
        match_id = playings()[number].match_id
        rows: object = self.client.xrange(stream_key(match_id))
        self.client.delete(stream_key(match_id))
        for name, fields in rows:  # type: ignore[attr-defined]
            altered = fields | {b"p": fields[b"p"] + b"\0"} if name == b"%d-0" % version else fields
            self.client.xadd(stream_key(match_id), altered, id=name)
        return match_id

    def play_on(self, number: int) -> None:
        """Appends one version, a second after the last sweep; one more second has passed then."""
        playing = playings()[number]
        append(self.store, playing, 30, 31)
        self.client.zadd(f"{{s{playing.match_id[:2]}}}:matches", {playing.match_id: (self.clock.time + 1000) * 1000})
        self.clock.time += 2000

    def mend(self, number: int) -> None:
        """Puts a log there again as it was written, as a backup does."""
        match_id = playings()[number].match_id
        self.store.release(match_id)
        self.client.delete(stream_key(match_id))
        self.client.zrem(f"{{s{match_id[:2]}}}:matches", match_id)
        append(self.store, playings()[number], 0, 30)


@pytest.fixture
def world() -> World:
    return World()


def test_every_match_is_verified_once_and_not_again_so_soon(world: World) -> None:
    assert world.sweep() == len(playings())
    assert world.sweep() == 0
    found = figures(world.views, world.clock.now())
    assert (found.verified, found.failed) == (len(playings()), {})


def test_an_altered_commit_is_found_and_named(world: World) -> None:
    match_id = world.alter(1, 4)
    world.sweep()
    (failed,) = figures(world.views, world.clock.now()).failed.items()
    assert failed[0] == match_id
    assert failed[1][:2] == [4, "altered"]


def test_a_first_commit_that_cannot_be_read_is_a_finding_and_stops_nothing(world: World) -> None:
    match_id = world.alter(0, 1)
    assert world.sweep() == len(playings())
    assert figures(world.views, world.clock.now()).failed[match_id][0] == 1


def test_a_log_that_is_something_else_altogether_is_a_finding_and_stops_nothing(world: World) -> None:
    match_id = playings()[2].match_id
    world.client.delete(stream_key(match_id))
    world.client.set(stream_key(match_id), "mine")
    assert world.sweep() == len(playings())
    assert figures(world.views, world.clock.now()).failed[match_id][:2] == [1, "unreadable"]


def test_a_commit_that_the_rules_do_not_give_is_found_although_its_chain_holds(world: World) -> None:
    playing = playings()[3]
    forged = copy(playing)
    record = resealed(playing, 6, lambda commit: replace(commit, player="somebody-else"))
    forged.entries = [line.entry for line in read(canonical(record)).lines]
    world.client.delete(stream_key(playing.match_id))
    world.client.zrem(f"{{s{playing.match_id[:2]}}}:matches", playing.match_id)
    append(world.store, forged, 0, 30)
    world.sweep()
    assert figures(world.views, world.clock.now()).failed[playing.match_id][:2] == [6, "illegal"]


def test_a_log_that_has_lost_its_end_is_found_though_all_that_is_left_holds(world: World) -> None:
    worker(world.client, world.store, world.views, GAMES, world.lease).step(set(range(SHARDS)))
    match_id = playings()[1].match_id
    last = len(world.store.read(match_id))
    world.client.xdel(stream_key(match_id), f"{last}-0", f"{last - 1}-0")
    world.sweep()
    assert figures(world.views, world.clock.now()).failed == {match_id: [last - 1, "truncated", ANY]}


def test_what_failed_is_verified_again_soon(world: World) -> None:
    world.alter(1, 4)
    world.sweep()
    world.mend(1)
    world.clock.time += 60_000
    assert world.sweep() == 0
    world.clock.time += audit_sweep.FAILED_AGAIN_MS
    assert world.sweep() == 1
    assert figures(world.views, world.clock.now()).failed == {}


def test_after_half_a_day_it_is_verified_again_and_a_mended_match_is_no_finding_any_more(
    world: World,
) -> None:
    world.alter(1, 4)
    world.sweep()
    world.mend(1)
    world.clock.time += audit_sweep.AGAIN_MS + 60_000
    assert world.sweep() == len(playings())
    assert figures(world.views, world.clock.now()).failed == {}


def test_a_sweep_stops_when_its_time_is_over_and_goes_on_where_it_was(world: World) -> None:
    sweeping = AuditSweep(world.store, world.views, GAMES, world.seals, world.clock, time.monotonic)
    counts = [sweeping.step(world.lease, 0.002) for _ in range(200)]
    assert sum(counts) == len(playings())
    assert max(counts) < len(playings())


def test_the_lag_is_what_the_log_has_and_the_read_model_has_not(world: World) -> None:
    let_expire(world.client, world.lease)
    work(world.client)
    target = world.views.serving("lobby")
    assert target is not None
    now = world.store.newest(1)[0].at
    assert lag(world.store, world.views, target, now).matches == 0
    append(world.store, playings()[7], 30, 33)
    found = lag(world.store, world.views, target, time.time_ns() // 1000 + 5_000_000)
    assert (found.matches, found.commits) == (1, 3)
    assert 5 <= found.seconds < 60
    work(world.client)
    assert lag(world.store, world.views, target, now).seconds == 0


def test_a_match_that_has_changed_since_is_verified_in_the_next_round(world: World) -> None:
    world.sweep()
    world.play_on(7)
    assert world.sweep() == 1
    world.clock.time += 60_000
    assert world.sweep() == 1, "once more, in case the clocks differ"
    world.clock.time += 60_000
    assert world.sweep() == 0


def test_what_changed_and_was_altered_is_found_in_the_next_round_and_stopped(world: World) -> None:
    world.sweep()
    world.play_on(7)
    match_id = world.alter(7, 4)
    world.sweep()
    assert figures(world.views, world.clock.now()).failed[match_id][:2] == [4, "altered"]
    assert match_id in world.store.quarantined()


def test_a_match_that_the_read_models_know_and_the_log_does_not_is_found(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    worker(world.client, world.store, world.views, GAMES, world.lease).step(set(range(SHARDS)))
    match_id = playings()[2].match_id
    world.client.delete(stream_key(match_id), meta_key(match_id))
    world.client.zrem(f"{{s{match_id[:2]}}}:matches", match_id)
    world.sweep()
    assert figures(world.views, world.clock.now()).failed == {match_id: [1, "gap", ANY]}
    assert f"audit failed: match {match_id}, version 1: gap" in caplog.text


def test_a_match_of_which_nothing_is_left_is_no_finding_any_more(world: World) -> None:
    lost = playings()[2].match_id
    worker(world.client, world.store, world.views, GAMES, world.lease).step(set(range(SHARDS)))
    world.client.delete(stream_key(lost), meta_key(lost))
    world.client.zrem(f"{{s{lost[:2]}}}:matches", lost)
    world.sweep()
    target = world.views.serving("summary")
    assert target is not None
    world.client.hdel(f"{{views}}:{target.part('seen')}", lost)
    world.clock.time += audit_sweep.FAILED_AGAIN_MS + 1
    world.sweep()
    assert figures(world.views, world.clock.now()).failed == {}
    assert world.store.quarantined() == {}


def test_a_match_that_another_process_put_into_quarantine_is_verified_and_released_if_it_holds(world: World) -> None:
    match_id = playings()[4].match_id
    world.sweep()
    world.store.quarantine(match_id, b"")
    assert world.sweep() == 1
    assert world.store.quarantined() == {}
