"""Commits as stored bytes, and back.

A commit's public part is msgpack of ``[format, at, player, token, command id, command, events, draws]``. Commands and
events are maps with an explicit name under ``type`` and, from the second shape on, a ``schema`` number; the game's
``upcasts`` lift old shapes before they are decoded. A secret stands in the public part as an extension value: one byte of
seats (a bit each) and a 32-byte commitment. Its value stands apart, as msgpack bytes, in the order in which the secrets
occur. Redaction leaves such values out.

msgpack is a pure codec; it is the one library that the domain uses.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgpack

from domain import commands, hashchain, validation
from domain.commit import Commit
from domain.errors import FoldtableError
from domain.events import EVENTS, LATER, RulesChanged
from domain.events import NAMES as EVENT_NAMES
from domain.game import AnyGame
from domain.hidden import ALL, Bag, Hidden, Seats, Secret, Sees
from domain.protocol import NEWEST, NewerProtocolError
from domain.store import Entry

FORMAT = 1
SECRET = 1
"""The msgpack extension type of a secret."""

Plain = dict[str, Any]
Converter = Callable[[Any], Any]


class UnreadableError(FoldtableError, ValueError):
    """The bytes are not a commit of this format and game."""


FAULTS = (ValueError, TypeError, LookupError, AttributeError, StopIteration, RuntimeError, validation.MalformedError)
"""The exceptions that decoding may raise on bytes that are no commit; all become ``UnreadableError``."""


_SEATS: tuple[Seats, ...] = tuple(frozenset(seat for seat in range(8) if mask >> seat & 1) for mask in range(256))
"""The set of seats, 0 to 7, for each value of the seats byte. Made once: decoding looks one up for each secret."""


def _mask(seats: Seats) -> int:
    return sum(1 << seat for seat in seats)


def game_of(first: Entry) -> tuple[str, int]:
    """The id of the game that a match's first entry opens, and the version of its rules.

    Raises ``UnreadableError``, and ``NewerProtocolError`` if only newer code can read the rest.
    """
    try:
        opened = unpack(first.public, lambda _code, _data: None)[6][0]
        game, rules, protocol = opened["game"], opened["rules"], opened.get("protocol", 1)
    except (ValueError, LookupError, TypeError, AttributeError) as fault:
        raise UnreadableError("this is not the first commit of a match") from fault
    if not isinstance(game, str) or any(type(number) is not int or number < 1 for number in (rules, protocol)):
        raise UnreadableError("a game is named by a string, its rules and a protocol by a number from 1")
    if protocol > NEWEST:
        raise NewerProtocolError(protocol)
    return game, rules


def encode(game: AnyGame, match_id: str, commit: Commit, seed: bytes, previous: bytes) -> Entry:
    """The entry that stores the commit behind the hash ``previous``. Does not read the commit's own ``hash``.

    No secret of the commit may be ``Hidden``.
    """
    last = commit.events[-1]
    codec = _codec(game.reader(last.rules) if type(last) is RulesChanged else game)
    sealer = _Sealer(codec, match_id, commit.version, seed)
    command = sealer.command(commit.command)
    events = [sealer.record(event) for event in commit.events]
    public = pack([FORMAT, commit.at, commit.player, commit.token, commit.command_id, command, events, commit.draws])
    secrets = pack(sealer.secrets) if sealer.secrets else b""
    return Entry(commit.version, public, secrets, hashchain.link(match_id, commit.version, previous, public))


def count_secrets(entry: Entry) -> int:
    """The number of secrets of an entry. Raises ``UnreadableError``."""
    return len(secret_values(entry.secrets))


def decode(game: AnyGame, entry: Entry, sees: Sees = ALL) -> Commit:
    """The commit as ``sees`` may know it: secrets of others, and values that were left out, are ``Hidden``.

    ``game``: the rules of the state before it, or after it. Raises ``UnreadableError``, and ``NewerRulesError`` for a change
    to rules that only newer code knows. Verifies no hash and no commitment: that is the audit's work.
    """
    # Every fold, replay and audit decodes each entry. So the work is prepared once a game (``_codec``), and the maps that
    # msgpack has just made are changed in place (``pop`` here, ``build`` below): nobody else holds them.
    codec = _codec(game)
    try:
        stored = unpack(entry.secrets) if entry.secrets else ()
        # msgpack calls the hook for extension values in the order of the bytes, which is the order of the secrets.
        values = iter(stored)
        fields = unpack(entry.public, lambda code, data: _opened(code, data, next(values), sees))
        layout, at, player, token, command_id, command, events, draws = fields
        if layout != FORMAT:
            raise UnreadableError(f"unknown format {layout!r}")
        happened = tuple([codec.events[event.pop("type")](event) for event in events])
        asked = codec.commands[command.pop("type")](command)
        if not happened:
            raise UnreadableError("a commit without events")
    except FAULTS as fault:
        raise UnreadableError(f"version {entry.version} is not a readable commit") from fault
    return Commit(entry.version, at, player, token, command_id, asked, happened, draws, entry.hash, len(stored))


def commitments(public: bytes) -> list[tuple[Seats, bytes]]:
    """The seats and the 32-byte commitment of each secret of a public part, in order. Raises ``UnreadableError``."""
    found: list[tuple[Seats, bytes]] = []
    try:
        unpack(public, lambda _code, data: found.append((_SEATS[data[0]], bytes(data[1:]))))
    except (ValueError, LookupError) as fault:
        raise UnreadableError("not a public part") from fault
    return found


def secret_values(secrets: bytes) -> list[bytes | None]:
    """The stored bytes of each secret, ``None`` where they were left out. Raises ``UnreadableError``."""
    try:
        values = unpack(secrets) if secrets else ()
    except ValueError as fault:
        raise UnreadableError("not a list of secrets") from fault
    if not isinstance(values, tuple) or not all(value is None or isinstance(value, bytes) for value in values):
        raise UnreadableError("not a list of secrets")
    return list(values)


def packed_secrets(values: Sequence[bytes | None]) -> bytes:
    """The bytes that store these secrets, ``None`` for one that is left out; empty bytes without any secret."""
    return pack(list(values)) if values else b""


def redacted(entry: Entry, sees: Sees) -> Entry:
    """The entry without the values that ``sees`` may not know. The public part and the hash stay.

    Raises ``UnreadableError``.
    """
    if sees is ALL or not entry.secrets:
        return entry
    seats = [seats for seats, _commitment in commitments(entry.public)]
    values = secret_values(entry.secrets)
    if len(values) != len(seats):
        raise UnreadableError(f"version {entry.version} has {len(seats)} secrets and {len(values)} values")
    kept = [value if not of.isdisjoint(sees) else None for value, of in zip(values, seats, strict=True)]
    return dataclasses.replace(entry, secrets=packed_secrets(kept))


def pack(value: Any) -> bytes:
    return msgpack.packb(value)  # type: ignore[no-any-return]


def unpack(packed: bytes, ext_hook: Callable[[int, bytes], Any] = msgpack.ExtType) -> Any:
    return msgpack.unpackb(packed, ext_hook=ext_hook, use_list=False)


def _opened(code: int, data: bytes, value: bytes | None, sees: Sees) -> Secret[Any] | Hidden:
    if code != SECRET or len(data) != 1 + hashchain.HASH_BYTES:
        raise UnreadableError("an extension that is no secret")
    seats = _SEATS[data[0]]
    if value is None or (sees is not ALL and seats.isdisjoint(sees)):
        return Hidden(seats)
    return Secret(unpack(value), seats)


# -- encoding ---------------------------------------------------------------------------------------------------------


class _Sealer:
    """Turns values into plain data, and collects their secrets, for each of which a commitment stands in the data."""

    def __init__(self, codec: _Codec, match_id: str, version: int, seed: bytes) -> None:
        self._names = codec.names
        self._schemas = codec.schemas
        self._match_id = match_id
        self._version = version
        self._seed = seed
        self.secrets: list[bytes] = []

    def secret(self, value: Any, seats: Seats) -> msgpack.ExtType:
        stored = pack(self.value(value))
        index = len(self.secrets)
        self.secrets.append(stored)
        salt = hashchain.salt(self._seed, self._version, index)
        commitment = hashchain.commitment(salt, self._match_id, self._version, index, stored)
        return msgpack.ExtType(SECRET, bytes((_mask(seats),)) + commitment)

    def value(self, value: Any) -> Any:
        if value is None or isinstance(value, (str, int)):
            return value
        if isinstance(value, Secret):
            return self.secret(value.value, value.seats)
        if isinstance(value, Bag):
            return [value.rest, self.secret(value.cards, value.seats), [self.value(card) for card in value.top]]
        if isinstance(value, (tuple, list)):
            return [self.value(item) for item in value]
        if isinstance(value, frozenset):
            return sorted(value)
        if isinstance(value, Mapping):
            return {key: self.value(item) for key, item in value.items()}
        return self.record(value)

    def record(self, value: Any) -> Plain:
        cls: Any = type(value)
        made, later = self._tag(cls), LATER.get(cls, {})
        for name in validation.names(cls):
            item = getattr(value, name)
            if name not in later or item != later[name]:
                made[validation.key(name)] = self.value(item)
        return made

    def command(self, command: Any) -> Plain:
        if not isinstance(command, commands.Move):
            return self.record(command)
        cls: Any = type(command.move)
        hidden_fields = face_down(cls)
        move = self._tag(cls)
        for field in dataclasses.fields(command.move):
            item = getattr(command.move, field.name)
            # A face-down field is written even at its default: its absence would disclose that.
            if field.name in hidden_fields:
                move[validation.key(field.name)] = self.secret(item, frozenset({command.seat}))
            elif item != field.default:
                move[validation.key(field.name)] = self.value(item)
        return {"type": "move", "seat": command.seat, "move": move}

    def _tag(self, cls: type) -> Plain:
        name = self._names.get(cls)
        if name is None:
            return {}
        schema = self._schemas.get(name)
        return {"type": name} if schema is None else {"type": name, "schema": schema}


@cache
def face_down(move: Any) -> frozenset[str]:
    """The names of the fields of a move class that only the acting seat may know."""
    hints = get_type_hints(move, include_extras=True)
    return frozenset(name for name, hint in hints.items() if _is_face_down(hint))


def _is_face_down(hint: Any) -> bool:
    """True if the mark stands anywhere in the type, as in ``Annotated[Card, FACE_DOWN] | None``."""
    return validation.FACE_DOWN in getattr(hint, "__metadata__", ()) or any(map(_is_face_down, get_args(hint)))


# -- decoding ---------------------------------------------------------------------------------------------------------


class _Codec:
    """The wire names of one game and of the kernel, and for each a function that turns its map into a value.

    Reads all annotations when it is made. A converter exists only for a field whose value msgpack does not give as it is
    (see ``_converter``), so decoding touches no other field.
    """

    def __init__(self, game: AnyGame) -> None:
        if clash := EVENTS.keys() & game.events.keys():
            raise ValueError(f"{game.id}: event names that the kernel uses: {', '.join(sorted(clash))}")
        self.names: dict[type, str] = commands.NAMES | EVENT_NAMES | game.names | {game.state: "state"}
        self._upcasts = game.upcasts
        self.schemas: dict[str, int] = {}
        """Wire name → the schema number that is written now, for names whose shape has ever changed."""
        for name, schema in game.upcasts:
            self.schemas[name] = max(schema + 1, self.schemas.get(name, 1))
        self._parts = {name: self._builder(name, cls) for name, cls in game.parts.items()}
        state = self._builder("state", game.state)
        special = {
            ("opened", "options"): lambda plain: validation.read(game.options, plain),
            ("opened", "position"): lambda plain: None if plain is None else state(_untyped(plain)),
            ("started", "state"): lambda plain: state(_untyped(plain)),
            ("rules_changed", "options"): lambda plain: validation.read(game.options, plain),
            ("rules_changed", "state"): lambda plain: state(_untyped(plain)),
        }
        self.events = {name: self._builder(name, cls, special) for name, cls in EVENTS.items()}
        self.changed_to_these_rules = self.events["rules_changed"]
        self.events["rules_changed"] = lambda plain: _codec(game.reader(plain["rules"])).changed_to_these_rules(plain)
        self.events |= {name: self._builder(name, cls) for name, cls in game.events.items()}
        self.commands = {name: self._builder(name, cls) for name, cls in commands.COMMANDS.items()}
        self._moves = {name: self._builder(name, cls, self._veiled(name, cls)) for name, cls in game.moves.items()}
        self.commands["move"] = self._command_of

    def _command_of(self, plain: Plain) -> commands.Move:
        if plain.keys() != {"seat", "move"}:
            raise ValueError("a move is a seat and a move")
        return commands.Move(plain["seat"], self._move(plain["move"]))

    def _move(self, plain: Plain) -> Any:
        name = plain.pop("type")
        for field, item in plain.items():
            if isinstance(item, Secret):
                plain[field] = item.value
        return self._moves[name](plain)

    def _veiled(self, name: str, cls: Any) -> dict[tuple[str, str], Converter]:
        """(wire name, field) → the converter of a face-down field, whose value may be ``Hidden``."""
        hints = get_type_hints(cls, include_extras=True)
        found = {(name, field): self._converter(hints[field]) for field in face_down(cls)}
        return {place: _unless_hidden(convert) for place, convert in found.items() if convert is not None}

    def _builder(self, name: str, cls: type, special: Mapping[tuple[str, str], Converter] | None = None) -> Converter:
        hints = get_type_hints(cls, include_extras=True)
        found = {
            field: (special or {}).get((name, field)) or self._converter(hints[field])
            for field in validation.names(cls)
        }
        converters = [(validation.key(field), convert) for field, convert in found.items() if convert is not None]
        renamed = [(validation.key(field), field) for field in found if validation.key(field) != field]
        latest = self.schemas.get(name, 1)

        def build(plain: Plain) -> Any:
            for field, convert in converters:
                if field in plain:
                    plain[field] = convert(plain[field])
            for key, field in renamed:
                if key in plain:
                    plain[field] = plain.pop(key)
            return cls(**plain)

        def build_lifted(plain: Plain) -> Any:
            for schema in range(plain.pop("schema", 1), latest):
                plain = self._upcasts[name, schema](plain)
            return build(plain)

        return build if latest == 1 else build_lifted

    def _converter(self, hint: Any) -> Converter | None:
        """The function that turns unpacked data into a value of this type; ``None`` if it is one already."""
        origin, args = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self._converter(args[0])
        if hint is Bag:
            return _bag
        if origin is Secret:
            return _inside_secret(self._converter(args[0]))
        if origin is Union or origin is types.UnionType:
            return self._either(args)
        if origin is tuple:
            return self._items(args)
        if origin is frozenset:
            return frozenset
        if dataclasses.is_dataclass(hint) and hint is not Hidden:
            return self._part(hint)
        return None

    def _part(self, cls: Any) -> Converter:
        build = self._builder("", cls)
        return lambda plain: build(_untyped(plain))

    def _either(self, hints: Sequence[Any]) -> Converter | None:
        records = [hint for hint in hints if dataclasses.is_dataclass(hint) and hint not in (Hidden, Bag)]
        if len(records) > 1:
            return self._tagged
        others = [found for hint in hints if (found := self._converter(hint)) is not None]
        if not others:
            return None
        if len(others) > 1:
            raise TypeError(f"cannot tell apart on the wire: {hints}")
        return lambda plain: plain if plain is None or isinstance(plain, Hidden) else others[0](plain)

    def _tagged(self, plain: Any) -> Any:
        return plain if plain is None else self._parts[plain["type"]](_untyped(plain))

    def _items(self, hints: Sequence[Any]) -> Converter | None:
        if len(hints) == 2 and hints[1] is Ellipsis:
            each = self._converter(hints[0])
            return None if each is None else lambda plain: tuple([each(item) for item in plain])
        converters = [self._converter(hint) for hint in hints]
        if not any(converters):
            return None
        return lambda plain: tuple(
            item if convert is None else convert(item) for item, convert in zip(plain, converters, strict=True)
        )


@cache
def _codec(game: AnyGame) -> _Codec:
    # A ``Game`` is compared by identity and lives as long as the process, so the cache stays as small as the list of games.
    return _Codec(game)


def _untyped(plain: Plain) -> Plain:
    plain.pop("type", None)
    return plain


def _bag(plain: Any) -> Bag:
    rest, cards, top = plain
    return Bag(None if isinstance(cards, Hidden) else cards.value, rest, cards.seats, top)


def _unless_hidden(convert: Converter) -> Converter:
    return lambda plain: plain if isinstance(plain, Hidden) else convert(plain)


def _inside_secret(convert: Converter | None) -> Converter | None:
    if convert is None:
        return None
    return lambda secret: Secret(convert(secret.value), secret.seats) if isinstance(secret, Secret) else secret
