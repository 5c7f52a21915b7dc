"""The description of the API (OpenAPI 3.1), derived: paths and schemas from the routes, moves and options from the games.

flask-smorest writes what the routes say; here it gets what belongs to all of them alike (media types, headers, the
token) and what belongs to each game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from domain import shape
from domain.game import AnyGame
from service.bodies import TYPES
from service.errors import CODES

Plain = dict[str, Any]

INTRODUCTION = """\
Play a match, step through its replay, take moves back, and verify its log.

Send `Authorization: Bearer <token>`; `POST /api/v1/players` gives you a token. Bodies are JSON, or msgpack of JSON's data
model. Every refusal is a problem (RFC 9457) with a stable `code`, and changes nothing."""

HEADERS: Mapping[str, str] = {
    "Idempotency-Key": "1 to 64 printable ASCII characters. The same key gives the same answer again, whatever happened "
    "since; with another command it is a `key_reused`.",
    "If-Match": 'The version that you know, as `"42"` or an ETag. If the match has moved on, a `stale_version`.',
    "Foldtable-Invite": "The invite of a private match.",
    "If-None-Match": "An ETag that was answered before: 304 if nothing has changed.",
}

IN_PLAIN_VIEW = ("games", "health", "problems", "keys")
"""The tags whose operations ask for no token and know none."""

ONLY_READING = ("/api/v1/matches/{match_id}/audit/explain",)
"""What is a POST because the question is long, and changes nothing."""

KEYLESS = ("/api/v1/players", "/api/v1/records", *ONLY_READING)
"""The POSTs that take no Idempotency-Key: a record brought in twice is the same record."""


def described(spec: Plain, games: Mapping[str, AnyGame]) -> Plain:
    """The whole document."""
    spec["info"]["description"] = INTRODUCTION
    schemas = spec["components"]["schemas"]
    spec["components"].pop("responses", None)
    schemas.pop("Error", None)
    spec["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for path, method, operation in _operations(spec):
        _complete(path, method, operation)
    _add_games(schemas, games)
    schemas["ProblemBody"]["properties"]["code"]["enum"] = sorted(CODES)
    return spec


def _operations(spec: Plain) -> Iterator[tuple[str, str, Plain]]:
    for path, item in spec["paths"].items():
        for method, operation in item.items():
            if method in ("get", "post", "delete"):
                yield path, method, operation


def _complete(path: str, method: str, operation: Plain) -> None:
    operation["operationId"] = _name(path, method)
    # flask-smorest's own errors, which this API does not answer.
    operation["responses"] = {status: kept for status, kept in operation["responses"].items() if "$ref" not in kept}
    if "requestBody" in operation:
        _in_both_types(operation["requestBody"])
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            _in_both_types(response)
    if operation["tags"][0] not in IN_PLAIN_VIEW and path != "/api/v1/players":
        operation["security"] = [{"token": []}] + ([{}] if method == "get" or path in ONLY_READING else [])
    operation["parameters"] = operation.get("parameters", []) + [
        _header(name) for name in _headers(path, method, operation)
    ]


def _name(path: str, method: str) -> str:
    words = re.sub(r"[^a-z_]+", "_", path.removeprefix("/api/v1").removeprefix("/api")).strip("_")
    return f"{method}_{words or 'root'}"


def _in_both_types(holder: Plain) -> None:
    content = holder.get("content", {})
    if TYPES[0] in content:
        content[TYPES[1]] = {"schema": content[TYPES[0]]["schema"]}


def _headers(path: str, method: str, operation: Plain) -> Iterator[str]:
    if "{match_id}" in path:
        yield "Foldtable-Invite"
    if method == "get":
        if "304" in operation["responses"]:
            yield "If-None-Match"
    elif path not in KEYLESS:
        yield "Idempotency-Key"
        if "{match_id}" in path:
            yield "If-Match"


def _header(name: str) -> Plain:
    return {"in": "header", "name": name, "description": HEADERS[name], "schema": {"type": "string"}}


def _add_games(schemas: Plain, games: Mapping[str, AnyGame]) -> None:
    """A schema for each game's moves and options, and for the fields that take them."""
    for game in games.values():
        schemas[f"Move.{game.id}"] = {
            "oneOf": [move_schema(name, cls) for name, cls in game.moves.items()],
            "description": f"A move of {game.name}.",
        }
        schemas[f"Options.{game.id}"] = shape.schema(game.options)
    move = schemas["MakeMove"]["properties"]["move"]
    move["anyOf"] = [{"$ref": f"#/components/schemas/Move.{game_id}"} for game_id in games]
    options = schemas["NewMatch"]["properties"]["options"]
    options["anyOf"] = [{"$ref": f"#/components/schemas/Options.{game_id}"} for game_id in games]
    schemas["NewMatch"]["properties"]["game"]["enum"] = list(games)


def move_schema(name: str, cls: type) -> Plain:
    """JSON Schema of a move object: its fields and its ``type``."""
    made = shape.schema(cls)
    made["properties"] = {"type": {"const": name}} | made["properties"]
    return made | {"required": ["type", *made.get("required", [])]}


def problem_page(code: str) -> Plain:
    """What ``type`` of a problem leads to."""
    status, title = CODES[code]
    return {"type": f"/api/problems/{code}", "code": code, "status": status, "title": title}
