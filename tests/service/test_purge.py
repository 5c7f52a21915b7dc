"""The name of who has left is soon in no file of the server either. On the real one, for another has no file."""

from __future__ import annotations

from collections.abc import Iterator

import fakeredis
import pytest
import redis

from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from service.adapters.redis.players import LEFT, RedisPlayers
from service.worker.aof_rewrite import Purge
from tests.support.processes import within


@pytest.fixture
def client(server: EmbeddedServer) -> Iterator[redis.Redis]:
    made = connect(server.url)
    made.delete(LEFT)
    yield made
    made.close()


def in_files(server: EmbeddedServer, name: str) -> bool:
    return any(name.encode() in path.read_bytes() for path in server.folder.rglob("*.aof"))


def come(client: redis.Redis, player_id: str, name: str) -> RedisPlayers:
    players = RedisPlayers(client)
    players.create(player_id, name, "t", b"h", 1)
    return players


def rested(purge: Purge) -> bool:
    """Goes on until nothing is left to do."""
    purge.go_on()
    return not purge.busy


def test_a_name_is_soon_in_no_file(client: redis.Redis, server: EmbeddedServer) -> None:
    players = come(client, "purged1", "Bartholomea")
    assert in_files(server, "Bartholomea")
    players.forget("purged1")
    purge = Purge(client, every=0, look=0)
    purge.go_on()
    assert within(10, lambda: rested(purge) and not client.exists(LEFT))
    assert within(5, lambda: not in_files(server, "Bartholomea"))


def test_a_worker_that_ends_in_between_is_followed_by_one_that_does_it_again(
    client: redis.Redis, server: EmbeddedServer
) -> None:
    come(client, "purged2", "Cunigunde").forget("purged2")
    Purge(client, every=0, look=0).go_on()
    assert client.exists(LEFT)
    purge = Purge(client, every=0, look=0)
    assert within(10, lambda: rested(purge) and not client.exists(LEFT))
    assert within(5, lambda: not in_files(server, "Cunigunde"))


def test_who_leaves_after_it_has_begun_waits_for_the_next(client: redis.Redis, server: EmbeddedServer) -> None:
    players = come(client, "purged3", "Dorothea")
    come(client, "purged4", "Eusebia")
    players.forget("purged3")
    purge = Purge(client, every=60, look=0)
    purge.go_on()
    players.forget("purged4")
    assert within(10, lambda: rested(purge))
    assert client.zrange(LEFT, 0, -1) == [b"purged4"]
    purge.go_on()
    assert not purge.busy  # Not so soon again.


def test_without_anybody_who_left_nothing_is_done(client: redis.Redis) -> None:
    purge = Purge(client, every=0, look=0)
    purge.go_on()
    assert not purge.busy


def test_a_server_that_does_not_do_it_is_left_alone() -> None:
    client = fakeredis.FakeRedis()
    come(client, "purged5", "Fridolina").forget("purged5")
    purge = Purge(client, every=0, look=0)
    purge.go_on()
    assert not purge.busy
