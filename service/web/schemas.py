"""OpenAPI schemas of response bodies, derived from their fields. apispec by itself knows marshmallow's schemas only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args, get_origin

from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.schema_resolver import SchemaResolver

from service.web.bodies.body import Body, BodyField, Plain, Time, body_fields, is_body, split_annotation, without_none

Refer = Callable[[type[Body]], Plain]
"""Returns the reference to another body's schema."""

_SCALARS: dict[Any, Plain] = {
    bool: {"type": "boolean"},
    float: {"type": "number"},
    int: {"type": "integer"},
    str: {"type": "string"},
    Time: {"type": "string", "format": "date-time"},
}


@dataclass(frozen=True, slots=True)
class Component:
    """A body's class in a wrapper: flask-smorest makes an instance of any bare class."""

    cls: type[Body]


class _Resolver(SchemaResolver):
    def resolve_schema_dict(self, schema: Any) -> Any:
        if isinstance(schema, Component):
            return _reference(self.converter.spec.components, schema.cls)
        return super().resolve_schema_dict(schema)  # type: ignore[no-untyped-call]


class Plugin(MarshmallowPlugin):
    """apispec's marshmallow plugin, extended by bodies."""

    Resolver = _Resolver


def _reference(components: Any, cls: type[Body]) -> Plain:
    """Returns a reference to a body's schema, and adds the schema to the components with the first reference."""
    name = cls.__name__
    if name not in components.schemas:
        components.schema(name, body_schema(cls, partial(_reference, components)))
    return {"$ref": f"#/components/schemas/{name}"}


def body_schema(cls: type[Body], refer: Refer) -> Plain:
    """Returns the schema of a body, which allows no other fields."""
    fields = body_fields(cls)
    made: Plain = {"type": "object", "properties": {field.key: _field_schema(field, refer) for field in fields}}
    required = sorted(field.key for field in fields if not field.optional)
    return made | ({"required": required} if required else {}) | {"additionalProperties": False}


def _field_schema(field: BodyField, refer: Refer) -> Plain:
    hint, about = split_annotation(field.hint)
    if field.optional:  # It is left out rather than null.
        hint = without_none(hint)
    enum = {"enum": list(about.one_of)} if about.one_of else {}
    text = {"description": about.text} if about.text else {}
    return _schema(hint, enum | text, refer)


def _schema(hint: Any, more: Plain, refer: Refer) -> Plain:
    """Returns the schema of a type, together with ``more``."""
    origin, args = get_origin(hint), get_args(hint)
    if (inner := without_none(hint)) is not None:
        return _or_null(inner, more, refer)
    if origin is list:
        return {"type": "array"} | more | {"items": _schema(args[0], {}, refer)}
    if origin is dict:
        return (
            {"type": "object"} | more | {"additionalProperties": {} if args[1] is Any else _schema(args[1], {}, refer)}
        )
    if origin is Literal:
        return {"type": "string", "enum": list(args)} | more
    return refer(hint) | more if is_body(hint) else _SCALARS[hint] | more


def _or_null(hint: Any, more: Plain, refer: Refer) -> Plain:
    if is_body(hint):
        return more | {"anyOf": [refer(hint), {"type": "null"}]}
    made = _schema(hint, more, refer)
    made["type"] = [made["type"], "null"]
    if "enum" in made:
        made["enum"] = [*made["enum"], None]
    return made
