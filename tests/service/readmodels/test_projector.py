"""The read models follow the log: whatever is interrupted, in the end they are what an independent fold makes."""

from __future__ import annotations

from typing import Any, cast

import fakeredis
import pytest
import redis
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.store import Store
from projections import PROJECTIONS
from service.adapters.redis.store import RedisStore, stream_key
from service.ports.readmodels import Batch, FencedError
from tests.support import toy_2
from tests.support.changing import changed_over
from tests.support.playing import Setup, played
from tests.support.projecting import (
    EVERYTHING,
    GAMES,
    LEASE_MS,
    playings,
    work,
)
from tests.support.views import append, contents, expected, let_expire, read_models, stored, worker


def test_what_is_followed_has_something_of_everything() -> None:
    matches = [playing.match for playing in playings()]
    assert sum(match.status == "finished" and match.table.rated for match in matches) >= 5
    assert any(match.branches for match in matches)
    assert any(match.status == "live" for match in matches)


def check(client: redis.Redis, store: Store) -> None:
    views = read_models(client)
    for name in PROJECTIONS:
        target = views.serving(name)
        assert target is not None
        assert stored(contents(client, target)) == expected(store, GAMES, name), name


def dump(client: redis.Redis) -> dict[bytes, Any]:
    return {key: client.dump(key) for key in cast(list[bytes], client.keys())}


Steps = list[tuple[int, int, int | None]]
"""Which playing goes on, by how many versions, and where the worker that then runs crashes."""


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 7), st.integers(1, 40), st.none() | st.integers(0, 12)),
        min_size=1,
        max_size=12,
    )
)
def test_whatever_crashes_where_the_rows_are_those_of_an_independent_fold(steps: Steps) -> None:
    client = fakeredis.FakeRedis()
    store = RedisStore(client)
    reached = [0] * len(playings())
    for which, count, crash_after in steps:
        playing = playings()[which]
        end = min(reached[which] + count, len(playing.entries))
        append(store, playing, reached[which], end)
        reached[which] = end
        work(client, crash_after)
    work(client)
    check(client, store)


@pytest.fixture
def client() -> fakeredis.FakeRedis:
    return fakeredis.FakeRedis()


@pytest.fixture
def store(client: redis.Redis) -> RedisStore:
    return RedisStore(client)


def test_a_worker_that_follows_step_by_step_ends_where_one_from_scratch_ends(
    client: redis.Redis, store: RedisStore
) -> None:
    views = read_models(client)
    lease = views.claim("projector", LEASE_MS)
    assert lease is not None
    at_work = worker(client, store, views, GAMES, lease)
    for version in range(0, 90, 7):
        for playing in playings():
            append(store, playing, version, version + 7)
        at_work.step(EVERYTHING)
        check(client, store)


def test_an_owner_that_slept_through_its_lease_writes_nothing(client: redis.Redis, store: RedisStore) -> None:
    views = read_models(client)
    lease = views.claim("projector", LEASE_MS)
    assert lease is not None
    sleeper = worker(client, store, views, GAMES, lease)
    append(store, playings()[0], 0, 5)
    let_expire(client, lease)  # as its time runs out
    before = dump(client)
    with pytest.raises(FencedError):
        sleeper.step(EVERYTHING)
    assert dump(client) == before
    work(client)
    check(client, store)


def test_an_owner_that_slept_while_another_worked_writes_nothing(client: redis.Redis, store: RedisStore) -> None:
    views = read_models(client)
    lease = views.claim("projector", LEASE_MS)
    assert lease is not None
    sleeper = worker(client, store, views, GAMES, lease)
    append(store, playings()[0], 0, 5)
    sleeper.step(EVERYTHING)
    let_expire(client, lease)
    append(store, playings()[0], 5, 9)
    successor = views.claim("projector", LEASE_MS)
    assert successor is not None
    worker(client, store, views, GAMES, successor).step(EVERYTHING)
    append(store, playings()[1], 0, 5)
    before = dump(client)
    with pytest.raises(FencedError):
        sleeper.step(EVERYTHING)
    assert dump(client) == before


def test_a_lease_is_held_by_one_at_a_time_and_its_token_never_comes_again(client: redis.Redis) -> None:
    views = read_models(client)
    first = views.claim("projector", LEASE_MS)
    assert first is not None
    assert views.claim("projector", LEASE_MS) is None
    views.release(first)
    second = views.claim("projector", LEASE_MS)
    assert second is not None
    assert second.token != first.token
    with pytest.raises(FencedError):
        views.write(first, Batch())


# -- parking ----------------------------------------------------------------------------------------------------------


def test_a_match_that_cannot_be_read_is_parked_and_holds_up_no_other(client: redis.Redis, store: RedisStore) -> None:
    bad, good = playings()[0], playings()[1]
    for playing in (bad, good):
        append(store, playing, 0, 5)
    whole: Any = client.xrange(stream_key(bad.match_id))
    client.delete(stream_key(bad.match_id))
    for name, fields in whole:
        client.xadd(stream_key(bad.match_id), fields | ({b"p": b"x"} if name == b"3-0" else {}), id=name)
    work(client)
    views = read_models(client)
    for name in PROJECTIONS:
        target = views.serving(name)
        assert target is not None
        parked = views.parked(target)
        assert parked.keys() == {bad.match_id}
        assert parked[bad.match_id]["reason"] == "version 3 does not follow from the version before"
        assert views.seen(target, good.match_id) == 5

    client.delete(stream_key(bad.match_id))
    for name, fields in whole:
        client.xadd(stream_key(bad.match_id), fields, id=name)
    assert store.release(bad.match_id)
    append(store, bad, 5, 7)
    work(client)
    for name in PROJECTIONS:
        target = views.serving(name)
        assert target is not None
        assert views.seen(target, bad.match_id) == 0
    client.hset("{views}:retry", bad.match_id, store.changes(int(bad.match_id[:2], 16))[-1].at)
    work(client)
    check(client, store)


def test_a_match_that_needs_a_newer_release_waits_for_it(client: redis.Redis, store: RedisStore) -> None:
    """As long as an older worker holds the lease it is parked; a newer one tries it again without being asked."""
    newer = GAMES | {toy_2.GAME.id: toy_2.GAME}
    new, changed = played(Setup(toy_2.GAME, 2, toy_2.Options(), seed=3)), changed_over(seed=11)
    for playing in (new, changed):
        append(store, playing, 0, len(playing.entries))
    work(client)
    views = read_models(client)
    for name in PROJECTIONS:
        target = views.serving(name)
        assert target is not None
        assert {match: why["reason"] for match, why in views.parked(target).items()} == {
            new.match_id: "newer_rules",
            changed.match_id: "newer_rules",
        }
    lease = read_models(client).claim("projector", LEASE_MS)
    assert lease is not None
    worker(client, store, views, newer, lease).step(EVERYTHING)
    for name in PROJECTIONS:
        target = views.serving(name)
        assert target is not None
        assert not views.parked(target)
        assert stored(contents(client, target)) == expected(store, newer, name), name
