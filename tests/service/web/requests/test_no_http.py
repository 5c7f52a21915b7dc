"""What the server refuses before it is a request: a problem all the same, and the server lives on."""

from __future__ import annotations

import json
import socket

import pytest

from tests.support.supervised import address, fetched

__all__ = ["address"]

UNREADABLE = {
    "a long first line": b"GET /api/v1/matches?x=" + b"1" * 10_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a long path": b"GET /" + b"x" * 10_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a long header": b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: x\r\n" * 1000 + b"\r\n",
    "no version": b"GET /\r\n\r\n",
    "an unknown version": b"GET / HTTP/9.9\r\n\r\n",
    "a broken header": b"GET / HTTP/1.1\r\nHo st: x\r\n\r\n",
    "markup": b"<script> / HTTP/1.1\r\n\r\n",
    "an unknown coding": b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: x\r\n\r\n",
    "a wrong length": b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "two lengths": b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n..",
}

_CHUNKED = (
    b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
)
UNREADABLE_BODIES = {
    "a size that is none": _CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n",
    "a negative size": _CHUNKED + b"-2\r\n{}\r\n0\r\n\r\n",
    "a chunk without its end": _CHUNKED + b"2\r\n{}zz\r\n0\r\n\r\n",
    "a long size": _CHUNKED + b"0" * 20_000 + b"2\r\n{}\r\n0\r\n\r\n",
    "a broken trailer": _CHUNKED + b"2\r\n{}\r\n0\r\nTra iler\r\n\r\n",
}


@pytest.mark.parametrize("name", UNREADABLE_BODIES)
def test_chunks_that_are_none_are_refused_as_a_problem(address: str, name: str) -> None:
    head, body = sent(address, UNREADABLE_BODIES[name])
    assert head.startswith("HTTP/1.1 400 ")
    told = json.loads(body)
    assert (told["status"], told["code"]) == (400, "unreadable")
    assert fetched(f"{address}/healthz")


def test_a_chunked_body_is_read(address: str) -> None:
    head, body = sent(address, _CHUNKED + b'9\r\n{"name": \r\n6\r\n"Ann"}\r\n0\r\n\r\n')
    assert head.startswith("HTTP/1.1 201 ")
    assert json.loads(body)["name"] == "Ann"


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_request_is_refused_as_a_problem(address: str, name: str) -> None:
    head, body = sent(address, UNREADABLE[name])
    assert head.startswith("HTTP/1.1 400 Bad Request\r\n")
    assert "\r\nContent-Type: application/problem+json\r\n" in head
    told = json.loads(body)
    assert (told["status"], told["code"]) == (400, "unreadable")
    assert len(body) < 500
    assert fetched(f"{address}/healthz")


def sent(address: str, raw: bytes) -> tuple[str, bytes]:
    """Head and body of what comes back until the connection ends."""
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(raw)
        answer = b""
        try:
            while part := connection.recv(65536):
                answer += part
        except ConnectionResetError:
            # What it had not read by then.
            pass
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.decode() + "\r\n", body
