"""What is asked only of logs that are spoken to over the protocol: commands, failures, and the server's own settings."""

from __future__ import annotations

import logging
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import fakeredis
import pytest
import redis

from domain.hashchain import GENESIS
from domain.store import Appended, Changed, Conflict, DamagedError, Entry, UnavailableError
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.aof import RedisAppendOnlyFile
from service.adapters.redis.client import UnfitServerError, check_server, connect
from service.adapters.redis.players import RedisPlayers
from service.adapters.redis.store import RedisStore, stream_key
from tests.support.backends import Backend
from tests.support.entries import MATCH, SEED, chain, entry, play
from tests.support.lossy import swallowing_answers
from tests.support.processes import crash


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """One that a test may break."""
    with EmbeddedServer(tmp_path / "store") as running:
        yield running


@contextmanager
def settings(client: redis.Redis, **values: Any) -> Iterator[None]:
    names = {name.replace("_", "-"): value for name, value in values.items()}
    before = {name: cast(dict[str, str], client.config_get(name))[name] for name in names}
    try:
        for name, value in names.items():
            client.config_set(name, value)
        yield
    finally:
        for name, value in before.items():
            client.config_set(name, value)


def client_of(backend: Backend) -> redis.Redis:
    assert backend.client is not None
    return backend.client


def test_the_fields_of_an_entry_stand_in_their_order(speaking: Backend) -> None:
    play(speaking.store, MATCH, 1)
    [(name, fields)] = cast(Any, client_of(speaking).xrange(stream_key(MATCH)))
    assert name == b"1-0"
    assert list(fields) == [b"p", b"s", b"h"]


def test_all_keys_of_a_match_share_the_tag_of_its_shard(speaking: Backend) -> None:
    play(speaking.store, MATCH, 2)
    assert set(cast(list[bytes], client_of(speaking).keys())) == {
        b"{s0a}:m:0a-one",
        b"{s0a}:meta:0a-one",
        b"{s0a}:matches",
    }


def test_an_append_wakes_those_who_listen_to_the_shard(speaking: Backend) -> None:
    listener = client_of(speaking).pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
    listener.subscribe("{s0a}:wake")
    listener.get_message(timeout=1)
    play(speaking.store, MATCH, 1)
    message = listener.get_message(timeout=2)
    assert message is not None
    assert message["data"] == MATCH.encode()
    listener.close()


def test_a_usual_append_is_one_command_and_a_read_too(server: EmbeddedServer) -> None:
    sent: Counter[str] = Counter()

    class Counting(redis.Redis):
        def execute_command(self, *args: Any, **options: Any) -> Any:
            sent[args[0]] += 1
            return super().execute_command(*args, **options)  # type: ignore[no-untyped-call]

    client = Counting(connection_pool=connect(server.url).connection_pool)
    client.flushall()
    store = RedisStore(client)
    play(store, MATCH, 1)
    sent.clear()
    previous = chain(MATCH, 1)[0].hash
    store.append(MATCH, entry(MATCH, 2, previous), previous)
    assert sent == {"EVALSHA": 1}
    store.read(MATCH, after=1)
    assert sent == {"EVALSHA": 1, "XRANGE": 1}


def test_an_append_goes_on_after_the_server_forgot_its_scripts(speaking: Backend) -> None:
    entries = play(speaking.store, MATCH, 2)
    client_of(speaking).script_flush()
    following = entry(MATCH, 3, entries[-1].hash)
    assert speaking.store.append(MATCH, following, entries[-1].hash) == Appended()
    client_of(speaking).script_flush()
    assert speaking.store.append(MATCH, following, entries[-1].hash) == Appended()
    assert list(speaking.store.read(MATCH)) == [*entries, following]


def test_a_killed_server_is_unavailable_in_every_call(own_server: EmbeddedServer) -> None:
    store = RedisStore(connect(own_server.url))
    play(store, MATCH, 1)
    crash(own_server)
    calls: list[Callable[[], object]] = [
        lambda: store.append(MATCH, entry(MATCH, 2, GENESIS), GENESIS),
        lambda: store.read(MATCH),
        lambda: store.seed(MATCH),
        lambda: store.changes(0x0A),
        lambda: RedisPlayers(connect(own_server.url)).get("p"),
    ]
    for call in calls:
        with pytest.raises(UnavailableError):
            call()


