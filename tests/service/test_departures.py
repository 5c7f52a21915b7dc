"""A player who leaves is gone in every web process at once: token, name, and the name in streams that are open."""

from __future__ import annotations

from pathlib import Path

from benchmarks.client import Connection
from service.adapters.embedded import EmbeddedServer
from service.adapters.redis_store import connect
from tests.projections.test_following import work
from tests.service.test_streams_live import Curl, Seat, opened
from tests.support.processes import within
from tests.support.serving import served

NAME = "Annabella"


def test_nothing_remembers_who_has_left(tmp_path: Path, server: EmbeddedServer) -> None:
    """Two processes of one house; the player leaves by one of them."""
    (tmp_path / "other").mkdir()
    with (
        served(tmp_path, server.url, FOLDTABLE_WEB_WORKERS="1") as (here, _pids),
        served(tmp_path / "other", server.url, FOLDTABLE_WEB_WORKERS="1") as (there, _pids_there),
    ):
        ann, bob = Seat(here, NAME), Seat(here, "Bob")
        path, _first = opened([ann, bob])
        ports = (here, there)
        watching = [Curl(port, path, last=0) for port in ports]
        assert all(NAME in repr(curl.take(2)) for curl in watching)
        assert all(NAME in shown(port, path) for port in ports)
        assert {status(port, ann.token, path) for port in ports} == {200}

        assert Connection(here, ann.token).delete("/api/v1/players/me")[0] == 200
        assert within(1, lambda: not any(NAME in shown(port, path) for port in ports))
        assert within(1, lambda: {status(port, ann.token, path) for port in ports} == {401})
        again = [Curl(port, path, last=0) for port in ports]
        assert not any(NAME in repr(curl.take(2)) for curl in again)
        bob.post(f"{path}/resign", {})
        for curl in (*watching, *again):
            assert NAME not in repr(curl.take(1))
            curl.close()


def test_open_streams_of_who_has_left_end(tmp_path: Path, server: EmbeddedServer) -> None:
    with served(tmp_path, server.url, FOLDTABLE_WEB_WORKERS="1") as (port, _pids):
        ann, bob = Seat(port, NAME), Seat(port, "Bob")
        path, _first = opened([ann, bob])
        work(connect(server.url))
        watching = [Curl(port, path, ann.token), Curl(port, "/lobby", ann.token)]
        for curl in watching:
            curl.take(1)
        others = Curl(port, path, bob.token)
        others.take(1)
        Connection(port, ann.token).delete("/api/v1/players/me")
        bob.post(f"{path}/resign", {})
        assert [event.data["kind"] for event in others.take(1)] == ["resign"]
        for curl in watching:
            assert curl.take(3) == []
            curl.close()
        others.close()


def shown(port: int, path: str) -> str:
    """What a stranger reads of the match."""
    connection = Connection(port)
    return connection.get(f"/api/v1{path}")[1].decode() + connection.get(f"/api/v1{path}/log")[1].decode()


def status(port: int, token: str, path: str) -> int:
    return Connection(port, token).get(f"/api/v1{path}")[0]
