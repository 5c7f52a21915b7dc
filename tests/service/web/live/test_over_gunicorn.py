"""Live streams through gunicorn, its gevent workers and real sockets: the product as it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from benchmarks.client import Connection
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from service.telemetry import WRITE_SECONDS
from tests.support.curl import Curl, Seat, opened
from tests.support.processes import within
from tests.support.projecting import work
from tests.support.serving import OPERATOR, served


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory, server: EmbeddedServer) -> Iterator[int]:
    with served(tmp_path_factory.mktemp("data"), server.url) as (found, _pids):
        yield found


@pytest.fixture
def seats(port: int) -> list[Seat]:
    return [Seat(port, "Ann"), Seat(port, "Bob")]


def test_two_curls_see_each_others_moves_as_they_are_made(port: int, seats: list[Seat]) -> None:
    path, to_move = opened(seats)
    curls = [Curl(port, path, seat.token) for seat in seats]
    for curl in curls:
        assert curl.take()[0].name == "state"
    for _ in range(6):
        answer = seats[to_move[0]].move(path)
        to_move = answer["to_move"]
        for curl in curls:
            (told,) = curl.take()
            assert (told.name, told.id, told.data["to_move"]) == ("commit", answer["version"], to_move)
    for curl in curls:
        curl.close()


def test_many_viewers_on_both_processes_get_every_version_in_order(port: int, seats: list[Seat]) -> None:
    path, to_move = opened(seats)
    curls = [Curl(port, path, last=0) for _ in range(40)]
    for _ in range(10):
        to_move = seats[to_move[0]].move(path)["to_move"]
    for curl in curls:
        assert [event.id for event in curl.take(12)] == list(range(1, 13))
        curl.close()


COUNTED_SECONDS = 2 + 2 * WRITE_SECONDS
"""Two seconds, and until each process knows of what the other has counted."""


def open_streams(port: int) -> float:
    metrics = Connection(port, OPERATOR).get("/metrics")[1].decode()
    return float(re.search(r"^foldtable_streams_open (\S+)$", metrics, re.MULTILINE)[1])  # type: ignore[index]


def test_who_goes_away_is_forgotten_at_once_though_nothing_is_sent(port: int, seats: list[Seat]) -> None:
    path, _to_move = opened(seats)
    assert within(COUNTED_SECONDS, lambda: open_streams(port) == 0)
    curls = [Curl(port, path) for _ in range(20)]
    for curl in curls:
        curl.take(1)
    assert within(COUNTED_SECONDS, lambda: open_streams(port) == 20)
    for curl in curls[:15]:
        curl.close()
    assert within(COUNTED_SECONDS, lambda: open_streams(port) == 5)
    curls[-1].send(b"GET /api/v1/games HTTP/1.1\r\nHost: x\r\n\r\n")  # What comes early is no end.
    seats[0].post(f"{path}/resign", {})
    for curl in curls[15:]:
        assert curl.take(1)[0].data["kind"] == "resign"
        curl.close()


def test_those_who_come_to_the_lobby_together_are_told_everything_once(
    port: int, seats: list[Seat], server: EmbeddedServer
) -> None:
    client, before = connect(server.url), open_streams(port)
    work(client)
    for _round in range(4):
        curls = [Curl(port, "/lobby") for _ in range(24)]
        for curl in curls:
            assert curl.take()[0].name == "lobby"
        made = []
        for _match in range(4):
            made.append(seats[0].post("/matches", {"game": "blockers", "seats": 2})["match_id"])
            work(client)
        for curl in curls:
            told = curl.take(4)
            assert [event.data["match_id"] for event in told] == made
            assert [event.id for event in told] == sorted({event.id for event in told})
            curl.close()
        assert within(COUNTED_SECONDS, lambda: open_streams(port) <= before)
    client.close()


def test_a_reader_that_does_not_read_holds_up_nobody_and_loses_nothing(port: int, seats: list[Seat]) -> None:
    path, to_move = opened(seats)
    slow, quick = Curl(port, path, last=2, receive=2048), Curl(port, path, last=2)
    for _ in range(70):
        # Both seats move, or the host could not go back so often.
        second = seats[to_move[0]].move(path)["to_move"][0]
        seats[second].move(path)
        version = seats[0].post(f"{path}/undo", {"to": 2})["version"]
        assert [event.id for event in quick.take(3)] == [version - 2, version - 1, version]
    assert [event.id for event in slow.take(210)] == list(range(3, 213))


def test_a_stream_goes_on_where_its_reader_was(port: int, seats: list[Seat]) -> None:
    path, to_move = opened(seats)
    curl = Curl(port, path)
    curl.take()
    to_move = seats[to_move[0]].move(path)["to_move"]
    (told,) = curl.take()
    curl.close()
    for _ in range(3):
        to_move = seats[to_move[0]].move(path)["to_move"]
    assert [event.id for event in Curl(port, path, last=told.id).take(3)] == [4, 5, 6]
