"""One process finds the damage, and all others let go of what they have in memory, streams included."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.client import Connection
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from service.adapters.redis.store import RedisStore, stream_key
from tests.support.curl import Curl, Seat, opened
from tests.support.processes import within
from tests.support.serving import served


def test_what_one_process_finds_broken_stops_all_of_them_at_once(server: EmbeddedServer, tmp_path: Path) -> None:
    client = connect(server.url)
    with served(tmp_path, server.url) as (port, _pids):
        seats = [Seat(port, "Ann"), Seat(port, "Bob")]
        path, to_move = opened(seats)
        seats[to_move[0]].move(path)
        match_id = path.rpartition("/")[2]
        full = f"/api/v1{path}"
        readers = [Connection(port) for _ in range(20)]  # of both processes
        assert {reader.get(full)[0] for reader in readers} == {200}
        curls = [Curl(port, path) for _ in range(8)]
        for curl in curls:
            curl.take()
        key = stream_key(match_id)
        entries: Any = client.xrange(key)
        client.delete(key)
        for number, (name, fields) in enumerate(entries, 1):
            client.xadd(key, fields | {b"h": bytes(32)} if number == 2 else fields, id=name)
        assert {reader.get(full)[0] for reader in readers} == {200}, "the newest version is the one in memory"
        assert b'"ok":false' in readers[0].get(f"{full}/audit")[1].replace(b" ", b"")
        assert within(5, lambda: {reader.get(full)[0] for reader in readers} == {500})
        for curl in curls:
            assert curl.take() == []
            curl.close()
        RedisStore(client).release(match_id)
        assert {reader.get(full)[0] for reader in readers} == {500}, "its log is still broken"
    client.close()
