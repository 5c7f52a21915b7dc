"""Makes the vectors of forms: ``python -m tests.vectors.make_forms``. A file that is there is never written again.

Each is a record that its server signed itself, whose chain, secrets and signature hold, and that is nevertheless none: its
match was cut short, or something in it is written as no server writes it. Both verifiers must find exactly this.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from domain.hidden import ALL, NOBODY
from replay.record import Plain, canonical, unsigned
from tests.support import toy
from tests.support.msgpack_forms import Pack, foreign_forms, items, longer_forms, read, written
from tests.support.playing import Playing
from tests.support.records import HOUSE, plain_record, rechained, short, signed

FILE = Path(__file__).parent / "forms.json"

SHAPELESS = frozenset(
    {
        *("a number as a float", "a number as a short float", "a text as bytes", "a text that is none"),
        *("half of a surrogate pair", "a field twice", "a field named by a number", "another extension"),
        *("a shorter extension", "a time", "a mark that msgpack does not use", "lists 40 deep", "lists 2000 deep"),
    }
)
"""The foreign forms that are wrong wherever they stand, whatever the rules of the game."""


def cut(playing: Playing, count: int) -> Plain:
    """The record of the first versions of a match, with its seed and all secrets, as if it had ended there."""
    match, entries = playing.matches[count - 1], playing.entries[:count]
    plain = unsigned(match, entries, playing.seed, ALL, HOUSE.key_id, HOUSE.public)
    return signed(plain | {"seed": playing.seed.hex()}, HOUSE)


def replaced(plain: Plain, version: int, public: bytes) -> Plain:
    """The record with other bytes as the public part of a version, and all that follows from it."""
    lines = list(plain["entries"])
    lines[version - 1] = lines[version - 1] | {"public": public.hex()}
    return signed(rechained(plain | {"entries": lines}), HOUSE)


def placed_forms(plain: Plain) -> Iterator[tuple[str, int, int, Pack]]:
    """The form that is wrong everywhere, for every item of every version: name, version, place, form."""
    for version, line in enumerate(plain["entries"], 1):
        for place, item in enumerate(items(read(bytes.fromhex(line["public"])))):
            for name, form in longer_forms(item):
                kind = name if type(item) is not int else f"a number as {name[-2:]}"
                yield kind, version, place, form
            for name, form in foreign_forms(item):
                if name in SHAPELESS:
                    yield name, version, place, form


def in_form(plain: Plain, version: int, place: int, form: Pack) -> Plain:
    public = read(bytes.fromhex(plain["entries"][version - 1]["public"]))
    return replaced(plain, version, written(public, place, form))


def row(name: str, record: bytes, fault: list[Any] | None) -> dict[str, Any]:
    return {"name": name, "record": record.decode(), "receipts": [], "fault": fault, "rules": False}


def rows() -> Iterator[dict[str, Any]]:
    playing = short(toy.GAME, seed=3, moves=1)
    count = len(playing.entries)
    plain = plain_record(playing)
    yield row("good", canonical(plain), None)
    for number in range(1, count):
        yield row(f"cut short at {number}", canonical(cut(playing, number)), [number + 1, "truncated"])
    for sees in (NOBODY, frozenset({1})):
        withheld = plain_record(playing, sees) | {"seed": None}
        yield row("over, and the seed withheld", canonical(signed(withheld, HOUSE)), [None, "wrong_seed"])
    yield from in_msgpack(plain)
    yield from in_json(plain)


def in_msgpack(plain: Plain) -> Iterator[dict[str, Any]]:
    seen = set()
    for name, version, place, form in placed_forms(plain):
        if name not in seen:
            seen.add(name)
            yield row(name, canonical(in_form(plain, version, place, form)), [version, "unreadable"])
    last = len(plain["entries"])
    public = bytes.fromhex(plain["entries"][-1]["public"])
    for name, made in (
        ("a byte behind the end", public + b"\xc0"),
        ("a byte less", public[:-1]),
        ("nothing at all", b""),
        ("a field more", b"\x99" + public[1:] + b"\xc0"),
        ("true as the number of the format", public[:1] + b"\xc3" + public[2:]),
    ):
        yield row(name, canonical(replaced(plain, last, made)), [last, "unreadable"])


def in_json(plain: Plain) -> Iterator[dict[str, Any]]:
    text, no_record = canonical(plain), [None, "unreadable"]
    version = b'"version":' + str(plain["version"]).encode() + b"}"
    for name, made in (
        ("a space", text.replace(b'":', b'": ', 1)),
        ("a line behind the end", text + b"\n"),
        ("a key twice", text[:-1] + b"," + version),
        ("a number with a fraction", text.replace(version, version[:-1] + b".0}")),
        ("a number with an exponent", text.replace(version, version[:-1] + b"e0}")),
        ("a minus zero as a version", text.replace(version, b'"version":-0}')),
        ("capital digits", text.replace(plain["head"].encode(), plain["head"].upper().encode())),
        ("an escape", text.replace(b'"all"', b'"\\u0061ll"')),
        ("half of a surrogate pair in a text", text.replace(b'"match_id":"', b'"match_id":"\\ud800')),
        ("a mark of byte order", b"\xef\xbb\xbf" + text),
        ("keys in another order", json.dumps(dict(reversed(plain.items())), separators=(",", ":")).encode()),
        ("rules that never existed", canonical(signed(plain | {"rules": 0}, HOUSE))),
    ):
        yield row(name, made, no_record)


if __name__ == "__main__":
    with FILE.open("x", encoding="utf-8") as file:
        file.write(json.dumps(list(rows()), indent=1) + "\n")
