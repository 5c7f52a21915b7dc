"""Response bodies: JSON data, schema and mypy's type follow from one class."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import Annotated, ClassVar, Literal

import msgpack
import orjson
import pytest

from service.web import bodies
from service.web.bodies.body import Body, Plain, Time, about, body, body_fields, is_body, maybe_time, plain, time
from service.web.bodies.moves import MovesBody
from service.web.encoding import JSON_TYPE, MSGPACK_TYPE, encoded
from service.web.schemas import body_schema


@body
class Inner(Body):
    name: str


@body
class Outer(Body):
    as_: str
    one: Annotated[Inner | None, about("One.")]
    many: list[Inner]
    kind: Annotated[Literal["a", "b"] | None, about("Its kind.")]
    at: Time
    counts: dict[str, int]
    maybe: Annotated[int | None, about(one_of=("1", "2"))] = None


@body
class Wider(Outer):
    first: float

    SENT_LAST: ClassVar[tuple[str, ...]] = ("many", "as_")


OUTER = Outer(as_="all", one=Inner(name="x"), many=[Inner(name="y")], kind=None, at=time(1), counts={"z": 1})


def refer(cls: type[Body]) -> Plain:
    return {"$ref": cls.__name__}


def classes() -> list[type[Body]]:
    """Every body of the service."""
    modules = [import_module(f"{bodies.__name__}.{module.name}") for module in pkgutil.iter_modules(bodies.__path__)]
    found = {made for module in modules for made in vars(module).values() if is_body(made)} - {Body}
    return sorted(found, key=lambda cls: cls.__name__)


def test_a_body_is_sent_with_its_fields_in_order_and_without_what_is_left_out() -> None:
    made = plain(OUTER)
    at = "1970-01-01T00:00:00.001Z"
    assert made == {
        "as": "all",
        "one": {"name": "x"},
        "many": [{"name": "y"}],
        "kind": None,
        "at": at,
        "counts": {"z": 1},
    }
    assert list(made) == ["as", "one", "many", "kind", "at", "counts"]


def test_fields_that_are_sent_last_stand_behind_the_others() -> None:
    wider = Wider(as_="0", one=None, many=[], kind="a", at=time(0), counts={}, maybe=1, first=0.5)
    assert list(plain(wider)) == ["one", "kind", "at", "counts", "maybe", "first", "many", "as"]


def test_a_body_in_a_field_is_sent_as_what_it_is_not_as_what_the_field_says() -> None:
    @body
    class Holder(Body):
        held: Outer

    held = Wider(as_="0", one=None, many=[], kind="a", at=time(0), counts={}, first=0.5)
    assert plain(Holder(held=held)) == {"held": plain(held)}


def test_bodies_may_be_nested_in_lists_and_dicts() -> None:
    @body
    class Nest(Body):
        rows: list[list[Inner] | None]
        named: dict[str, Inner]

    made = Nest(rows=[[Inner(name="x")], None], named={"y": Inner(name="z")})
    assert plain(made) == {"rows": [[{"name": "x"}], None], "named": {"y": {"name": "z"}}}


def test_json_and_msgpack_hold_the_same() -> None:
    assert orjson.loads(encoded(OUTER, JSON_TYPE)) == plain(OUTER)
    assert msgpack.unpackb(encoded(OUTER, MSGPACK_TYPE)) == plain(OUTER)


def test_the_schema_says_of_each_field_what_its_type_and_its_description_say() -> None:
    assert body_schema(Outer, refer) == {
        "type": "object",
        "properties": {
            "as": {"type": "string"},
            "one": {"description": "One.", "anyOf": [{"$ref": "Inner"}, {"type": "null"}]},
            "many": {"type": "array", "items": {"$ref": "Inner"}},
            "kind": {"type": ["string", "null"], "enum": ["a", "b", None], "description": "Its kind."},
            "at": {"type": "string", "format": "date-time"},
            "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
            "maybe": {"type": "integer", "enum": ["1", "2"]},
        },
        "required": ["as", "at", "counts", "kind", "many", "one"],
        "additionalProperties": False,
    }


def test_a_body_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        OUTER.as_ = "0"  # type: ignore[misc]


def test_a_field_that_is_missing_or_of_another_type_is_found_by_mypy() -> None:
    """Strict mypy finds an ignored error that is none: so each line here is one that it finds."""
    MovesBody(version="1", moves=[])  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        MovesBody(version=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        MovesBody(version=1, moves=[], more=True)  # type: ignore[call-arg]
    late: Time | None = maybe_time(None)
    assert late is None
    late = "2026-12-01T00:00:00Z"  # type: ignore[assignment]


@pytest.mark.parametrize("cls", classes(), ids=lambda cls: cls.__name__)
def test_every_body_has_a_schema_and_names_fields_of_its_own_as_those_sent_last(cls: type[Body]) -> None:
    schema = body_schema(cls, refer)
    assert list(schema["properties"]) == [field.key for field in body_fields(cls)]
    assert {*cls.SENT_LAST} <= {field.name for field in body_fields(cls)}