def test_a_restarted_server_costs_the_next_append_nothing(own_server: EmbeddedServer) -> None:
    """The pooled connection is dead, which must be noticed before anything is sent."""
    store = RedisStore(connect(own_server.url))
    entries = play(store, MATCH, 3)
    crash(own_server)
    own_server.start()
    following = entry(MATCH, 4, entries[-1].hash)
    assert store.append(MATCH, following, entries[-1].hash) == Appended()
    assert list(store.read(MATCH)) == [*entries, following]


def test_an_append_whose_answer_is_lost_is_sent_again_and_counts_once(
    server: EmbeddedServer, valkey: Backend, tmp_path: Path
) -> None:
    entries = play(valkey.store, MATCH, 2)
    following = entry(MATCH, 3, entries[-1].hash)
    socket_path = str(server.folder / "server.sock")
    with swallowing_answers(socket_path, tmp_path / "way.sock", times=1) as url:
        assert RedisStore(connect(url)).append(MATCH, following, entries[-1].hash) == Appended()
    assert list(valkey.store.read(MATCH)) == [*entries, following]


def test_an_append_whose_answers_are_lost_is_unavailable_and_may_have_happened(
    server: EmbeddedServer, valkey: Backend, tmp_path: Path
) -> None:
    entries = play(valkey.store, MATCH, 2)
    following = entry(MATCH, 3, entries[-1].hash)
    socket_path = str(server.folder / "server.sock")
    with swallowing_answers(socket_path, tmp_path / "way.sock", times=9) as url, pytest.raises(UnavailableError):
        RedisStore(connect(url)).append(MATCH, following, entries[-1].hash)
    assert list(valkey.store.read(MATCH, after=2)) == [following]


def test_a_server_that_is_out_of_memory_is_unavailable_and_keeps_nothing_of_the_append(valkey: Backend) -> None:
    entries = play(valkey.store, MATCH, 1)
    before = valkey.dump()
    with settings(client_of(valkey), maxmemory=1):
        with pytest.raises(UnavailableError):
            valkey.store.append("0a-new", entry("0a-new", 1, GENESIS), GENESIS, SEED)
        with pytest.raises(UnavailableError):
            valkey.store.append(MATCH, entry(MATCH, 2, entries[0].hash), entries[0].hash)
        assert list(valkey.store.read(MATCH)) == entries
    assert valkey.dump() == before


def test_a_read_only_server_is_unavailable_for_appends(own_server: EmbeddedServer) -> None:
    client = connect(own_server.url)
    store = RedisStore(client)
    entries = play(store, MATCH, 1)
    client.slaveof("127.0.0.1", 1)
    with pytest.raises(UnavailableError):
        store.append(MATCH, entry(MATCH, 2, entries[0].hash), entries[0].hash)
    assert list(store.read(MATCH)) == entries


def test_a_key_of_the_wrong_kind_is_an_error_and_nothing_is_half_written(speaking: Backend) -> None:
    client_of(speaking).set("{s0a}:matches", b"not an index")
    with pytest.raises(DamagedError, match="WRONGTYPE"):
        speaking.store.append(MATCH, entry(MATCH, 1, GENESIS), GENESIS, SEED)
    assert list(speaking.store.read(MATCH)) == []
    assert speaking.store.seed(MATCH) is None


@pytest.mark.parametrize(
    "fields",
    [
        {b"q": b"public", b"s": b"", b"h": b"hash"},
        {b"p": b"public", b"r": b"", b"h": b"hash"},
        {b"p": b"public", b"s": b"", b"i": b"hash"},
        {b"p": b"public", b"s": b""},
        {b"p": b"public", b"s": b"", b"h": b"hash", b"z": b"1"},
        {b"s": b"", b"p": b"public", b"h": b"hash"},
    ],
    ids=lambda fields: b"".join(fields).decode(),
)
def test_an_entry_under_other_names_is_read_as_empty_and_nothing_is_appended_to_it(
    speaking: Backend, fields: dict[bytes, bytes]
) -> None:
    entries = play(speaking.store, MATCH, 2)
    client_of(speaking).xadd("{s0a}:m:0a-one", fields, id="3-0")  # type: ignore[arg-type]
    assert list(speaking.store.read(MATCH)) == [*entries, Entry(3, b"", b"", b"")]
    following = entry(MATCH, 4, b"hash".ljust(32))
    assert isinstance(speaking.store.append(MATCH, following, b"hash".ljust(32)), Conflict)


