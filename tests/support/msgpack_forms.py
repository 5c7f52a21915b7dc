"""msgpack as no encoder writes it: the same values in longer forms, and values that no commit has."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any

import msgpack

Pack = Callable[[Any], bytes]

INTS = {0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
LENGTHS: dict[type, dict[int, str]] = {
    str: {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"},
    tuple: {0xDC: ">H", 0xDD: ">I"},
    dict: {0xDE: ">H", 0xDF: ">I"},
    msgpack.ExtType: {0xC7: ">B", 0xC8: ">H", 0xC9: ">I"},
}


def read(packed: bytes) -> Any:
    return msgpack.unpackb(packed, use_list=False)


def written(value: Any, place: int = -1, form: Pack | None = None) -> bytes:
    """The value with the item at one place, counted through all of it, in another form. Field names are items too."""
    count = -1

    def pack(item: Any) -> bytes:
        nonlocal count
        count += 1
        if count == place and form is not None:
            # The form writes what is inside by itself, in the usual way.
            count += size(item) - 1
            return form(item)
        if type(item) is tuple:
            return header(0x90, 0xDC, len(item)) + b"".join([pack(each) for each in item])
        if type(item) is dict:
            return header(0x80, 0xDE, len(item)) + b"".join([pack(each) for pair in item.items() for each in pair])
        return usual(item)

    return pack(value)


def usual(value: Any) -> bytes:
    packed: bytes = msgpack.packb(value)
    return packed


def header(fixed: int, longer: int, length: int) -> bytes:
    return bytes((fixed | length,)) if length < 16 else struct.pack(">BH", longer, length)


def size(value: Any) -> int:
    """The number of items in a value, itself among them."""
    if type(value) is tuple:
        return 1 + sum(map(size, value))
    if type(value) is dict:
        return 1 + sum(size(each) for pair in value.items() for each in pair)
    return 1


def items(value: Any) -> Iterator[Any]:
    """All items, in the order of their places."""
    yield value
    if type(value) is tuple:
        for each in value:
            yield from items(each)
    elif type(value) is dict:
        for pair in value.items():
            for each in pair:
                yield from items(each)


def longer_forms(value: Any) -> Iterator[tuple[str, Pack]]:
    """All forms of this value but the shortest, each with a name."""
    if type(value) is int:
        for mark, layout in INTS.items():
            made = _packed_int(mark, layout, value)
            if made is not None and made != usual(value):
                yield f"{value} as {mark:02x}", lambda _value, made=made: made  # type: ignore[misc]
    for mark, layout in LENGTHS.get(type(value), {}).items():
        made = _with_length(mark, layout, value)
        if made is not None and made != usual(value):
            name = f"{type(value).__name__} as {mark:02x}"
            yield name, lambda _value, made=made: made  # type: ignore[misc]


def _packed_int(mark: int, layout: str, value: int) -> bytes | None:
    try:
        return bytes((mark,)) + struct.pack(layout, value)
    except struct.error:
        return None


def _with_length(mark: int, layout: str, value: Any) -> bytes | None:
    if type(value) is str:
        length, content = len(value.encode()), value.encode()
    elif type(value) is msgpack.ExtType:
        length, content = len(value.data), bytes((value.code,)) + value.data
    elif type(value) is tuple:
        length, content = len(value), b"".join(map(usual, value))
    else:
        length, content = len(value), b"".join(usual(each) for pair in value.items() for each in pair)
    try:
        return bytes((mark,)) + struct.pack(layout, length) + content
    except struct.error:
        return None


def foreign_forms(value: Any) -> Iterator[tuple[str, Pack]]:
    """Other values in place of this one, of kinds that no commit has or that only look alike."""
    if type(value) is int:
        yield "a number as a float", lambda value: struct.pack(">Bd", 0xCB, value)
        yield "a number as a short float", lambda value: struct.pack(">Bf", 0xCA, value)
        yield "a number as a truth", lambda value: b"\xc3"
        yield "a number as a text", lambda value: usual(str(value))
    if type(value) is str:
        raw = value.encode()
        yield "a text as bytes", lambda value: b"\xc4" + bytes((len(raw),)) + raw
        yield "a text that is none", lambda value: b"\xa2\xc3\x28"
        yield "half of a surrogate pair", lambda value: b"\xa3\xed\xa0\x80"
        yield "a text behind a mark of byte order", lambda value: usual("\ufeff" + value)
        yield "a text as a number", lambda value: b"\x05"
    if type(value) is dict:
        double = b"".join(usual(each) for pair in (*value.items(), *list(value.items())[-1:]) for each in pair)
        yield "a field twice", lambda value: header(0x80, 0xDE, len(value) + 1) + double
        numbered = usual(7) + b"".join(usual(each) for pair in value.items() for each in pair)
        yield "a field named by a number", lambda value: header(0x80, 0xDE, len(value) + 1) + numbered + b"\xc0"
        back = dict(reversed(value.items()))
        yield "fields in another order", lambda value: usual(back)
        yield "a map as a list", lambda value: usual(tuple(value.values()))
    if type(value) is msgpack.ExtType:
        yield "another extension", lambda value: usual(msgpack.ExtType(2, value.data))
        yield "a shorter extension", lambda value: usual(msgpack.ExtType(1, value.data[:-1]))
        yield "a secret of nobody", lambda value: usual(msgpack.ExtType(1, b"\x00" + value.data[1:]))
    yield "nothing", lambda value: b"\xc0"
    yield "a time", lambda value: b"\xd6\xff\x00\x00\x00\x05"
    yield "a mark that msgpack does not use", lambda value: b"\xc1"
    yield "lists 40 deep", lambda value: b"\x91" * 40 + b"\xc0"
    yield "lists 2000 deep", lambda value: b"\x91" * 2000 + b"\xc0"
