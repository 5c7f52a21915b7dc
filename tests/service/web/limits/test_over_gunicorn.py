"""What one client can hold of a web process, over real sockets. Clients have addresses of their own: 127.0.0.2 and up."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from benchmarks.client import Connection, enter
from service.adapters.embedded_server.server import EmbeddedServer
from tests.support.processes import within
from tests.support.serving import served

CONNECTIONS, STREAMS, SECONDS = 20, 3, 1
SETTINGS = {
    "FOLDTABLE_LIMITS": "on",
    "FOLDTABLE_MAX_CONNECTIONS": str(CONNECTIONS),
    "FOLDTABLE_MAX_STREAMS": str(STREAMS),
    "FOLDTABLE_BODY_SECONDS": str(SECONDS),
    "FOLDTABLE_LOG_LEVEL": "error",
}
HEAD = b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
HALF_BODY = HEAD + b"Content-Length: 60000\r\n\r\n{"
UNWANTED_BODY = HALF_BODY.replace(b"/players ", b"/nothing ")

Web = tuple[int, list[int]]


@pytest.fixture(scope="module")
def web(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """The port and the pids of two web processes with limits."""
    with served(tmp_path_factory.mktemp("web"), server.url, **SETTINGS) as running:
        yield running


@contextmanager
def sockets(port: int, source: str, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """So many connections from one address, on each of which the same was sent."""
    made = []
    try:
        for _ in range(count):
            made.append(socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(source, 0)))
            with suppress(OSError):
                made[-1].sendall(sent)
        yield made
    finally:
        for one in made:
            one.close()


def is_over(one: socket.socket) -> bool:
    """Whether the server has closed a connection."""
    one.setblocking(False)
    try:
        while one.recv(65536):
            continue
        return True
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def all_of(one: socket.socket) -> bytes:
    """All that comes until the connection ends. Raises ``ConnectionError`` if it is reset."""
    return b"".join(iter(lambda: one.recv(1 << 20), b""))


def told(one: socket.socket) -> bytes:
    """All that comes until the connection ends."""
    data = b""
    with suppress(ConnectionError):
        while part := one.recv(65536):
            data += part
    return data


def status(port: int, source: str) -> int:
    """Of a new connection from there; 0 if it is closed at once."""
    with sockets(port, source, 1, b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") as [one]:
        answer = told(one)
    return int(answer[9:12]) if answer else 0


@pytest.mark.parametrize(
    "sent",
    [HALF_BODY, UNWANTED_BODY, HEAD, b"", HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{"],
    ids=["a body", "a body that nobody reads", "a head", "nothing", "a chunk"],
)
def test_half_of_a_request_holds_few_connections_and_for_a_short_time(web: Web, sent: bytes) -> None:
    port, _pids = web
    with sockets(port, "127.0.0.2", 3 * CONNECTIONS, sent) as made:
        assert within(SECONDS, lambda: sum(map(is_over, made)) >= 2 * CONNECTIONS)
        started = time.monotonic()
        assert status(port, "127.0.0.3") == 200
        assert time.monotonic() - started < SECONDS / 2
        assert within(5 * SECONDS, lambda: all(map(is_over, made)))
    assert within(2, lambda: status(port, "127.0.0.2") == 200)


def test_a_connection_too_many_is_refused_with_a_problem(web: Web) -> None:
    port, _pids = web
    # Two processes that count at the same moment may admit one more, and a slow machine may close the first ones already.
    with sockets(port, "127.0.0.4", 3 * CONNECTIONS, b"") as made:
        refusals = list(filter(None, map(told, made)))
    assert refusals
    for refusal in refusals:
        head, _, body = refusal.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 429 ")
        assert b"\r\nRetry-After: 10" in head
        assert b"\r\nContent-Type: application/problem+json\r\n" in head
        assert json.loads(body)["code"] == "too_many_connections"
    assert within(2, lambda: status(port, "127.0.0.4") == 200)


def test_connections_that_end_make_room_for_others(web: Web) -> None:
    port, _pids = web
    assert {status(port, "127.0.0.5") for _ in range(5 * CONNECTIONS)} == {200}


@pytest.mark.parametrize("end", [b"", b"\r\n\r\n"], ids=["in the middle", "at once"])
def test_a_body_that_drips_is_refused_when_its_time_is_over(web: Web, end: bytes) -> None:
    port, _pids = web
    with sockets(port, "127.0.0.6", 1, HALF_BODY) as [one]:
        started = time.monotonic()
        while not within(0.1, lambda: bool(peeked(one))):
            with suppress(OSError):
                one.sendall(b" ")
            assert time.monotonic() < started + 5 * SECONDS
        answer = told(one)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"code": "body_too_slow"' in answer
    assert time.monotonic() - started < 3 * SECONDS


def peeked(one: socket.socket) -> bytes:
    one.setblocking(False)
    try:
        return one.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return b""
    finally:
        one.settimeout(10)


def test_a_long_body_has_more_time_as_long_as_it_keeps_coming(web: Web) -> None:
    port, _pids = web
    with sockets(port, "127.0.0.7", 1, HEAD + b"Connection: close\r\nContent-Length: 60000\r\n\r\n") as [one]:
        for _ in range(6):
            one.sendall(b" " * 10_000)
            time.sleep(SECONDS / 4)
        answer = told(one)
    assert b'"code": "unreadable"' in answer, "read to its end, and it is no JSON"


def test_a_client_that_reads_nothing_is_cut_off(web: Web) -> None:
    port, _pids = web
    request = b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    with sockets(port, "127.0.0.8", CONNECTIONS, b"") as made:
        for one in made:
            one.setblocking(False)
            with suppress(OSError):
                one.sendall(request * 100)
        assert within(60 * SECONDS, lambda: status(port, "127.0.0.8") == 200)


def test_a_client_that_reads_nothing_leaves_nothing_in_the_kernel(web: Web) -> None:
    port, _pids = web
    request = b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    with sockets(port, "127.0.0.10", 1, request * 100) as [one]:
        # Nothing is read. The server gives up, and then the connection is reset, not merely finished.
        reset = select.POLLERR | select.POLLHUP
        watched = select.poll()
        watched.register(one, reset)
        assert within(60 * SECONDS, lambda: any(events & reset for _fd, events in watched.poll(0)))
        with pytest.raises(ConnectionError):
            all_of(one)


@pytest.mark.parametrize("end", [b"", b"\r\n"], ids=["half", "whole"])
def test_a_head_is_refused_as_soon_as_it_is_too_long_in_all(web: Web, end: bytes) -> None:
    port, _pids = web
    head = (
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: %b\r\n" % (n, b"y" * 8000) for n in range(20)) + end
    )
    with sockets(port, "127.0.0.11", 1, head) as [one]:
        answer = told(one)
    assert not answer or b'"code": "unreadable"' in answer
    assert status(port, "127.0.0.11") == 200
    with sockets(port, "127.0.0.11", 1, head[:50_000].rpartition(b"\r\n")[0] + b"\r\nConnection: close\r\n\r\n") as [
        one
    ]:
        assert told(one).startswith(b"HTTP/1.1 200 ")


def test_a_client_that_sends_many_requests_at_once_does_not_have_them_all_answered_first(
    server: EmbeddedServer, tmp_path: Path
) -> None:
    settings = SETTINGS | {"FOLDTABLE_WEB_WORKERS": "1", "FOLDTABLE_RATE_REQUESTS": "100000 per second"}
    request = b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n"  # So short an answer that the kernel has room for them all.
    with (
        served(tmp_path, server.url, **settings) as (port, _pids),
        sockets(port, "127.0.0.2", 1, b"") as [other],
        sockets(port, "127.0.0.3", 1, b"") as [many],
    ):
        many.sendall(request * 400)
        many.recv(1)
        other.sendall(request)
        other.recv(1)
        many.setblocking(False)
        came = 0
        with suppress(BlockingIOError):
            while part := many.recv(1 << 20):
                came += part.count(b"HTTP/1.1 404 ")
        assert came < 300


def test_requests_on_a_connection_that_is_kept_may_be_apart(web: Web) -> None:
    port, _pids = web
    connection = Connection(port, source="127.0.0.9")
    assert connection.get("/healthz")[0] == 200
    time.sleep(2 * SECONDS)
    assert connection.get("/healthz")[0] == 200
    connection.close()


# -- live streams -----------------------------------------------------------------------------------------------------


def opened(port: int, source: str) -> tuple[str, str]:
    """A token, and the path of a match."""
    token = enter(port, "Ann", source)
    host = Connection(port, token, source)
    return (
        token,
        f"/api/v1/matches/{json.loads(host.post('/api/v1/matches', {'game': 'blockers', 'seats': 2})[1])['match_id']}",
    )


def stream(path: str, token: str = "") -> bytes:
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    return f"GET {path}/stream HTTP/1.1\r\nHost: x\r\n{authorization}\r\n".encode()


def answered(one: socket.socket) -> bytes:
    """A response up to the end of its body, an object in JSON."""
    data = b""
    while not data.endswith(b"}"):
        data += one.recv(65536)
    return data


def first_line(one: socket.socket) -> bytes:
    return one.recv(65536).partition(b"\r\n")[0]


def test_an_address_has_so_many_streams_over_all_processes_and_an_account_has_its_own(web: Web) -> None:
    port, _pids = web
    token, path = opened(port, "127.0.0.10")
    with sockets(port, "127.0.0.10", STREAMS, stream(path)) as made:
        assert {first_line(one) for one in made} == {b"HTTP/1.1 200 OK"}
        with sockets(port, "127.0.0.10", 6, stream(path)) as more:
            answers = [answered(one) for one in more]
        assert {answer[:12] for answer in answers} == {b"HTTP/1.1 429"}
        assert all(b'"too_many_streams"' in answer and b"\r\nRetry-After: 5\r\n" in answer for answer in answers)
        with sockets(port, "127.0.0.10", STREAMS, stream(path, token)) as own:
            assert {first_line(one) for one in own} == {b"HTTP/1.1 200 OK"}
            with sockets(port, "127.0.0.11", 1, stream(path, token)) as [elsewhere]:
                assert first_line(elsewhere).startswith(b"HTTP/1.1 429")
        with sockets(port, "127.0.0.11", 1, stream(path)) as [other]:
            assert first_line(other) == b"HTTP/1.1 200 OK"

    def has_room() -> bool:
        with sockets(port, "127.0.0.10", 1, stream(path)) as [again]:
            return first_line(again) == b"HTTP/1.1 200 OK"

    assert within(5, has_room)


def test_only_the_head_of_a_stream_takes_no_place(web: Web) -> None:
    port, _pids = web
    _token, path = opened(port, "127.0.0.12")
    with sockets(port, "127.0.0.12", 1, b"") as [one]:
        for _ in range(2 * STREAMS):
            one.sendall(stream(path).replace(b"GET", b"HEAD"))
            assert first_line(one) == b"HTTP/1.1 200 OK"


def test_a_web_process_that_is_killed_leaves_no_counts(server: EmbeddedServer, tmp_path: Path) -> None:
    with served(tmp_path, server.url, **SETTINGS, FOLDTABLE_WEB_WORKERS="1") as (port, [pid]):
        with sockets(port, "127.0.0.2", CONNECTIONS, b""):
            assert within(5, lambda: status(port, "127.0.0.2") in (0, 429))
            os.kill(pid, signal.SIGKILL)
        assert within(20, lambda: reached(port) == 200)


def reached(port: int) -> int:
    try:
        return status(port, "127.0.0.2")
    except OSError:
        return 0
