"""The description of the API (OpenAPI 3.1), derived: paths and schemas from the routes, moves and options from the games.

flask-smorest describes each route. This module adds what all routes share (media types, headers, the token, problems),
what belongs to each game, and the examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from domain import validation
from domain.game import AnyGame
from service.problems import CODES, PROBLEM_TYPE
from service.web.encoding import TYPES
from service.web.examples import Examples, Operation

Plain = dict[str, Any]

INTRODUCTION = """\
Play a match, step through its replay, undo moves, and verify its log.

* **Token**: send `Authorization: Bearer <token>`. `POST /api/v1/players` returns a token. Without a token you are a
  spectator, and some operations answer 401.
* **Bodies** are JSON, or msgpack with the data model of JSON, as `Content-Type` and `Accept` say. A request body has at most
  64 KiB (a record 8 MiB), at most 32 levels of nesting, and integers between -2^53 and 2^53.
* **Refusals** are problems (RFC 9457): always `application/problem+json`, with a stable `code`. They change nothing. An
  unknown path is a `not_found`. A method that a path does not have is a `method_not_allowed`, with the header `Allow`. A
  request that is not HTTP, or has a first line of more than 4094 bytes, is an `unreadable`, and the connection ends.
* **Limits**: `rate_limited`, `too_many_streams` and `busy` have status 429 and a `Retry-After` in seconds. Under a token
  your account counts, without one your address (IPv6: its /64). An address has a bounded number of connections; one too many
  gets a `too_many_connections` and is closed. Send a request without pauses: a head or body that takes longer than about 10
  seconds ends the connection.
* **HEAD** responds like GET, without the body. **OPTIONS** responds with `Allow`. A slash at the end of a path makes no
  difference. A doubled slash inside a path does.
* **Queries**: an unknown or repeated parameter is an `unreadable`.
* **Examples** are real responses of this service. Long lists are cut short."""

HEADERS: Mapping[str, tuple[str, Plain]] = {
    "Idempotency-Key": (
        "1 to 64 printable ASCII characters. The same key with the same command returns the same response, whatever "
        "happened since, as long as it is among your last 1,024 commands at the match. With another command it is a "
        "`key_reused`.",
        {"type": "string", "pattern": "^[!-~]([ -~]{0,62}[!-~])?$"},
    ),
    "If-Match": (
        'The version that you know, as `"42"` or an ETag. If the match is at another version: `stale_version`.',
        {"type": "string", "pattern": r'^(\*|(W/)?"[0-9]{1,15}(-[0-9a-f]*)?")$'},
    ),
    "Foldtable-Invite": ("The invite of a private match.", {"type": "string"}),
    "Last-Event-ID": (
        "The `id` of the last event that you have. The stream goes on after it.",
        {"type": "string", "pattern": "^[0-9]{1,100}(-[0-9a-f]{8})?$"},
    ),
    "If-None-Match": ("An ETag of an earlier response: 304 if nothing has changed.", {"type": "string"}),
    "ETag": (
        "Names version and content. For If-None-Match, and for If-Match, which looks at the version only.",
        {"type": "string"},
    ),
    "Location": ("The address of the new version or record.", {"type": "string", "format": "uri-reference"}),
    "Vary": ("The request headers that the response depends on.", {"const": "Authorization, Accept"}),
    "Retry-After": ("Seconds to wait before the next try.", {"type": "integer", "minimum": 1}),
    "WWW-Authenticate": ("The way to authenticate.", {"const": "Bearer"}),
}

PUBLIC_TAGS = ("games", "health", "keys", "problems")
"""Tags of operations that use no token."""

OPERATORS = ("/metrics",)
"""Operations that need the operator's token."""

READING_POSTS = ("/api/v1/matches/{match_id}/audit/explain", "/api/v1/receipts/check")
"""Operations that change nothing and are a POST only because their question is long."""

TOKENLESS = ("/api/v1/players", "/api/v1/recovery")
"""Operations that return a token and need none."""

OWN_ACCOUNT = "/api/v1/players/me"

KEYLESS = (*TOKENLESS, "/api/v1/records", *READING_POSTS)
"""Operations without an Idempotency-Key, besides those on accounts: a record imported twice is the same record."""

SUCCESSES = {"200": "OK.", "201": "Done.", "202": "Accepted: other seats are asked to agree."}


