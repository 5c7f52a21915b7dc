"""Reading and writing bodies: JSON, or msgpack with JSON's data model.

A request body is read here before any schema sees it: type, size, depth, valid UTF-8, no NaN, no lone surrogates, no repeated
keys, integers below 2^53. So everything after this module is plain JSON data of bounded size. Flask's own reading, which
flask-smorest uses, knows no msgpack and lets NaN, lone surrogates, repeated keys and huge integers through: such a value
would end as status 500 somewhere later, or be stored for ever.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgpack
import orjson
from flask import Response, request
from werkzeug.datastructures import Headers, MIMEAccept

from service.problems import ProblemError
from service.web.bodies.body import Body, plain

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

JSON_TYPE = "application/json"
MSGPACK_TYPE = "application/msgpack"
TYPES = (JSON_TYPE, MSGPACK_TYPE)

HARDENING = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
"""Headers of every response: a browser takes it for nothing but what its type says, and runs nothing that it may contain."""

MAX_BYTES = 64 * 1024
MAX_DEPTH = 32
"""Deeper than any body of this API, and far from Python's limit of recursion."""
MAX_INT = 2**53 - 1
"""The largest integer that every JSON reader keeps exactly (RFC 8259 §6)."""

# Finds brackets outside of strings. Linear for any text: the possessive ``*+`` never gives characters back, and an unclosed
# string runs to the end, so the search never starts again inside of it.
_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)


# -- reading ----------------------------------------------------------------------------------------------------------


def read_body(environ: dict[str, Any], max_bytes: int = MAX_BYTES) -> Any:
    """Returns the body of a WSGI request as plain data; ``{}`` if it is empty. Raises ``ProblemError`` (400, 408, 413, 415)."""
    raw = raw_body(environ, max_bytes)
    if not raw:
        return {}
    return parse_json(raw) if sent_type(environ) == JSON_TYPE else parse_msgpack(raw)


def sent_type(environ: dict[str, Any]) -> str:
    """Returns the type of the body, one of ``TYPES``. Raises ``ProblemError`` (415)."""
    kind: str = environ.get("CONTENT_TYPE", "")
    if kind not in TYPES:
        kind = kind.partition(";")[0].strip().lower()
    if kind not in TYPES:
        raise ProblemError("unsupported_type", f"Send {JSON_TYPE} or {MSGPACK_TYPE}.")
    return kind


def raw_body(environ: dict[str, Any], max_bytes: int = MAX_BYTES) -> bytes:
    """Returns the bytes of the body. Raises ``ProblemError`` (400, 408, 413, 415). Never reads more than ``max_bytes`` + 1."""
    if environ.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        raise ProblemError("unsupported_type", "Send the body without a content encoding.")
    length = environ.get("CONTENT_LENGTH", "")
    if length.isascii() and length.isdigit():
        if len(length) > 9 or int(length) > max_bytes:
            raise _too_large(max_bytes)
        return _read(environ["wsgi.input"], int(length), whole=True)
    if not environ.get("wsgi.input_terminated"):
        return b""
    # A chunked body: the server finds its end.
    raw = _read(environ["wsgi.input"], max_bytes + 1, whole=False)
    if len(raw) > max_bytes:
        raise _too_large(max_bytes)
    return raw


def _read(stream: Any, length: int, *, whole: bool) -> bytes:
    """Reads ``length`` bytes, or at most as many unless ``whole``. Raises ``ProblemError`` (400, 408)."""
    # In a loop, because a stream may return less at a time than is asked for.
    try:
        raw: bytes = stream.read(length)
        while raw and len(raw) < length and (part := stream.read(length - len(raw))):
            raw += part
    except TimeoutError as fault:
        raise ProblemError("body_too_slow", "Send the whole body at once.") from fault
    except Exception as fault:  # Each server has errors of its own for broken chunks and for lost connections.
        raise ProblemError("unreadable", "The body cannot be read to its end.") from fault
    if whole and len(raw) < length:
        raise ProblemError("unreadable", "The body is shorter than its Content-Length says.")
    return raw


def _too_large(max_bytes: int) -> ProblemError:
    return ProblemError("body_too_large", f"A body has at most {max_bytes} bytes.")


def parse_json(raw: bytes) -> Any:
    """Parses JSON text into plain data. Raises ``ProblemError`` (400). Linear in its length."""
    # Measured before parsing: the parser uses a stack frame for each level, and 64 KiB have room for 65,000 of them.
    if _depth(raw) > MAX_DEPTH:
        raise _too_deep()
    try:
        # Not orjson, which keeps the last of repeated keys without a word: two readers of one body could then disagree.
        made = json.loads(raw.decode("utf-8"), object_pairs_hook=_unrepeated, parse_constant=_no_constant)
    except (ValueError, RecursionError) as fault:
        raise ProblemError("unreadable", "The body is not valid JSON in UTF-8.") from fault
    return _checked(made, 0)


def _depth(raw: bytes) -> int:
    if raw.count(b"[") + raw.count(b"{") <= MAX_DEPTH:
        return 0
    depth = deepest = 0
    for found in _BRACKETS.finditer(raw):
        mark = found.group()
        if mark in (b"[", b"{"):
            depth += 1
            deepest = max(deepest, depth)
        elif mark in (b"]", b"}"):
            depth -= 1
    return deepest


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ProblemError("unreadable", "An object has the same key twice.")
    return made


