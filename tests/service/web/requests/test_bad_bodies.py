"""Bodies that cannot be read, at every POST: each is refused as what it is, at once, and changes nothing."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgpack
import pytest

from service.problems import ProblemError
from service.web.encoding import MAX_BYTES, parse_json, parse_msgpack
from tests.support.house import House
from tests.support.http import JSON, MSGPACK, Answer
from tests.support.scene import POSTS, Scene

each_post = pytest.mark.parametrize("name", POSTS)

UNREADABLE_JSON: dict[str, bytes] = {
    "an open brace": b"{",
    "a word": b"nonsense",
    "single quotes": b"{'a': 1}",
    "a trailing comma": b'{"a": 1,}',
    "a comment": b'{"a": 1} // one',
    "two values": b"{} {}",
    "blanks": b"   ",
    "no UTF-8": b'{"a": "\xff"}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
    "an encoded surrogate": b'{"a": "\xed\xa0\x80"}',
    "a lone surrogate": rb'{"name": "\ud800"}',
    "a lone surrogate in a key": rb'{"\udfff": 1}',
    "surrogates in the wrong order": rb'{"name": "\udc00\ud800"}',
    "NaN": b'{"a": NaN}',
    "Infinity": b'{"a": [Infinity]}',
    "-Infinity": b'{"a": -Infinity}',
    "a number that is infinite": b'{"a": 1e999}',
    "2^53": b'{"a": 9007199254740992}',
    "-2^53": b'{"a": -9007199254740992}',
    "an integer of 5,000 digits": b'{"a": ' + b"9" * 5000 + b"}",
    "a key twice": b'{"a": 1, "a": 1}',
    "a key twice further down": b'{"a": [{"b": 1, "b": 2}]}',
    "a key twice by escapes": rb'{"a": 1, "\u0061": 2}',
    "a raw line break in a string": b'{"a": "\n"}',
    "5,000 brackets": b"[" * 5000 + b"]" * 5000,
    "5,000 open brackets": b"[" * 5000,
    "5,000 objects": b'{"a":' * 5000 + b"1" + b"}" * 5000,
    "33 levels": b"[" * 33 + b"]" * 33,
    "brackets behind quotes": b'{"a": "' + b"\\\\" * 9 + b'", "b":' + b"[" * 40 + b"]" * 40 + b"}",
}

UNREADABLE_MSGPACK: dict[str, bytes] = {
    "bin": msgpack.packb({"name": b"Fay"}),
    "ext": msgpack.packb({"name": msgpack.ExtType(1, b"x" * 33)}),
    "a timestamp": msgpack.packb({"name": msgpack.Timestamp(1, 2)}),
    "a broken timestamp": b"\x81\xa1a\xc7\x05\xff12345",
    "a number as a key": msgpack.packb({1: 2}),
    "bin as a key": msgpack.packb({b"name": "Fay"}),
    "nil as a key": b"\x81\xc0\x01",
    "a list as a key": b"\x81\x91\x01\x01",
    "a map as a key": b"\x81\x80\x01",
    "a key twice": b"\x82\xa1a\x01\xa1a\x01",
    "trailing bytes": msgpack.packb({}) + b"\x00",
    "half a value": msgpack.packb({"name": "Fay"})[:-1],
    "an array of 2^32 items": b"\xdd\xff\xff\xff\xff",
    "a string of 2^32 bytes": b"\xdb\xff\xff\xff\xff",
    "the byte that is never used": b"\xc1",
    "no UTF-8": b"\x81\xa1a\xa1\xff",
    "an encoded surrogate": b"\x81\xa1a\xa3\xed\xa0\x80",
    "NaN": msgpack.packb({"a": float("nan")}),
    "infinity": msgpack.packb({"a": float("-inf")}),
    "2^53": msgpack.packb({"a": 2**53}),
    "2^64 - 1": msgpack.packb([2**64 - 1]),
    "-2^63": msgpack.packb([-(2**63)]),
    "5,000 arrays": b"\x91" * 5000 + b"\x00",
    "5,000 open arrays": b"\x91" * 5000,
    "5,000 maps": b"\x81\xa1a" * 5000 + b"\x00",
    "33 levels": b"\x91" * 32 + b"\x90",
}


@each_post
def test_what_the_other_tests_spoil_is_accepted_when_it_is_not_spoilt(small: House, name: str) -> None:
    scene = Scene.of(small)
    before = small.dump()
    scene.target(name).post().done()
    assert small.dump() != before


@each_post
@pytest.mark.parametrize("fault", UNREADABLE_JSON)
def test_unreadable_json_is_a_400(scene: Scene, name: str, fault: str) -> None:
    target, before = scene.target(name), scene.house.dump()
    target.raw(UNREADABLE_JSON[fault]).refused(400, "unreadable")
    assert scene.house.dump() == before


@each_post
@pytest.mark.parametrize("fault", UNREADABLE_MSGPACK)
def test_msgpack_beyond_the_model_of_json_is_a_400(scene: Scene, name: str, fault: str) -> None:
    target, before = scene.target(name), scene.house.dump()
    target.raw(UNREADABLE_MSGPACK[fault], MSGPACK).refused(400, "unreadable")
    assert scene.house.dump() == before


@each_post
@pytest.mark.parametrize("body", [[], [{}], "text", 1, 1.5, True, None], ids=repr)
@pytest.mark.parametrize(("pack", "kind"), [(json.dumps, JSON), (msgpack.packb, MSGPACK)], ids=["json", "msgpack"])
def test_a_body_that_is_no_object_is_a_422(
    scene: Scene, name: str, body: Any, pack: Callable[[Any], Any], kind: str
) -> None:
    target, before, packed = scene.target(name), scene.house.dump(), pack(body)
    target.raw(packed if isinstance(packed, bytes) else packed.encode(), kind).refused(422, "invalid")
    assert scene.house.dump() == before


@each_post
@pytest.mark.parametrize(
    "kind",
    [
        "",
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/jsonp",
        "*/*",
    ],
)
def test_a_body_of_another_type_is_a_415(scene: Scene, name: str, kind: str) -> None:
    target, before = scene.target(name), scene.house.dump()
    target.raw(json.dumps(target.body).encode(), kind).refused(415, "unsupported_type")
    assert scene.house.dump() == before


@each_post
def test_a_packed_body_is_a_415(scene: Scene, name: str) -> None:
    target, before = scene.target(name), scene.house.dump()
    for coding in ("gzip", "br", "identity, gzip"):
        target.player.ask(
            "POST", target.path, raw=b"{}", headers={"Content-Type": JSON, "Content-Encoding": coding}
        ).refused(415, "unsupported_type")
    assert scene.house.dump() == before


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "Application/JSON", 'application/json;x="y"'])
def test_parameters_and_letter_case_of_the_type_do_not_matter(scene: Scene, kind: str) -> None:
    scene.target("players").raw(json.dumps({"name": f"Fay {sum(map(ord, kind))}"}).encode(), kind).done()


def chunked(scene: Scene, name: str, raw: bytes) -> Answer:
    """Sent without a length, as WSGI servers hand over a chunked body."""
    target = scene.target(name)
    stream = {"CONTENT_LENGTH": "", "wsgi.input": io.BytesIO(raw), "wsgi.input_terminated": True}
    return target.player.ask("POST", target.path, headers={"Content-Type": JSON}, environment=stream)


@each_post
@pytest.mark.parametrize("length", [MAX_BYTES + 1, MAX_BYTES * 3])
def test_a_body_that_is_too_large_is_a_413_with_and_without_a_length(scene: Scene, name: str, length: int) -> None:
    target, before = scene.target(name), scene.house.dump()
    raw = json.dumps(target.body).encode().ljust(length)
    target.raw(raw).refused(413, "body_too_large")
    target.raw(raw, MSGPACK).refused(413, "body_too_large")
    chunked(scene, name, raw).refused(413, "body_too_large")
    assert scene.house.dump() == before


def test_a_body_as_large_as_may_be_is_read_with_and_without_a_length(scene: Scene) -> None:
    scene.target("players").raw(b'{"name": "Fay at length"}'.ljust(MAX_BYTES)).done()
    chunked(scene, "players", b'{"name": "Fay in chunks"}'.ljust(MAX_BYTES)).done()


def test_a_body_that_comes_in_pieces_is_read_whole(scene: Scene) -> None:
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(min(size or 3, 3))

    raw = b'{"name": "Fay in pieces"}'
    pieces = {"CONTENT_LENGTH": str(len(raw)), "wsgi.input": Slow(raw)}
    made = scene.house.web.ask("POST", "/players", headers={"Content-Type": JSON}, environment=pieces)
    assert made.done()["name"] == "Fay in pieces"


def test_a_body_that_ends_before_its_length_is_a_400(scene: Scene) -> None:
    target, before = scene.target("players"), scene.house.dump()
    cut = {"CONTENT_LENGTH": "40", "wsgi.input": io.BytesIO(b'{"name": "Fay"}')}
    headers = {"Content-Type": JSON}
    target.player.ask("POST", target.path, headers=headers, environment=cut).refused(400, "unreadable")
    assert scene.house.dump() == before


SLOW: dict[str, tuple[Callable[[bytes], Any], bytes]] = {
    "brackets": (parse_json, b"[" * 5000 + b"]" * 5000),
    "as many brackets as fit": (parse_json, b"[" * MAX_BYTES),
    "objects": (parse_json, b'{"":' * (MAX_BYTES // 4)),
    "quotes behind brackets": (parse_json, b"[" * 40 + b'"' * (MAX_BYTES - 40)),
    "backslashes behind brackets": (parse_json, b"[" * 40 + b'"' + b"\\" * (MAX_BYTES - 41)),
    "closing brackets": (parse_json, b"[" * 33 + b"]" * (MAX_BYTES - 33)),
    "digits": (parse_json, b"9" * MAX_BYTES),
    "digits of a fraction": (parse_json, b"0." + b"9" * (MAX_BYTES - 2)),
    "digits of an exponent": (parse_json, b"1e" + b"9" * (MAX_BYTES - 2)),
    "many keys": (parse_json, json.dumps({str(i): i for i in range(4000)}).encode()),
    "arrays of msgpack": (parse_msgpack, b"\x91" * 5000 + b"\x00"),
    "as many arrays of msgpack as fit": (parse_msgpack, b"\x91" * MAX_BYTES),
    "empty arrays of msgpack": (parse_msgpack, b"\xdd\x00\x00\xff\x00" + b"\x90" * 0xFF00),
}


@pytest.mark.parametrize("body", SLOW)
def test_no_body_takes_long_to_read(body: str) -> None:
    """5 KB far below 50 ms, and 64 KB in proportion; in time of the processor, which others on the machine do not use."""
    read, raw = SLOW[body]

    def seconds() -> float:
        start = time.thread_time()
        with suppress(ProblemError):
            read(raw)
        return time.thread_time() - start

    assert min(seconds() for _ in range(3)) < max(0.02, 0.2 * len(raw) / MAX_BYTES)
