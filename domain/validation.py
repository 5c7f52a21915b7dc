"""Plain data and annotated classes: strict reading, writing, and JSON Schema, all derived from the same annotations.

All untrusted input (moves, options, positions) is read through here. A shape is a frozen dataclass whose fields are
``bool``, ``int``, ``str``, ``None``, ``Literal``, tuples, ``dict[str, …]``, unions and other such classes, narrowed
with ``Annotated[int, Between(0, 4)]``, ``Annotated[str, OneOf(SPACES)]`` and ``Annotated[tuple[…, ...], Length(1, 4)]``.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from domain.errors import FoldtableError
from domain.hidden import Bag, Hidden, Secret

HIDDEN: dict[str, Any] = {"hidden": True}
"""The plain form of an unseen value, in every response body."""


class MalformedError(FoldtableError):
    """A value does not have its required shape. Names the field, as a dotted path, and the reason."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(field, message)
        self.field = field
        self.message = message

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message

    def under(self, field: str) -> MalformedError:
        """The same fault with its path seen from one level further out, where the value is called ``field``."""
        return MalformedError(f"{field}.{self.field}" if self.field else field, self.message)


@dataclass(frozen=True, slots=True)
class Between:
    """An integer from ``least`` to ``most``, both included."""

    least: int
    most: int


class OneOf:
    """A string from a table that is too long for ``Literal``, or computed."""

    __slots__ = ("allowed", "values")

    def __init__(self, values: tuple[str, ...]) -> None:
        self.values = values
        self.allowed = frozenset(values)


@dataclass(frozen=True, slots=True)
class Length:
    """The range of the number of items of a tuple, or of characters of a string; both ends included."""

    least: int
    most: int


class FaceDown:
    """Marks a field of a move that only the acting seat may know. In the stored commit it is a secret."""


FACE_DOWN = FaceDown()

Reader = Callable[[Any, str], Any]
"""(parsed JSON, path of the field) → the value. Raises ``MalformedError``."""


def read(hint: Any, plain: object, field: str = "") -> Any:
    """Reads ``plain`` (parsed JSON) as a value of this type. Raises ``MalformedError``, which names the field.

    Strict: unknown fields are refused, and no type is converted into another.
    """
    return reader(hint)(plain, field)


def plain(value: Any) -> Any:
    """Writes a value as JSON data; an unseen secret as ``{"hidden": true}``, a seen one as its value."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, Secret):
        return plain(value.value)
    if isinstance(value, Hidden):
        return HIDDEN
    if isinstance(value, Bag):
        cards = HIDDEN if value.cards is None else list(value.cards)
        shown = {"count": len(value), "cards": cards}
        return shown | {"top": [plain(card) for card in value.top]} if value.top else shown
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, frozenset):
        return [plain(item) for item in sorted(value)]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    cls: Any = type(value)
    return {key(name): plain(getattr(value, name)) for name in names(cls)}


@cache
def names(cls: Any) -> tuple[str, ...]:
    """The field names of a dataclass, in order."""
    return tuple(field.name for field in dataclasses.fields(cls))


def key(name: str) -> str:
    """The name of a field in plain data: without the underscore that a word reserved by Python has, as in ``from_``."""
    return name.removesuffix("_")


def plain_without_defaults(value: Any) -> dict[str, Any]:
    """Writes a dataclass as JSON data, without the fields that stand at their defaults."""
    fields = dataclasses.fields(value)
    return {key(field.name): plain(item) for field in fields if (item := getattr(value, field.name)) != field.default}


# -- reading ----------------------------------------------------------------------------------------------------------


@cache
def reader(hint: Any) -> Reader:
    """The strict reader of a type, made once and kept. Raises ``TypeError`` for a type that cannot be read."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _narrowed(reader(args[0]), args[1:])
    if origin is Literal:
        return _literal(args)
    if origin is Union or origin is types.UnionType:
        return _either(args)
    if origin is tuple:
        return _items(args)
    if origin is dict:
        return _table(args[1])
    if dataclasses.is_dataclass(hint):
        return _record(hint)
    if hint in _SCALARS:
        return _scalar(hint)
    raise TypeError(f"no reader for {hint!r}")


_SCALARS: dict[Any, str] = {bool: "true or false", int: "a whole number", str: "a string", type(None): "null"}


def _scalar(hint: Any) -> Reader:
    # By exact type, here and for literals: in Python ``True`` is an ``int`` and equals 1, in JSON it is neither.
    def read_scalar(given: Any, field: str) -> Any:
        if type(given) is not hint:
            raise MalformedError(field, f"must be {_SCALARS[hint]}")
        return given

    return read_scalar


def _literal(values: tuple[Any, ...]) -> Reader:
    def read_literal(given: Any, field: str) -> Any:
        for value in values:
            if type(value) is type(given) and value == given:
                return value
        raise MalformedError(field, f"must be one of {_listed(values)}")

    return read_literal


def _listed(values: tuple[Any, ...]) -> str:
    return ", ".join(str(value) for value in values[:40]) + (", …" if len(values) > 40 else "")


def _narrowed(inner: Reader, marks: tuple[Any, ...]) -> Reader:
    checks = [check for mark in marks if (check := _check(mark)) is not None]

    def read_narrowed(given: Any, field: str) -> Any:
        value = inner(given, field)
        for fits, message in checks:
            if not fits(value):
                raise MalformedError(field, message)
        return value

    return read_narrowed