def _no_constant(name: str) -> Any:
    raise ProblemError("unreadable", f"{name} is not a number in JSON.")


def parse_msgpack(raw: bytes) -> Any:
    """Parses msgpack into plain data of JSON's model. Raises ``ProblemError`` (400). Linear in its length."""
    try:
        made = msgpack.unpackb(raw, strict_map_key=True, ext_hook=_no_extension, object_pairs_hook=_unrepeated)
    except (ValueError, RecursionError) as fault:
        raise ProblemError("unreadable", "The body is not valid msgpack of JSON's data model.") from fault
    return _checked(made, 0)


def _no_extension(code: int, _data: bytes) -> Any:
    raise ValueError(f"extension type {code}")


def _too_deep() -> ProblemError:
    return ProblemError("unreadable", f"The body is nested deeper than {MAX_DEPTH}.")


def _checked(value: Any, depth: int) -> Any:
    """Returns the value if it is JSON data within bounds at every level. Raises ``ProblemError`` (400)."""
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, int):
        if not -MAX_INT <= value <= MAX_INT:
            raise ProblemError("unreadable", "An integer is not between -2^53 and 2^53.")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise ProblemError("unreadable", "A number is not finite.")
    elif depth >= MAX_DEPTH:
        raise _too_deep()
    elif isinstance(value, list):
        for item in value:
            _checked(item, depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ProblemError("unreadable", "The keys of an object must be strings.")
            _check_text(key)
            _checked(item, depth + 1)
    else:
        raise ProblemError("unreadable", "The body has a value of a type that JSON does not have.")
    return value


def _check_text(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as fault:
        raise ProblemError("unreadable", "A string has half of a surrogate pair.") from fault


# -- addresses --------------------------------------------------------------------------------------------------------


def address(path: str) -> str:
    """Returns the address of a path of this service as the client sees it: below the path at which a proxy mounts it."""
    prefix: str = request.environ.get("SCRIPT_NAME", "").rstrip("/")
    return prefix + path


# -- writing ----------------------------------------------------------------------------------------------------------


def accepted(kinds: tuple[str, ...] = TYPES) -> str:
    """Returns the media type for the response, one of ``kinds``; the first is the default. Raises ``ProblemError`` (406)."""
    header = request.environ.get("HTTP_ACCEPT")
    if not header or header in ("*/*", kinds[0]):
        return kinds[0]
    # Without parameters such as ``charset``: no media type here has any, and a client that sends one means the type.
    asked = [(kind.partition(";")[0].strip(), quality) for kind, quality in request.accept_mimetypes]
    # A header of nothing but commas lists nothing, and empty elements of a list do not count (RFC 9110 §5.6.1).
    best = MIMEAccept(asked).best_match(kinds) if asked else kinds[0]
    if best is None:
        raise ProblemError("not_acceptable", f"Accept {' or '.join(kinds)}.")
    return best


def encoded(body: Body | dict[str, Any], kind: str) -> bytes:
    """Serializes a response body. ``kind`` is one of ``TYPES``."""
    data = plain(body) if isinstance(body, Body) else body
    if kind == MSGPACK_TYPE:
        packed: bytes = msgpack.packb(data)
        return packed
    return orjson.dumps(data)


class Answer(Response):
    """A response whose headers are complete."""

    def get_wsgi_headers(self, environ: WSGIEnvironment) -> Headers:
        # Werkzeug would copy the headers and go through all of them to complete what ``respond`` has set already.
        return self.headers


def respond(body: Body | dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Responds with the body in the accepted type. No shared cache may keep it. Raises ``ProblemError`` (406)."""
    kind = accepted()
    data = encoded(body, kind)
    described = {
        "Content-Type": kind,
        "Content-Length": str(len(data)),
        "Vary": "Authorization, Accept",
        "Cache-Control": "private, no-cache",
    }
    # A list, because for bare bytes Werkzeug would set the length once more.
    return Answer([data], status, described | headers if headers else described)


def respond_made(tag: str, make: Callable[[], bytes]) -> Response:
    """Responds with the bytes that ``make`` returns, in the accepted type; with 304, and nothing made, if the client has them.

    ``tag`` must be another one for other bytes, and reveal nothing that they do not.
    """
    described = {"ETag": f'"{tag}"', "Vary": "Authorization, Accept", "Cache-Control": "private, no-cache"}
    if request.if_none_match.contains_weak(tag) or request.if_none_match.star_tag:
        return Response(status=304, headers=described)
    kind, data = accepted(), make()
    return Answer([data], 200, described | {"Content-Type": kind, "Content-Length": str(len(data))})


def respond_versioned(body: Body | dict[str, Any], version: int) -> Response:
    """Responds with an ``ETag`` of version and body; with 304 if the client has it already (RFC 9110 §13.1.2)."""
    # The hash is of the body as this viewer sees it: a tag of anything else could reveal a change that it may not know of.
    made = respond(body)
    digest = hashlib.sha256(made.get_data()).hexdigest()[:16]
    made.set_etag(f"{version}-{digest}")
    if request.if_none_match.contains_weak(f"{version}-{digest}") or request.if_none_match.star_tag:
        kept = {name: made.headers[name] for name in ("ETag", "Vary", "Cache-Control")}
        return Response(status=304, headers=kept)
    return made