def test_replicated_waits_for_the_replica_and_tells_when_there_is_none(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "primary") as primary, EmbeddedServer(tmp_path / "replica") as replica:
        client = connect(primary.url)
        store = RedisStore(client, replicas=1, replica_ms=200)
        with pytest.raises(UnavailableError, match="0 of 1 replicas"):
            play(store, "0a-alone", 1)
        with reachable(client) as port:
            connect(replica.url).slaveof("127.0.0.1", port)
            await_replica(client)
            entries = play(store, MATCH, 3)
            copy = connect(replica.url)
            assert list(RedisStore(copy).read(MATCH)) == entries
            client.script_flush()
            assert store.append(MATCH, entries[2], entries[1].hash) == Appended()
            copy.slaveof()
            with pytest.raises(UnavailableError, match="0 of 1 replicas"):
                store.append(MATCH, entries[2], entries[1].hash)


@contextmanager
def reachable(client: redis.Redis) -> Iterator[int]:
    """The server also on a port, which replicas need."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    with settings(client, port=port, repl_diskless_sync_delay=0):
        yield port


def await_replica(client: redis.Redis) -> None:
    for _ in range(200):
        state = client.info("replication")
        if state.get("slave0", {}).get("state") == "online":
            return
        threading.Event().wait(0.05)
    raise AssertionError("the replica never came online")


def test_a_server_as_the_service_makes_it_is_fit(valkey: Backend, caplog: pytest.LogCaptureFixture) -> None:
    check_server(client_of(valkey), "always")
    assert caplog.records == []


def test_a_server_that_tells_nothing_about_itself_is_taken_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    check_server(fakeredis.FakeRedis(), "always")
    assert caplog.records == []


def test_a_server_that_may_evict_keys_is_refused(valkey: Backend) -> None:
    evicting = settings(client_of(valkey), maxmemory="1gb", maxmemory_policy="allkeys-lru")
    with evicting, pytest.raises(UnfitServerError, match="maxmemory-policy noeviction"):
        check_server(client_of(valkey))
    with settings(client_of(valkey), maxmemory="1gb"):
        check_server(client_of(valkey))


def test_a_server_without_an_append_only_file_is_warned_about(
    valkey: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    with settings(client_of(valkey), appendonly="no"), caplog.at_level(logging.WARNING):
        check_server(client_of(valkey))
    assert "append-only" in caplog.text


class Loading(fakeredis.FakeRedis):
    """A server that still loads its append-only file: until it has, it reports that it keeps none."""

    def info(self, *_sections: str) -> dict[str, Any]:  # type: ignore[override]
        return {"redis_version": "7.2.4", "loading": 1, "aof_enabled": 0, "aof_last_bgrewrite_status": "ok"}


def test_a_server_that_still_loads_its_file_is_not_said_to_have_none(caplog: pytest.LogCaptureFixture) -> None:
    check_server(Loading(), "always")
    assert caplog.records == []
    assert RedisAppendOnlyFile(Loading()).state().enabled


def test_a_server_that_syncs_more_seldom_than_promised_is_warned_about(
    valkey: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    with settings(client_of(valkey), appendfsync="everysec"), caplog.at_level(logging.WARNING):
        check_server(client_of(valkey), "always")
        assert "everysec" in caplog.text


def test_a_stored_entry_costs_little_more_than_its_bytes(valkey: Backend) -> None:
    """400 entries of 300 bytes with their 32 bytes of hash."""
    previous, size = GENESIS, 0
    for version in range(1, 401):
        following = Entry(version, b"p" * 200, b"s" * 100, bytes([version % 256]) * 32)
        valkey.store.append(MATCH, following, previous, SEED if version == 1 else None)
        previous = following.hash
        size += len(following.public) + len(following.secrets) + len(following.hash)
    used = cast(int, client_of(valkey).memory_usage(stream_key(MATCH), samples=0))
    assert used < 1.3 * size


def test_what_is_no_match_in_a_change_index_is_left_out() -> None:
    client = fakeredis.FakeRedis()
    store = RedisStore(client)
    client.zadd("{s05}:matches", {b"\xff\xfe bad\n": 5, b"05fine": 6, b"06elsewhere": 7})
    assert store.changes(5) == (Changed("05fine", 6),)
    assert store.newest(10) == (Changed("05fine", 6),)
