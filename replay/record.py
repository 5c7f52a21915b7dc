"""A record: a match as one document that anybody can keep, read and verify without a server.

It holds the public part of every commit as it was stored, and beside it the secrets that its reader may know, each with the
salt that opens its commitment; once the match has ended, all secrets and the seed. Its form is canonical (RFC 8785: sorted
keys, no spaces), so a record has exactly one sequence of bytes, and data in any other form is not a record. One signature
covers all of it but itself.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

import msgpack

from domain import hashchain, wire
from domain.chance import SEED_BYTES
from domain.errors import FoldtableError
from domain.hidden import ALL, NOBODY, Sees, visible
from domain.match import Match
from domain.store import Entry

FORMAT = "foldtable record 1"
CONTEXT = b"foldtable record 1\x00"
"""The start of the message that a record's signature signs, so that the signature fits no other kind of message."""

SIGHT = re.compile("all|spectator|0|[1-9][0-9]?")
KEY = re.compile("[0-9a-f]{16}")
DIGITS = re.compile("([0-9a-f]{2})*")
SIGNATURE_BYTES = 64
KEY_BYTES = 32
SIGNING = ("key", "public_key", "signature")
"""The fields that say who signed; all others are the content."""
AT_ONCE = 8
"""The commits that are written or read between two pauses: about 100 µs."""

Plain = dict[str, Any]
Form = Literal["json", "msgpack"]
Item = TypeVar("Item")


class RecordSigner(Protocol):
    """The key that signs records."""

    key_id: str
    public: bytes

    def sign(self, message: bytes) -> bytes:
        """Returns the Ed25519 signature of the message."""
        ...


class RecordFormatError(FoldtableError, ValueError):
    """The bytes are not a record. The message names the deviation."""


@dataclass(frozen=True, slots=True)
class DisclosedSecret:
    """A secret that the record discloses: the salt and the value that open its commitment."""

    salt: bytes
    value: bytes


@dataclass(frozen=True, slots=True)
class Line:
    """One commit of a record. ``secrets`` has ``None`` for each secret that the record does not disclose."""

    version: int
    public: bytes
    hash: bytes
    secrets: tuple[DisclosedSecret | None, ...]

    @property
    def entry(self) -> Entry:
        """The commit as it was stored, without the values that are not disclosed."""
        values = [None if secret is None else secret.value for secret in self.secrets]
        return Entry(self.version, self.public, wire.packed_secrets(values), self.hash)


@dataclass(frozen=True, slots=True)
class Record:
    """A record that was read, but not yet verified in any respect."""

    match_id: str
    game: str
    rules: int
    sees: str
    """The viewpoint whose knowledge it claims to hold: ``all``, ``spectator`` or the number of a seat."""
    version: int
    head: bytes
    seed: bytes | None
    """The seed of the match, 32 bytes. ``None`` before the end; then draws and decisions cannot be checked."""
    lines: tuple[Line, ...]
    key: str
    public_key: bytes
    signature: bytes
    entries: tuple[Entry, ...] = field(repr=False)
    """The commits as they were stored, without the values that are not disclosed."""
    text: bytes = field(repr=False)
    """The whole record as canonical JSON."""
    signed: bytes = field(repr=False)
    """The message that the signature signs."""
    content: bytes = field(repr=False)
    """The SHA-256 of the canonical record without ``SIGNING``: the same for the same record, whoever signed it."""


# -- writing ----------------------------------------------------------------------------------------------------------


def unsigned(match: Match, entries: Sequence[Entry], seed: bytes, sees: Sees, key: str, public_key: bytes) -> Plain:
    """The record of a match for this viewpoint, without its signature. ``entries`` must be all entries of the match."""
    lines = [_line(match.id, entry, seed, sees) for entry in entries]
    return {"entries": lines} | _header(match, entries[-1], seed, sees, key, public_key)


def document(
    match: Match,
    entries: Sequence[Entry],
    seed: bytes,
    sees: Sees,
    signer: RecordSigner,
    pause: Callable[[], None],
    form: Form = "json",
) -> bytes:
    """The bytes of a signed record, as ``unsigned`` and ``written`` give them, but made commit by commit.

    Calls ``pause`` after every few commits. About 10 µs a commit.
    """
    header = _header(match, entries[-1], seed, sees, signer.key_id, signer.public)
    lines = _Lines(form)
    for entry in paced(entries, pause):
        lines.add(_line(match.id, entry, seed, sees))
    signature = signer.sign(_message(lines.text(header)))
    return lines.bytes(header | {"signature": signature.hex()})


