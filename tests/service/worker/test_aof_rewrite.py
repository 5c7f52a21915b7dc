"""The name of a deleted account is soon in no file of the server either. On the real one, for another has no file."""

from __future__ import annotations

from collections.abc import Iterator

import fakeredis
import pytest
import redis

from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.aof import RedisAppendOnlyFile
from service.adapters.redis.client import connect
from service.adapters.redis.players import IN_AOF, RedisPlayers
from service.adapters.system import SystemClock
from service.worker.aof_rewrite import REST_SECONDS, AofRewrite
from tests.support.accounts import account
from tests.support.processes import within


@pytest.fixture
def client(server: EmbeddedServer) -> Iterator[redis.Redis]:
    made = connect(server.url)
    made.delete(IN_AOF)
    yield made
    made.close()


def in_files(server: EmbeddedServer, name: str) -> bool:
    return any(name.encode() in path.read_bytes() for path in server.folder.rglob("*.aof"))


def come(client: redis.Redis, player_id: str, name: str) -> RedisPlayers:
    players = RedisPlayers(client, SystemClock())
    players.create(account(player_id, name))
    return players


def job(client: redis.Redis) -> AofRewrite:
    return AofRewrite(RedisAppendOnlyFile(client), RedisPlayers(client, SystemClock()))


def rested(rewrite: AofRewrite) -> bool:
    """Goes on until nothing is left to do."""
    rewrite.step()
    return not rewrite.busy


def test_a_name_is_soon_in_no_file(client: redis.Redis, server: EmbeddedServer) -> None:
    players = come(client, "purged1", "Bartholomea")
    assert in_files(server, "Bartholomea")
    players.forget("purged1")
    rewrite = job(client)
    rewrite.step()
    assert within(10, lambda: rested(rewrite) and not client.exists(IN_AOF))
    assert within(5, lambda: not in_files(server, "Bartholomea"))


def test_a_worker_that_ends_in_between_is_followed_by_one_that_does_it_again(
    client: redis.Redis, server: EmbeddedServer
) -> None:
    come(client, "purged2", "Cunigunde").forget("purged2")
    job(client).step()
    assert client.exists(IN_AOF)
    rewrite = job(client)
    assert within(10, lambda: rested(rewrite) and not client.exists(IN_AOF))
    assert within(5, lambda: not in_files(server, "Cunigunde"))


def test_an_account_deleted_after_it_has_begun_waits_for_the_next_which_is_not_so_soon(
    client: redis.Redis, server: EmbeddedServer
) -> None:
    players = come(client, "purged3", "Dorothea")
    come(client, "purged4", "Eusebia")
    players.forget("purged3")
    rewrite = job(client)
    assert rewrite.step() is None
    players.forget("purged4")
    rests: list[float | None] = []

    def ended() -> bool:
        rests.append(rewrite.step())
        return not rewrite.busy

    assert within(10, ended)
    assert client.zrange(IN_AOF, 0, -1) == [b"purged4"]
    assert rests[-1] == REST_SECONDS
    assert set(rests[:-1]) <= {None}


def test_without_a_deleted_account_nothing_is_done(client: redis.Redis) -> None:
    rewrite = job(client)
    rewrite.step()
    assert not rewrite.busy


def test_a_server_that_does_not_do_it_is_left_alone() -> None:
    client = fakeredis.FakeRedis()
    come(client, "purged5", "Fridolina").forget("purged5")
    rewrite = job(client)
    rewrite.step()
    assert not rewrite.busy
