"""The base of all response bodies: a frozen dataclass from which JSON data, OpenAPI schema and mypy's type follow.

    @body
    class SeatMoves(Body):
        seat: int
        moves: list[Plain]

The class name is the schema's name. The type of a field is ``str``, ``int``, ``float``, ``bool``, ``Time``, a ``Literal``,
``Plain`` (JSON data that a game or another module has made already), another body, or a list, a dict by name or an optional
of these. ``Annotated[int, about("…")]`` describes it. A field whose default is ``None`` is left out of the JSON while it is
``None``. A field with a reserved name has an underscore behind it: ``as_`` is sent as ``as``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    NewType,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from domain import validation

Plain = dict[str, Any]
"""JSON data."""

Time = NewType("Time", str)
"""A time in RFC 3339, UTC, with milliseconds, as ``time`` writes it."""

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class About:
    """The part of a field's schema that its type does not give."""

    text: str
    one_of: tuple[str, ...] = ()


def about(text: str = "", *, one_of: tuple[str, ...] = ()) -> About:
    """Describes a field. ``one_of`` lists its values if they are too many for a ``Literal``."""
    return About(text, one_of)


class Body:
    """The base class of response bodies. The decorator ``body`` makes a subclass a dataclass."""

    __slots__ = ()

    SENT_LAST: ClassVar[tuple[str, ...]] = ()
    """The fields to send after all others, in this order.

    Some bodies have always been sent in another order than their schemas list, and a changed byte would change every ETag.
    """


@dataclass_transform(frozen_default=True, kw_only_default=True)
def body(cls: type[Made]) -> type[Made]:
    """Makes a class of annotated fields a frozen dataclass with slots."""
    return dataclass(frozen=True, slots=True, kw_only=True)(cls)


def time(at: int) -> Time:
    """Returns milliseconds since 1970-01-01 UTC in RFC 3339."""
    return Time(datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"))


def maybe_time(at: int | None) -> Time | None:
    return None if at is None else time(at)


# -- fields -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BodyField:
    """A field of a body: its name in Python, its name in JSON, its type as annotated, and whether it may be left out."""

    name: str
    key: str
    hint: Any
    optional: bool


def body_fields(cls: type[Body]) -> list[BodyField]:
    """Returns the fields of a body in the order of their declaration."""
    hints = get_type_hints(cls, include_extras=True)
    made: Any = cls
    return [
        BodyField(field.name, validation.key(field.name), hints[field.name], field.default is None)
        for field in dataclasses.fields(made)
    ]


def without_none(hint: Any) -> Any:
    """Returns the other type of a union with ``None``; ``None`` if the type is no union."""
    if get_origin(hint) not in (Union, UnionType):
        return None
    (inner,) = [arg for arg in get_args(hint) if arg is not NoneType]
    return inner


def split_annotation(hint: Any) -> tuple[Any, About]:
    """Splits an annotated type into the type and its description."""
    if get_origin(hint) is not Annotated:
        return hint, About("")
    inner, said = get_args(hint)
    return inner, said


def is_body(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Body)


# -- JSON data --------------------------------------------------------------------------------------------------------


def plain(body: Body) -> Plain:
    """Returns a body as JSON data. About a microsecond for ten fields, after the first body of a class."""
    cls = type(body)
    write = _WRITERS.get(cls) or _WRITERS.setdefault(cls, _writer(cls))
    return write(body)


Writer = Callable[[Any], Plain]

_WRITERS: dict[type[Body], Writer] = {}
"""One function for each class, compiled when the first body of the class is written."""


def _writer(cls: type[Body]) -> Writer:
    """Compiles the function that writes a class's bodies, such as ``{"version": body.version, "moves": body.moves}``."""
    # Compiled, because every move is answered with a body: this takes a third of the time of a loop over the fields. It is
    # also faster than orjson's support of dataclasses, which can neither rename nor leave out a field, nor make msgpack.
    # The source holds only names and types of our own classes, never input.
    fields = sorted(body_fields(cls), key=lambda field: _place(cls, field.name))
    items = ", ".join(f"{field.key!r}: {_expression(field.hint, f'body.{field.name}')}" for field in fields)
    lines = ["def write(body):", f"    made = {{{items}}}"]
    for field in fields:
        if field.optional:
            lines += [f"    if body.{field.name} is None:", f"        del made[{field.key!r}]"]
    names: dict[str, Any] = {"plain": plain}
    exec("\n".join([*lines, "    return made"]), names)
    write: Writer = names["write"]
    return write


def _place(cls: type[Body], name: str) -> int:
    return cls.SENT_LAST.index(name) + 1 if name in cls.SENT_LAST else 0


def _expression(hint: Any, value: str) -> str:
    """Returns Python source that turns ``value`` into JSON data: ``value`` itself if its type is JSON data already."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _expression(args[0], value)
    if (inner := without_none(hint)) is not None:
        some = _expression(inner, value)
        return value if some == value else f"None if {value} is None else {some}"
    if origin is list:
        each = _expression(args[0], "item")
        return value if each == "item" else f"[{each} for item in {value}]"
    if origin is dict:
        each = _expression(args[1], "item")
        return value if each == "item" else f"{{key: {each} for key, item in {value}.items()}}"
    return f"plain({value})" if is_body(hint) else value