def packed(text: bytes, pause: Callable[[], None]) -> bytes:
    """The msgpack form of a record, of its canonical JSON."""
    header = json.loads(text)
    lines = _Lines("msgpack")
    for line in paced(_emptied(header.pop("entries")), pause):
        lines.add(line)
    return lines.bytes(header)


def paced(items: Iterable[Item], pause: Callable[[], None]) -> Iterator[Item]:
    """Yields the items, with a pause after every few."""
    for number, item in enumerate(items, 1):
        yield item
        if number % AT_ONCE == 0:
            pause()


def _emptied(items: list[Any]) -> Iterator[Any]:
    """Yields the items and takes them out of the list, so that the memory of a long one is not freed all at once."""
    for place in range(len(items)):
        item, items[place] = items[place], None
        yield item


class _Lines:
    """The entries of a record as they are serialized, one after the other, each in one piece."""

    def __init__(self, form: Form) -> None:
        self._packer = msgpack.Packer() if form == "msgpack" else None
        self._texts: list[bytes] = []
        self._packed: list[bytes] = []

    def add(self, line: Plain) -> None:
        self._texts.append(canonical(line))
        if self._packer is not None:
            self._packed.append(self._packer.pack(dict(sorted(line.items()))))

    def text(self, header: Plain) -> bytes:
        """The canonical JSON of the record: ``entries`` sort before all fields of the header."""
        return b'{"entries":[' + b",".join(self._texts) + b"]," + canonical(header)[1:]

    def bytes(self, header: Plain) -> bytes:
        """The record in its form."""
        pack = self._packer
        if pack is None:
            return self.text(header)
        start = [pack.pack_map_header(len(header) + 1), pack.pack("entries"), pack.pack_array_header(len(self._packed))]
        end = [pack.pack(item) for pair in sorted(header.items()) for item in pair]
        return b"".join((*start, *self._packed, *end))


def _header(match: Match, last: Entry, seed: bytes, sees: Sees, key: str, public_key: bytes) -> Plain:
    """All fields of a record but its entries and the signature."""
    return {
        "format": FORMAT,
        "game": match.game.id,
        "head": last.hash.hex(),
        "key": key,
        "match_id": match.id,
        "public_key": public_key.hex(),
        "rules": match.table.at(0).rules,
        "seed": seed.hex() if match.ended else None,
        "sees": sight_name(sees),
        "version": last.version,
    }


def sight_name(sees: Sees) -> str:
    """The name of a viewpoint: ``all``, ``spectator`` or the number of its seat."""
    return "all" if sees is ALL else str(next(iter(sees))) if sees else "spectator"


def sight_of(name: str) -> Sees:
    """The viewpoint with this name, which must be one that ``read`` accepts."""
    return ALL if name == "all" else NOBODY if name == "spectator" else frozenset({int(name)})


def _line(match_id: str, entry: Entry, seed: bytes, sees: Sees) -> Plain:
    promised, values = wire.commitments(entry.public), wire.secret_values(entry.secrets)
    secrets: list[list[str] | None] = []
    for index, ((seats, _commitment), value) in enumerate(zip(promised, values, strict=True)):
        known = value is not None and visible(seats, sees)
        salt = hashchain.salt(seed, entry.version, index)
        secrets.append([salt.hex(), value.hex()] if known and value is not None else None)
    line: Plain = {"hash": entry.hash.hex(), "public": entry.public.hex()}
    return line | {"secrets": secrets, "version": entry.version}


def message(plain: Plain) -> bytes:
    """The message that a record's signature signs: the context and the SHA-256 of the canonical record without signature."""
    return _message(canonical(_without(plain, "signature")))


def _message(text: bytes) -> bytes:
    return CONTEXT + hashlib.sha256(text).digest()