def _check(mark: Any) -> tuple[Callable[[Any], bool], str] | None:
    if isinstance(mark, Between):
        return lambda value: mark.least <= value <= mark.most, f"must be from {mark.least} to {mark.most}"
    if isinstance(mark, OneOf):
        return lambda value: value in mark.allowed, f"must be one of {_listed(mark.values)}"
    if isinstance(mark, Length):
        return lambda value: mark.least <= len(value) <= mark.most, f"must have {mark.least} to {mark.most} items"
    return None


def _either(hints: tuple[Any, ...]) -> Reader:
    """Tries each alternative in turn. If none reads, reports the fault of the one that got furthest: likely the one meant."""
    readers = [reader(hint) for hint in sorted(hints, key=lambda hint: hint is not type(None))]

    def read_either(given: Any, field: str) -> Any:
        faults = []
        for alternative in readers:
            try:
                return alternative(given, field)
            except MalformedError as fault:
                faults.append(fault)
        raise max(faults, key=lambda fault: (len(fault.field), fault.message != "must be null"))

    return read_either


def _items(hints: tuple[Any, ...]) -> Reader:
    if len(hints) == 2 and hints[1] is Ellipsis:
        each = reader(hints[0])

        def read_all(given: Any, field: str) -> Any:
            if not isinstance(given, (list, tuple)):
                raise MalformedError(field, "must be a list")
            return tuple([each(item, f"{field}[{i}]") for i, item in enumerate(given)])

        return read_all
    readers = [reader(hint) for hint in hints]

    def read_fixed(given: Any, field: str) -> Any:
        if not isinstance(given, (list, tuple)) or len(given) != len(readers):
            raise MalformedError(field, f"must be a list of {len(readers)}")
        return tuple(each(item, f"{field}[{i}]") for i, (each, item) in enumerate(zip(readers, given, strict=True)))

    return read_fixed


def _table(hint: Any) -> Reader:
    each = reader(hint)

    def read_table(given: Any, field: str) -> Any:
        if not isinstance(given, dict):
            raise MalformedError(field, "must be an object")
        return {key: each(item, _join(field, key)) for key, item in given.items()}

    return read_table


def _record(cls: Any) -> Reader:
    hints = get_type_hints(cls, include_extras=True)
    fields = {key(field.name): field for field in dataclasses.fields(cls)}
    readers = {name: reader(hints[field.name]) for name, field in fields.items()}
    required = frozenset(name for name, field in fields.items() if _is_required(field))

    def read_record(given: Any, field: str) -> Any:
        if not isinstance(given, dict):
            raise MalformedError(field, "must be an object")
        for name in given:
            if name not in readers:
                raise MalformedError(_join(field, name), "is not a field here")
        for name in readers:
            if name in required and name not in given:
                raise MalformedError(_join(field, name), "is missing")
        values = {fields[name].name: readers[name](item, _join(field, name)) for name, item in given.items()}
        return cls(**values)

    return read_record


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _join(field: str, name: object) -> str:
    # The sender of a request chooses this name: it is cut short so that it cannot fill an error body.
    part = str(name)[:60]
    return f"{field}.{part}" if field else part


# -- JSON Schema (2020-12) --------------------------------------------------------------------------------------------


def schema(hint: Any) -> dict[str, Any]:
    """The JSON Schema (2020-12) of the data that ``read`` accepts for this type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _narrow(schema(args[0]), args[1:])
    if origin is Literal:
        return {"enum": list(args)}
    if origin is Union or origin is types.UnionType:
        return {"anyOf": [schema(arg) for arg in args]}
    if origin is tuple:
        return _array(args)
    if origin is dict:
        return {"type": "object", "additionalProperties": schema(args[1])}
    if dataclasses.is_dataclass(hint):
        return _object(hint)
    return {"type": {bool: "boolean", int: "integer", str: "string", type(None): "null"}[hint]}


def _narrow(made: dict[str, Any], marks: tuple[Any, ...]) -> dict[str, Any]:
    for mark in marks:
        if isinstance(mark, Between):
            made = made | {"minimum": mark.least, "maximum": mark.most}
        elif isinstance(mark, OneOf):
            made = {"enum": list(mark.values)}
        elif isinstance(mark, Length):
            low, high = ("minItems", "maxItems") if made["type"] == "array" else ("minLength", "maxLength")
            made = made | {low: mark.least, high: mark.most}
    return made


def _array(args: tuple[Any, ...]) -> dict[str, Any]:
    if len(args) == 2 and args[1] is Ellipsis:
        return {"type": "array", "items": schema(args[0])}
    fixed = [schema(arg) for arg in args]
    return {"type": "array", "prefixItems": fixed, "minItems": len(fixed), "maxItems": len(fixed)}


def _object(cls: Any) -> dict[str, Any]:
    hints = get_type_hints(cls, include_extras=True)
    fields = dataclasses.fields(cls)
    properties = {key(field.name): schema(hints[field.name]) | _default(field) for field in fields}
    made: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    required = [key(field.name) for field in fields if _is_required(field)]
    return made | {"required": required} if required else made


def _default(field: dataclasses.Field[Any]) -> dict[str, Any]:
    return {} if field.default is dataclasses.MISSING else {"default": plain(field.default)}


def tagged_schema(tag: str, cls: type) -> dict[str, Any]:
    """JSON Schema of an object of this class that says in ``type`` which class it is: a game's move, for example."""
    made = schema(cls)
    made["properties"] = {"type": {"const": tag}} | made["properties"]
    return made | {"required": ["type", *made.get("required", [])]}
