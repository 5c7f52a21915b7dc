"""Strict reading, writing and schemas of annotated classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.hidden import NOBODY, Bag, Hidden, Secret
from domain.validation import Between, Length, MalformedError, OneOf, plain, plain_without_defaults, read, schema

SPACES = ("A1", "A2", "B1")


@dataclass(frozen=True, slots=True)
class Point:
    at: Annotated[str, OneOf(SPACES)]
    height: Annotated[int, Between(0, 4)] = 0


@dataclass(frozen=True, slots=True)
class Line:
    kind: Literal["straight", "bent", 3]
    points: Annotated[tuple[Point, ...], Length(1, 3)]
    ends: tuple[int, bool]
    name: Annotated[str, Length(1, 5)] | None = None
    notes: dict[str, int] | None = None


GOOD: dict[str, Any] = {"kind": "bent", "points": [{"at": "A1"}, {"at": "B1", "height": 4}], "ends": [1, True]}


def test_what_has_the_shape_is_read() -> None:
    assert read(Line, GOOD) == Line("bent", (Point("A1"), Point("B1", 4)), (1, True))
    assert read(Line, GOOD | {"name": "road", "notes": {"a": 1}}).notes == {"a": 1}
    assert read(Line, GOOD | {"kind": 3, "ends": (1, True)}).kind == 3


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (None, ""),
        ([], ""),
        ({}, "kind"),
        (GOOD | {"kind": "round"}, "kind"),
        (GOOD | {"kind": True}, "kind"),
        (GOOD | {"kind": 3.0}, "kind"),
        (GOOD | {"points": []}, "points"),
        (GOOD | {"points": [{"at": "A1"}] * 4}, "points"),
        (GOOD | {"points": {"at": "A1"}}, "points"),
        (GOOD | {"points": ["A1"]}, "points[0]"),
        (GOOD | {"points": [{"at": "A1"}, {"at": "C9"}]}, "points[1].at"),
        (GOOD | {"points": [{"at": ["A1"]}]}, "points[0].at"),
        (GOOD | {"points": [{"at": "A1", "height": 5}]}, "points[0].height"),
        (GOOD | {"points": [{"at": "A1", "height": -1}]}, "points[0].height"),
        (GOOD | {"points": [{"at": "A1", "height": True}]}, "points[0].height"),
        (GOOD | {"points": [{"at": "A1", "height": 1.0}]}, "points[0].height"),
        (GOOD | {"points": [{"at": "A1", "height": "1"}]}, "points[0].height"),
        (GOOD | {"points": [{"at": "A1", "colour": "red"}]}, "points[0].colour"),
        (GOOD | {"ends": [1]}, "ends"),
        (GOOD | {"ends": [1, 1]}, "ends[1]"),
        (GOOD | {"ends": "ab"}, "ends"),
        (GOOD | {"name": ""}, "name"),
        (GOOD | {"name": "longer than five"}, "name"),
        (GOOD | {"name": 5}, "name"),
        (GOOD | {"notes": {"a": "1"}}, "notes.a"),
        (GOOD | {"notes": []}, "notes"),
        (GOOD | {"extra": 1}, "extra"),
    ],
)
def test_what_has_not_is_refused_with_its_field(given: Any, field: str) -> None:
    with pytest.raises(MalformedError) as refused:
        read(Line, given)
    assert refused.value.field == field
    assert refused.value.message


def test_a_fault_tells_its_field_as_seen_from_further_out() -> None:
    fault = MalformedError("at", "must be a string")
    assert str(fault) == "at: must be a string"
    assert fault.under("move").field == "move.at"
    assert MalformedError("", "must be an object").under("move").field == "move"
    assert str(MalformedError("", "must be an object")) == "must be an object"


def test_a_name_that_a_stranger_chose_cannot_fill_an_answer() -> None:
    with pytest.raises(MalformedError) as refused:
        read(Line, GOOD | {"x" * 10_000: 1})
    assert len(str(refused.value)) < 100


def test_the_fault_of_a_union_is_that_of_the_likely_alternative() -> None:
    with pytest.raises(MalformedError) as refused:
        read(Point | None, {"at": "C9"}, "point")
    assert refused.value.field == "point.at"
    with pytest.raises(MalformedError, match="must be a whole number"):
        read(int | None, "x", "number")


def test_deep_shapes_are_read_and_deep_nonsense_is_refused() -> None:
    deep: Any = 1
    for _ in range(500):
        deep = [deep]
    with pytest.raises(MalformedError):
        read(Line, GOOD | {"points": deep})
    with pytest.raises(MalformedError):
        read(tuple[tuple[tuple[int, ...], ...], ...], deep)
    assert read(tuple[tuple[tuple[int, ...], ...], ...], [[[1], []]]) == (((1,), ()),)


def test_a_type_without_a_reader_is_the_programmers_mistake() -> None:
    with pytest.raises(TypeError, match="no reader"):
        read(float, 1.0)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=4)
    | st.sampled_from(SPACES),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["kind", "points", "ends", "at", "height", "name", "x"]), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(JSON)
def test_anything_at_all_is_read_or_malformed(given: Any) -> None:
    try:
        line = read(Line, given)
    except MalformedError:
        return
    assert read(Line, plain(line)) == line


# -- writing ----------------------------------------------------------------------------------------------------------


def test_plain_data_is_what_is_read_back() -> None:
    line = Line("straight", (Point("A2", 1),), (3, False), "road")
    assert plain(line) == {
        "kind": "straight",
        "points": [{"at": "A2", "height": 1}],
        "ends": [3, False],
        "name": "road",
        "notes": None,
    }
    assert read(Line, plain(line)) == line
    assert plain_without_defaults(Point("A1")) == {"at": "A1"}
    assert plain_without_defaults(Line("bent", (Point("A1"),), (0, True))).keys() == {"kind", "points", "ends"}


def test_secrets_and_bags_in_plain_data() -> None:
    mine = frozenset({0})
    assert plain(Secret("a", mine)) == "a"
    assert plain(Hidden(mine)) == {"hidden": True}
    assert plain(Bag.of("ba")) == {"count": 2, "cards": ["a", "b"]}
    assert plain(Bag(None, 2)) == {"count": 2, "cards": {"hidden": True}}
    top = Bag(None, 2, NOBODY, (Hidden(mine), Secret("c", mine)))
    assert plain(top) == {"count": 4, "cards": {"hidden": True}, "top": [{"hidden": True}, "c"]}
    assert plain(frozenset("cab")) == ["a", "b", "c"]


# -- schemas ----------------------------------------------------------------------------------------------------------


def test_the_schema_says_what_is_read() -> None:
    assert schema(Point) == {
        "type": "object",
        "properties": {
            "at": {"enum": ["A1", "A2", "B1"]},
            "height": {"type": "integer", "minimum": 0, "maximum": 4, "default": 0},
        },
        "additionalProperties": False,
        "required": ["at"],
    }
    line = schema(Line)
    assert line["required"] == ["kind", "points", "ends"]
    assert line["properties"]["points"] == {"type": "array", "items": schema(Point), "minItems": 1, "maxItems": 3}
    assert line["properties"]["ends"]["prefixItems"] == [{"type": "integer"}, {"type": "boolean"}]
    name = {"anyOf": [{"type": "string", "minLength": 1, "maxLength": 5}, {"type": "null"}], "default": None}
    assert line["properties"]["name"] == name
    notes = {"type": "object", "additionalProperties": {"type": "integer"}}
    assert line["properties"]["notes"]["anyOf"][0] == notes
