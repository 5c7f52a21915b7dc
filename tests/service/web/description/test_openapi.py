"""The OpenAPI document: complete, sound, and true. That each answer is as documented is asked of every test's answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from service.problems import CODES
from tests.support.documented import TYPES, document, documented, resolved
from tests.support.house import House, catalogue
from tests.support.http import JSON, MSGPACK, PROBLEM, Answer

METHODS = {"get", "post", "delete", "put", "patch", "head", "options", "trace"}
KEYWORDS = {"$ref", "type", "format", "enum", "items", "properties", "required", "additionalProperties", "anyOf"}
KEYWORDS |= {
    "oneOf",
    "allOf",
    "description",
    "default",
    "examples",
    "minimum",
    "maximum",
    "pattern",
    "nullable",
    "const",
}
KEYWORDS |= {"minLength", "maxLength", "minItems", "maxItems", "readOnly", "examples", "prefixItems", "title"}


EVENTS, TEXT = "text/event-stream", "text/plain"


def operations() -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, item in document()["paths"].items():
        for method, operation in item.items():
            if method in METHODS:
                yield method, path, operation


def schemas(node: Any) -> Iterator[Mapping[str, Any]]:
    """All schemas below a place of the document."""
    if isinstance(node, Mapping):
        if "schema" in node:
            yield from within(node["schema"])
        for item in node.values():
            yield from schemas(item)
    elif isinstance(node, list):
        for item in node:
            yield from schemas(item)


def within(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield schema
    parts = [
        *schema.get("properties", {}).values(),
        *(schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf") or ()),
    ]
    parts += schema.get("prefixItems", [])
    for part in parts + [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]:
        yield from within(part)


def all_schemas() -> list[Mapping[str, Any]]:
    named = document()["components"]["schemas"].values()
    return [*schemas(document()["paths"]), *(part for schema in named for part in within(schema))]


def test_the_document_has_the_form_of_openapi_3_1() -> None:
    made = document()
    assert made["openapi"] == "3.1.0"
    assert made["info"].items() >= {"title": "Foldtable", "version": "v1"}.items()
    assert made.keys() <= {"openapi", "info", "paths", "components", "tags", "servers"}
    assert all(path.startswith("/") for path in made["paths"])


def test_every_reference_leads_somewhere() -> None:
    def references(node: Any) -> Iterator[str]:
        if isinstance(node, Mapping):
            if isinstance(node.get("$ref"), str):
                yield node["$ref"]
            for item in node.values():
                yield from references(item)
        elif isinstance(node, list):
            for item in node:
                yield from references(item)

    found = set(references(document()))
    assert found
    for reference in found:
        assert isinstance(resolved({"$ref": reference}), Mapping)


def test_every_schema_uses_words_of_json_schema_only() -> None:
    assert len(all_schemas()) > 50
    for schema in all_schemas():
        assert schema.keys() <= KEYWORDS, schema
        kinds = schema.get("type", [])
        for kind in [kinds] if isinstance(kinds, str) else kinds:
            assert kind in TYPES
        assert set(schema.get("required", ())) <= set(schema.get("properties", ()))


def test_every_operation_is_summed_up_and_has_its_parameters() -> None:
    for method, path, operation in operations():
        assert operation["summary"], f"{method} {path}"
        item = document()["paths"][path]
        named = [resolved(p) for p in [*item.get("parameters", ()), *operation.get("parameters", ())]]
        in_path = {parameter["name"] for parameter in named if parameter["in"] == "path"}
        assert in_path == set(re.findall(r"\{([^}]*)\}", path))
        assert all(parameter["required"] for parameter in named if parameter["in"] == "path")
        assert ("requestBody" in operation) == (method == "post")
        assert set(operation.get("requestBody", {}).get("content", (JSON, MSGPACK))) == {JSON, MSGPACK}


def test_every_query_parameter_that_is_read_is_described(small: House) -> None:
    described = {
        re.sub(r"\{[^}]*\}", "{}", path): {
            named["name"] for named in map(resolved, operation.get("parameters", ())) if named["in"] == "query"
        }
        for method, path, operation in operations()
        if method == "get"
    }
    read = {
        re.sub(r"<[^>]*>", "{}", rule.rule): set(getattr(small.app.view_functions[rule.endpoint], "takes_query", ()))
        for rule in small.app.url_map.iter_rules()
        if "GET" in (rule.methods or ())
    }
    assert sum(map(len, read.values())) > 20
    assert {path: read[path] for path in described} == described


def test_every_response_is_described_with_its_type() -> None:
    for method, path, operation in operations():
        for status, response in operation["responses"].items():
            told = resolved(response)
            assert re.fullmatch(r"[2-5]\d\d", status), f"{method} {path}: {status}"
            assert told["description"]
            if status.startswith("2"):
                other = EVENTS if path.endswith("/stream") else TEXT if path == "/metrics" else None
                assert set(told["content"]) in ([{other}] if other else [{JSON}, {JSON, MSGPACK}])
            elif status != "304":
                assert set(told["content"]) == {PROBLEM}
                for code in re.findall(r"`(\w+)`", told["description"]):
                    assert CODES[code][0] == int(status)


def test_every_code_of_a_problem_is_documented_somewhere() -> None:
    told = " ".join(resolved(r)["description"] for _m, _p, op in operations() for r in op["responses"].values())
    undocumented = {code for code in CODES if f"`{code}`" not in told}
    # A wrong method is no operation, and neither is a connection.
    assert undocumented == {"method_not_allowed", "too_many_connections"}


def test_every_route_of_the_app_is_documented(small: House) -> None:
    rules = {
        (method.lower(), re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in small.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if not rule.rule.startswith(("/api/openapi", "/api/docs"))
    }
    assert rules == {(method, path) for method, path, _operation in operations()}


def test_the_schemas_of_options_and_moves_are_json_schema(quiet: House) -> None:
    for game in catalogue():
        page = quiet.web.get(f"/games/{game}").shown()
        for schema in (page["options"], *page["moves"].values()):
            for part in within(schema):
                assert part.keys() <= KEYWORDS
        assert all(schema["properties"]["type"] == {"const": name} for name, schema in page["moves"].items())


def test_listed_moves_are_as_the_catalogue_says(small: House) -> None:
    for game in catalogue():
        table = small.table(game)
        known = small.web.get(f"/games/{game}").shown()["moves"]
        while table.last["status"] == "live" and table.version < 12:
            for move in table.listed(table.to_move[0]):
                schema = known[move["type"]]
                assert set(schema["required"]) <= move.keys() <= schema["properties"].keys()
                for name, value in move.items():
                    allowed = schema["properties"][name]
                    assert value in allowed.get("enum", [value])
            table.move()


WRONG: list[tuple[str, int, Any]] = [
    ("/api/v1/games", 404, {}),
    ("/api/v1/games", 200, {}),
    ("/api/v1/games", 200, {"games": 1}),
    ("/api/v1/games", 200, {"games": [], "more": 1}),
    ("/api/v1/games", 200, {"games": [{"game": True, "name": "", "version": 1, "seats": {}, "options": {}}]}),
    ("/healthz", 200, {"status": None}),
]


@pytest.mark.parametrize(("path", "status", "body"), WRONG, ids=str)
def test_an_answer_that_is_not_as_documented_would_be_noticed(path: str, status: int, body: Any) -> None:

    answer = Answer("GET", path, status, {"Content-Type": "application/json"}, json.dumps(body).encode())
    with pytest.raises(AssertionError):
        documented(answer)