def described(spec: Plain, games: Mapping[str, AnyGame], examples: Examples) -> Plain:
    """Completes the document that flask-smorest has made."""
    spec["info"]["description"] = INTRODUCTION
    components = spec["components"]
    schemas = components["schemas"]
    for unused in ("Error", "PaginationMetadata"):
        schemas.pop(unused, None)
    components.pop("responses", None)
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "A token of an account."},
        "operator": {"type": "http", "scheme": "bearer", "description": "The operator's token."},
    }
    components["examples"] = {code: {"value": body} for code, body in examples.problems.items()}
    variables = _variables(games, examples)
    for path, item in spec["paths"].items():
        for parameter in item.get("parameters", ()):
            parameter |= variables[parameter["name"]]
        for method, operation in _operations(item):
            _complete(path, method, operation)
            _exemplify(operation, examples, f"{method} {path}")
    _add_games(schemas, games)
    _add_links(spec["paths"])
    return spec


def _operations(item: Plain) -> Iterator[tuple[str, Plain]]:
    for method in ("get", "post", "patch", "delete"):
        if method in item:
            yield method, item[method]


def _variables(games: Mapping[str, AnyGame], examples: Examples) -> Mapping[str, Plain]:
    """Returns descriptions and schemas of the path variables."""
    number = {"type": "integer", "minimum": 0}
    made: dict[str, Plain] = {
        "game_id": {"description": "A game of the catalogue.", "schema": {"type": "string", "enum": list(games)}},
        "match_id": {
            "description": "The `match_id` of the response that opened the match.",
            "schema": {"type": "string", "pattern": "^[0-9a-f]{2}[a-z2-7]{14}$"},
        },
        "dispute": {"description": "The number of a dispute, from 1.", "schema": number | {"minimum": 1}},
        "record_id": {
            "description": "The `record_id` of the response that imported the record.",
            "schema": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        },
        "seat": {"description": "The number of a seat, from 0.", "schema": number},
        "version": {"description": "The number of a commit, from 1.", "schema": number | {"minimum": 1}},
        "player_id": {"description": "The id of a player.", "schema": {"type": "string", "pattern": "^[a-z2-7]{16}$"}},
        "token_id": {
            "description": "The id of one of your tokens, as `GET /api/v1/players/me/tokens` lists it.",
            "schema": {"type": "string", "pattern": "^[0-9a-f]{8}$"},
        },
        "code": {"description": "The code of a problem.", "schema": {"type": "string", "enum": list(CODES)}},
    }
    for name, place in examples.places.items():
        made[name]["example"] = int(place) if made[name]["schema"]["type"] == "integer" else place
    return made


# -- one operation ----------------------------------------------------------------------------------------------------


def _complete(path: str, method: str, operation: Plain) -> None:
    operation["operationId"] = _name(path, method)
    summary, *more = operation["summary"].split(". ", 1)
    # OpenAPI shows a summary as plain text, a description as Markdown.
    operation["summary"] = re.sub("`+(.*?)`+", r"“\1”", summary).removesuffix(".")
    if more:
        operation["description"] = more[0].replace("``", "`")
    # Leaves out the error responses that flask-smorest adds by itself: this API has its own.
    operation["responses"] = {
        status: kept for status, kept in sorted(operation["responses"].items()) if "$ref" not in kept
    }
    if "requestBody" in operation:
        _in_both_types(operation["requestBody"])
    for status, response in operation["responses"].items():
        response["description"] = SUCCESSES.get(status, response["description"])
        if status in SUCCESSES:
            _in_both_types(response)
        response["headers"] = {name: _about(name) for name in _answered_headers(status, operation)}
    if path in OPERATORS:
        operation["security"] = [{"operator": []}]
    elif operation["tags"][0] not in PUBLIC_TAGS and path not in TOKENLESS:
        operation["security"] = [{"token": []}] + ([] if _needs_token(path, method, operation) else [{}])
    operation["parameters"] = operation.get("parameters", []) + [
        {"in": "header", "name": name} | _about(name) for name in _headers(path, method, operation)
    ]


def _name(path: str, method: str) -> str:
    words = re.sub(r"[^a-z_]+", "_", path.removeprefix("/api/v1").removeprefix("/api")).strip("_")
    return f"{method}_{words or 'root'}"


def _in_both_types(holder: Plain) -> None:
    content = holder.get("content", {})
    if TYPES[0] in content:
        content[TYPES[1]] = {"schema": content[TYPES[0]]["schema"]}