def canonical(plain: Any) -> bytes:
    """The canonical JSON of plain data, in UTF-8 (RFC 8785, which for ASCII keys and whole numbers is just this)."""
    return json.dumps(plain, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()


def written(plain: Plain, form: Form) -> bytes:
    """Serializes a record. The msgpack form is the same data with its keys in the same order."""
    text = canonical(plain)
    return text if form == "json" else msgpack.packb(json.loads(text))


# -- reading ----------------------------------------------------------------------------------------------------------


def read(raw: bytes, form: Form = "json", pause: Callable[[], None] = lambda: None) -> Record:
    """Reads a record from its bytes, strictly. Raises ``RecordFormatError``, also for bytes that ``written`` would not give.

    Calls ``pause`` after every few commits. About 15 µs a commit.
    """
    try:
        plain = json.loads(raw.decode()) if form == "json" else msgpack.unpackb(raw)
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException) as fault:
        raise RecordFormatError(f"it is no {'JSON' if form == 'json' else 'msgpack'}") from fault
    _check_fields(plain, _FIELDS)
    header = _without(plain, "entries")
    fields = _read_header(header)
    written, lines, entries = _Lines(form), list[Line](), list[Entry]()
    # Serializing again and comparing refuses every other spelling of the same data: spaces, order or doubles of keys,
    # escapes. So in JSON and in msgpack alike, a record has one sequence of bytes.
    try:
        for given in paced(_emptied(_list_of(plain.pop("entries"))), pause):
            lines.append(_read_line(given))
            entries.append(lines[-1].entry)
            written.add(given)
        text = written.text(header)
    except UnicodeEncodeError as fault:
        raise RecordFormatError("it has text that is none") from fault
    if raw != (text if form == "json" else written.bytes(header)):
        raise RecordFormatError("it is written in another way than records are: spaces, order of keys, or digits")
    return Record(
        **fields,
        lines=tuple(lines),
        entries=tuple(entries),
        text=text,
        signed=_message(written.text(_without(header, "signature"))),
        content=hashlib.sha256(written.text(_without(header, *SIGNING))).digest(),
    )


def _without(header: Plain, *names: str) -> Plain:
    return {name: value for name, value in header.items() if name not in names}


_FIELDS = frozenset(
    {
        *("entries", "format", "game", "head", "key", "match_id", "public_key", "rules"),
        *("seed", "sees", "signature", "version"),
    }
)


def _read_header(header: Plain) -> dict[str, Any]:
    if header["format"] != FORMAT:
        raise RecordFormatError(f"its format is not {FORMAT}")
    return {
        "match_id": _text(header["match_id"]),
        "game": _text(header["game"]),
        "rules": _number(header["rules"], 1),
        "sees": _matching(SIGHT, header["sees"], "sees is all, spectator, or the number of a seat"),
        "version": _number(header["version"], 1),
        "head": _bytes(header["head"], hashchain.HASH_BYTES),
        "seed": None if header["seed"] is None else _bytes(header["seed"], SEED_BYTES),
        "key": _matching(KEY, header["key"], "the id of a key is 16 hexadecimal digits"),
        "public_key": _bytes(header["public_key"], KEY_BYTES),
        "signature": _bytes(header["signature"], SIGNATURE_BYTES),
    }


def _list_of(lines: Any) -> list[Any]:
    if not isinstance(lines, list) or not lines:
        raise RecordFormatError("its entries are no list, or there are none")
    return lines


def _read_line(line: Any) -> Line:
    _check_fields(line, {"hash", "public", "secrets", "version"})
    if not isinstance(line["secrets"], list):
        raise RecordFormatError("the secrets of an entry are no list")
    secrets = tuple(_opened(secret) for secret in line["secrets"])
    public, made = _bytes(line["public"]), _bytes(line["hash"], hashchain.HASH_BYTES)
    return Line(_number(line["version"], 1), public, made, secrets)


def _opened(secret: Any) -> DisclosedSecret | None:
    if secret is None:
        return None
    if not isinstance(secret, list) or len(secret) != 2:
        raise RecordFormatError("a secret is neither null nor its salt and its value")
    return DisclosedSecret(_bytes(secret[0], hashchain.SALT_BYTES), _bytes(secret[1]))


def _check_fields(plain: Any, names: AbstractSet[str]) -> None:
    if not isinstance(plain, dict) or plain.keys() != names:
        raise RecordFormatError(f"there is no object with exactly the fields {', '.join(sorted(names))}")


def _text(value: Any) -> str:
    if type(value) is not str:
        raise RecordFormatError("something is no text that should be")
    return value


def _matching(pattern: re.Pattern[str], value: Any, otherwise: str) -> str:
    if not pattern.fullmatch(_text(value)):
        raise RecordFormatError(otherwise)
    return _text(value)


def _number(value: Any, least: int = 0) -> int:
    if type(value) is not int or not least <= value < 2**53:
        raise RecordFormatError(f"something is no whole number from {least} on that should be")
    return value


def _bytes(value: Any, length: int | None = None) -> bytes:
    digits = _matching(DIGITS, value, "something is not written in lower-case hexadecimal digits that should be")
    made = bytes.fromhex(digits)
    if length not in (None, len(made)):
        raise RecordFormatError(f"something has {len(made)} bytes that should have {length}")
    return made
