"""Requests that cannot be parsed: whatever stands in them, a token too, is neither sent back nor logged."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from service.adapters.embedded_server.server import EmbeddedServer
from tests.support.serving import served

TOKEN = b"abcdefghijklmnop.s3cr3ts3cr3ts3cr3t"
LINE = b"GET /api/v1/matches HTTP/1.1\r\nHost: x\r\n"
BROKEN = {
    "no colon": LINE + b"Authorization Bearer " + TOKEN + b"\r\n\r\n",
    "no colon and no space": LINE + TOKEN + b"\r\n\r\n",
    "a space before the colon": LINE + b"Authorization : Bearer " + TOKEN + b"\r\n\r\n",
    "the token as the name": LINE + TOKEN + b"(: x\r\n\r\n",
    "a control character": LINE + b"Authorization: Bearer \x01" + TOKEN + b"\r\n\r\n",
    "a zero byte": LINE + b"Authorization: Bearer " + TOKEN + b"\x00\r\n\r\n",
    "a folded header": LINE + b"Authorization: Bearer\r\n " + TOKEN + b"\r\n\r\n",
    "a bare line feed": LINE + b"X: y\nAuthorization Bearer " + TOKEN + b"\r\n\r\n",
    "in the first line": b"GET /?token=" + TOKEN + b" FTP/1.1\r\n\r\n",
    "as the method": TOKEN + b" / HTTP/1.1\r\n\r\n",
    "as the method in capitals": TOKEN.upper() + b" / HTTP/1.1\r\n\r\n",
    "as the version": b"GET / HTTP/" + TOKEN + b"\r\n\r\n",
    "no request at all": b"Authorization: Bearer " + TOKEN + b"\r\n\r\n",
    "a length": LINE + b"Content-Length: " + TOKEN + b"\r\n\r\n",
    "two lengths": LINE + b"Content-Length: 1\r\nContent-Length: 2\r\nX: " + TOKEN + b"\r\n\r\n",
    "a transfer coding": LINE + b"Transfer-Encoding: " + TOKEN + b"\r\n\r\n",
    "an expectation": LINE + b"Expect: " + TOKEN + b"\r\n\r\n",
    "a long header": LINE + b"Authorization: Bearer " + TOKEN * 500 + b"\r\n\r\n",
    "a long first line": b"GET /?token=" + TOKEN * 500 + b" HTTP/1.1\r\n\r\n",
    "many headers": LINE + b"Authorization: Bearer " + TOKEN + b"\r\n" + b"X: y\r\n" * 500 + b"\r\n",
    "a head that ends too early": LINE + b"Authorization: Bearer " + TOKEN,
    "another protocol": b"\x16\x03\x01" + TOKEN,
    "a bad path": b"GET /\xff" + TOKEN + b" HTTP/1.1\r\n\r\n",
    "a bad chunk": LINE.replace(b"GET", b"POST") + b"Transfer-Encoding: chunked\r\n\r\n" + TOKEN + b"\r\n",
    "an odd query": b"GET /api/v1/matches?" + TOKEN + b"=1 HTTP/1.1\r\nHost: x\r\n\r\n",
}


@pytest.fixture(scope="module", params=["debug", "info"])
def web(
    request: pytest.FixtureRequest, server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[int, Path]]:
    """The port of a service that logs all that it ever logs, and the file with it."""
    folder = tmp_path_factory.mktemp("web")
    log = folder / "log"
    settings = {"FOLDTABLE_LIMITS": "on", "FOLDTABLE_LOG_LEVEL": request.param}
    with log.open("wb") as output, served(folder, server.url, output, **settings) as (port, _pids):
        yield port, log


def test_many_broken_requests_are_few_lines_of_the_log(web: tuple[int, Path]) -> None:
    port, log = web
    before = log.read_text().count("refused before they were parsed")
    started = time.monotonic()
    for _ in range(100):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as one:
            one.sendall(BROKEN["no colon"])
            while one.recv(65536):
                continue
    seconds = time.monotonic() - started
    lines = log.read_text().count("refused before they were parsed") - before
    assert lines <= 2 * (seconds + 2), "one a second of each of two processes"


@pytest.mark.parametrize("name", BROKEN)
def test_nothing_of_a_broken_request_is_sent_back_or_logged(web: tuple[int, Path], name: str) -> None:
    port, log = web
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=5, source_address=("127.0.0.2", 0)) as one:
        one.sendall(BROKEN[name])
        with suppress(OSError):
            one.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError):
            while part := one.recv(65536):
                answer += part
    assert answer[9:12] in (b"400", b"404", b"405", b""), answer
    time.sleep(0.05)
    for trace in (b"s3cr3t", b"abcdefghijkl"):
        assert trace not in answer.lower()
        assert trace not in log.read_bytes().lower()