def _needs_token(path: str, method: str, operation: Plain) -> bool:
    """Returns whether only players may call it: it changes something, needs a seat, or is about the own account."""
    if path in READING_POSTS:
        return False
    asks_for_a_seat = "not_seated" in _codes(operation["responses"].get("403", {}))
    return method != "get" or asks_for_a_seat or path.startswith(OWN_ACCOUNT)


def _codes(response: Plain) -> list[str]:
    codes: list[str] = response.get("x-codes", [])
    return codes


def _headers(path: str, method: str, operation: Plain) -> Iterator[str]:
    if "{match_id}" in path:
        yield "Foldtable-Invite"
    if method == "get":
        if "304" in operation["responses"]:
            yield "If-None-Match"
        if path.endswith("/stream"):
            yield "Last-Event-ID"
    elif path not in KEYLESS and not path.startswith(OWN_ACCOUNT):
        yield "Idempotency-Key"
        if "{match_id}" in path:
            yield "If-Match"


def _answered_headers(status: str, operation: Plain) -> Iterator[str]:
    if status in (*SUCCESSES, "304"):
        yield "Vary"
        if "304" in operation["responses"]:
            yield "ETag"
    if status in ("201", "202") and "401" in operation["responses"] and operation["tags"][0] != "players":
        yield "Location"
    if status == "401":
        yield "WWW-Authenticate"
    if status in ("429", "503"):
        yield "Retry-After"


def _about(name: str) -> Plain:
    description, schema = HEADERS[name]
    return {"description": description, "schema": schema}


def _exemplify(operation: Plain, examples: Examples, key: Operation) -> None:
    sent = examples.sent.get(key)
    if sent and "requestBody" in operation:
        operation["requestBody"]["content"][TYPES[0]]["examples"] = _named(sent)
    for status, response in operation["responses"].items():
        if codes := _codes(response):
            found = {code: {"$ref": f"#/components/examples/{code}"} for code in codes}
            response["content"][PROBLEM_TYPE]["examples"] = found
        elif answered := examples.answered.get(key, {}).get(status):
            response["content"][TYPES[0]]["examples"] = _named(answered)


def _named(bodies: Mapping[str, Plain]) -> Plain:
    return {name: {"value": body} for name, body in bodies.items()}


# -- links ------------------------------------------------------------------------------------------------------------


def _add_links(paths: Plain) -> None:
    """Adds links from a new match to all its operations, and from listed moves to making the first of them."""
    opened = paths["/api/v1/matches"]["post"]["responses"]["201"]["links"] = {}
    for path, item in paths.items():
        if "{match_id}" in path:
            for _method, operation in _operations(item):
                opened[operation["operationId"]] = _link(operation, "$response.body#/match_id")
    here = paths["/api/v1/matches/{match_id}/moves"]
    move = _link(here["post"], "$request.path.match_id") | {"requestBody": {"move": "{$response.body#/moves/0}"}}
    here["get"]["responses"]["200"]["links"] = {"make_the_first_of_them": move}


def _link(operation: Plain, match: str) -> Plain:
    return {"operationId": operation["operationId"], "parameters": {"match_id": match}}


# -- games ------------------------------------------------------------------------------------------------------------


def _add_games(schemas: Plain, games: Mapping[str, AnyGame]) -> None:
    """Adds schemas of each game's moves and options, and refers to them in the fields that take these."""
    for game in games.values():
        schemas[f"Move.{game.id}"] = {
            "oneOf": [validation.tagged_schema(name, cls) for name, cls in game.moves.items()],
            "description": f"A move of {game.name}.",
        }
        schemas[f"Options.{game.id}"] = validation.schema(game.options)
    move = schemas["MakeMove"]["properties"]["move"]
    move["anyOf"] = [{"$ref": f"#/components/schemas/Move.{game_id}"} for game_id in games]
    schemas["NewMatch"]["properties"]["game"]["enum"] = list(games)
    schemas["NewMatch"]["oneOf"] = [_opening(game) for game in games.values()]


def _opening(game: AnyGame) -> Plain:
    """Returns the schema of a new match of this game."""
    seats = {"minimum": game.seats[0], "maximum": game.seats[-1]}
    options = {"$ref": f"#/components/schemas/Options.{game.id}"}
    return {"title": game.name, "properties": {"game": {"const": game.id}, "seats": seats, "options": options}}
