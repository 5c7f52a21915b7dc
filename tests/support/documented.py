"""Holds every answer against the OpenAPI document that the service itself publishes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any
from urllib.parse import unquote

from service.adapters.memory.players import MemoryPlayers
from service.adapters.memory.store import MemoryStore
from service.adapters.system import SystemClock, SystemEntropy
from service.integrity.receipts import Signer, read_key
from service.web.app import Parts, create_app
from tests.support.http import PROBLEM, Answer, Web

Schema = Mapping[str, Any]

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


@cache
def document() -> dict[str, Any]:
    """The document, as it is published."""
    signer = Signer(read_key("17" * 32))
    parts = Parts(MemoryStore(), MemoryPlayers(), SystemClock(), SystemEntropy(), signer, lambda: True)
    return Web(create_app(parts)).get("/api/openapi.json").shown()


@cache
def _paths() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    """The documented paths, the one with fewer variables first."""
    found = sorted(document()["paths"].items(), key=lambda item: item[0].count("{"))
    return [(re.compile(re.sub(r"\{[^}]*\}", "[^/]+", path)), item) for path, item in found]


def operation(method: str, path: str) -> dict[str, Any] | None:
    """What is documented for a request; ``None`` where there is no such path or no such method."""
    for pattern, item in _paths():
        if pattern.fullmatch(unquote(path.partition("?")[0])):
            found: dict[str, Any] | None = item.get(("GET" if method == "HEAD" else method).lower())
            return found
    return None


def documented(answer: Answer) -> None:
    """Status, code and body of an answer are what the document says."""
    described = operation(answer.method, answer.path)
    if described is None:
        return
    responses = described["responses"]
    assert str(answer.status) in responses, f"{answer.method} {answer.path}: {answer.status} is not documented"
    response = resolved(responses[str(answer.status)])
    if answer.method == "HEAD" or answer.status == 304:
        assert answer.data == b""
        return
    if answer.headers["Content-Type"] == PROBLEM:
        assert f"`{answer.body['code']}`" in response["description"], (
            f"{answer.path}: {answer.body['code']} is not said"
        )
        assert PROBLEM in response["content"]
    content = response["content"].get(PROBLEM) or response["content"]["application/json"]
    faults = list(_faults(content["schema"], answer.body, "body"))
    assert not faults, f"{answer.method} {answer.path}: {faults[:3]}"


def resolved(node: Schema) -> Schema:
    """What a reference in the document stands for."""
    while "$ref" in node:
        found: Any = document()
        for part in node["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        node = found
    return node


def _faults(schema: Schema, value: Any, where: str) -> Iterator[str]:
    """Where a value is not what a schema of the document says. A field that the schema does not name is one, too."""
    schema = resolved(schema)
    if "anyOf" in schema or "oneOf" in schema:
        choices = [list(_faults(choice, value, where)) for choice in schema.get("anyOf") or schema["oneOf"]]
        yield from min(choices, key=len)
    for part in schema.get("allOf", ()):
        yield from _faults(part, value, where)
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is not one of {schema['enum']}"
    if "type" in schema and not _is_one_of(value, schema["type"]):
        yield f"{where}: {value!r} is no {schema['type']}"
    if isinstance(value, dict) and "properties" in schema:
        yield from _field_faults(schema, value, where)
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            yield from _faults(schema["items"], item, f"{where}[{i}]")


def _is_one_of(value: Any, kinds: str | list[str]) -> bool:
    names = [kinds] if isinstance(kinds, str) else kinds
    return any(isinstance(value, TYPES[name]) and (name == "boolean" or value is not True) for name in names)


def _field_faults(schema: Schema, value: Mapping[str, Any], where: str) -> Iterator[str]:
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{where}.{name} is missing"
    for name, item in value.items():
        if name not in schema["properties"]:
            yield f"{where}.{name} is not documented"
        else:
            yield from _faults(schema["properties"][name], item, f"{where}.{name}")
