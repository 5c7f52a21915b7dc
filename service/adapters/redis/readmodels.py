"""The read models in Valkey or Redis. All keys share the tag ``{views}``, so that one script can write any of them.

A read model has *generations*, one of which is served; a new one is built beside it. Keys of a generation begin with
``{views}:<name>:<generation>``: ``:rows`` match → row, ``:seen`` match → version that the row is of, ``:l:<list>`` sorted sets
of matches, ``:t:<subject>`` totals, ``:at`` shard → change time up to which everything is in it, ``:parked`` match → why it is
not. ``{views}:serving`` and ``{views}:previous`` name the generations, under ``<name>@<revision>``: what code of another
revision has written is as good as not there.

Writers hold a lease, and each of their writes is one script that begins by asking whether they still do.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, cast

import msgpack
import redis

from domain.store import SHARDS, Damaged
from projections import PROJECTIONS
from projections.projection import Row
from service.adapters.redis.client import answering

WRITE = files(__package__).joinpath("views.lua").read_text(encoding="utf-8")
LEASE = files(__package__).joinpath("lease.lua").read_text(encoding="utf-8")

ROOT = "{views}"
FEED, SEQUENCE = f"{ROOT}:feed", f"{ROOT}:sequence"
"""Match → number of its last change, and the last number: what live lobbies follow."""
TRASH = f"{ROOT}:trash"
"""Generations that nothing refers to any more and whose keys may still be there."""
KINDS = ("serving", "ready", "previous", "building", "built")
"""What a generation can be. ``serving`` is kept up to date, ``ready`` is read from: the same once it is complete."""
MOST_ARGUMENTS = 1000
"""Of one command: Lua can unpack a few thousand."""

_log = logging.getLogger(__name__)

Position = tuple[int, str]
"""Where in a list something stands: score and match id. Lists are read from the highest."""


class Fenced(Exception):
    """The lease is gone, so nothing was written: another may be at work by now."""


class Misfit(Exception):
    """A key of the read models holds what they do not keep there: another has written it. Logs have nothing to do with it."""


@contextmanager
def viewing() -> Iterator[None]:
    """As ``answering``, but what is of the wrong kind is no log: a ``Misfit``."""
    try:
        with answering():
            yield
    except Damaged as fault:
        raise Misfit(f"a key of the read models is of the wrong kind: {fault}") from fault


@dataclass(frozen=True, slots=True)
class Target:
    """One generation of one read model."""

    name: str
    generation: int

    def key(self, *parts: str) -> str:
        return ":".join((ROOT, self.name, str(self.generation), *parts))

    def __str__(self) -> str:
        return f"{self.name} {self.generation}"


@dataclass(frozen=True, slots=True)
class Lease:
    key: str
    token: str
    ms: int


class Batch:
    """Writes that belong together, as few commands as possible."""

    def __init__(self) -> None:
        self._puts: dict[str, dict[str, bytes | str | int]] = defaultdict(dict)
        self._drops: dict[str, set[str]] = defaultdict(set)
        self._ranks: dict[str, dict[str, float]] = defaultdict(dict)
        self._unranks: dict[str, set[str]] = defaultdict(set)
        self._sums: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self._others: list[tuple[Any, ...]] = []

    def put(self, key: str, field: str, value: bytes | str | int) -> None:
        self._puts[key][field] = value
        self._drops[key].discard(field)

    def drop(self, key: str, field: str) -> None:
        self._drops[key].add(field)
        self._puts[key].pop(field, None)

    def rank(self, key: str, member: str, score: float) -> None:
        self._ranks[key][member] = score
        self._unranks[key].discard(member)

    def unrank(self, key: str, member: str) -> None:
        self._unranks[key].add(member)
        self._ranks[key].pop(member, None)

    def add(self, key: str, field: str, amount: int) -> None:
        self._sums[key][field] += amount

    def also(self, *command: Any) -> None:
        """Any other command, after all of the above."""
        self._others.append(command)

    def commands(self) -> Iterator[tuple[Any, ...]]:
        for key, drops in self._drops.items():
            yield from _many("HDEL", key, sorted(drops))
        for key, puts in self._puts.items():
            yield from _many("HSET", key, [part for pair in puts.items() for part in pair])
        for key, members in self._unranks.items():
            yield from _many("ZREM", key, sorted(members))
        for key, ranks in self._ranks.items():
            yield from _many("ZADD", key, [part for member, score in ranks.items() for part in (repr(score), member)])
        for key, sums in self._sums.items():
            yield from (("HINCRBY", key, field, amount) for field, amount in sums.items() if amount)
        yield from self._others


def _many(name: str, key: str, parts: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    for start in range(0, len(parts), MOST_ARGUMENTS):
        yield (name, key, *parts[start : start + MOST_ARGUMENTS])


class RedisViews:
    """Read and written by name; what is in a row is the read models' affair."""

    def __init__(self, client: redis.Redis, revisions: Mapping[str, int] | None = None) -> None:
        """``revisions`` are those of the read models, by name."""
        self._client = client
        self._revisions = revisions or {name: projection.revision for name, projection in PROJECTIONS.items()}
        self._write = client.register_script(WRITE)
        self._lease = client.register_script(LEASE)

    # -- writing ------------------------------------------------------------------------------------------------------

    def claim(self, what: str, ms: int) -> Lease | None:
        """The lease on some work, for so long; ``None`` if another holds it."""
        key = f"{ROOT}:lease:{what}"
        with viewing():
            token: Any = self._lease(keys=[key, f"{ROOT}:epoch"], args=[ms])
        return None if token is None else Lease(key, token.decode(), ms)

    def write(self, lease: Lease, batch: Batch) -> None:
        """Writes everything and holds the lease on, or raises ``Fenced`` or ``Misfit`` and writes nothing. One round trip."""
        arguments: list[Any] = [lease.token, lease.ms]
        for command in batch.commands():
            arguments += (len(command), *command)
        with viewing():
            reply: Any = self._write(keys=[lease.key], args=arguments)
        if reply == 0:
            raise Fenced(lease.key)
        if reply != 1:
            raise Misfit(f"{reply.decode()} holds what no read model keeps there; delete it")

    def release(self, lease: Lease) -> None:
        """Lets the next one begin at once."""
        batch = Batch()
        batch.also("DEL", lease.key)
        self.write(lease, batch)

    # -- generations --------------------------------------------------------------------------------------------------

    def generations(self, kind: str) -> dict[str, Target]:
        """The targets of one of ``KINDS``, by name; those of another revision left out."""
        found = self._named(kind)
        return {name: found[field] for name in self._revisions if (field := self._field(name)) in found}

    def outdated(self, name: str) -> dict[str, set[Target]]:
        """What another revision has left behind: field → targets."""
        fields: dict[str, set[Target]] = {}
        for kind in KINDS:
            for field, target in self._named(kind).items():
                if target.name == name and field != self._field(name):
                    fields.setdefault(field, set()).add(target)
        return fields

    def naming(self, kind: str, target: Target) -> tuple[Any, ...]:
        """The command that makes a target the one of its kind."""
        return "HSET", f"{ROOT}:{kind}", self._field(target.name), target.generation

    def unnaming(self, kind: str, name: str) -> tuple[Any, ...]:
        """The command after which there is none of that kind."""
        return "HDEL", f"{ROOT}:{kind}", self._field(name)

    def _named(self, kind: str) -> dict[str, Target]:
        with viewing():
            found: Any = self._client.hgetall(f"{ROOT}:{kind}")
        numbers = {field.decode(): _number(number, f"{ROOT}:{kind}") for field, number in found.items()}
        return {field: Target(field.partition("@")[0], number) for field, number in numbers.items() if number}

    def _field(self, name: str) -> str:
        return f"{name}@{self._revisions[name]}"

    def next_generation(self, name: str) -> Target:
        """A new one, empty, that nothing refers to yet."""
        with viewing():
            return Target(name, int(self._client.hincrby(f"{ROOT}:generations", name, 1)))

    def serving(self, name: str) -> Target | None:
        """The target to read from; ``None`` while none has ever been complete."""
        with viewing():
            number: Any = self._client.hget(f"{ROOT}:ready", self._field(name))
        known = _number(number, f"{ROOT}:ready")
        return Target(name, known) if known else None

    def discarding(self, target: Target) -> tuple[Any, ...]:
        """The command that gives a generation up: it belongs to the write after which nothing refers to it any more."""
        return "SADD", TRASH, f"{target.name}:{target.generation}"

    def empty_trash(self) -> None:
        """Deletes all keys of the generations that were given up; what is cut off here is done the next time."""
        with viewing():
            given_up: Any = self._client.smembers(TRASH)
            for member in given_up:
                name, _colon, generation = member.decode().partition(":")
                for key in self._client.scan_iter(match=Target(name, int(generation)).key("*"), count=1000):
                    self._client.unlink(key)
                self._client.srem(TRASH, member)

    # -- reading ------------------------------------------------------------------------------------------------------

    def checkpoints(self, target: Target) -> list[int]:
        """By shard, the change time up to which everything is in it."""
        with viewing():
            found: Any = self._client.hgetall(target.key("at"))
        return [_number(found.get(str(shard).encode()), target.key("at")) for shard in range(SHARDS)]

    def rows(self, target: Target, ids: Sequence[str], field: str = "rows") -> list[Row | None]:
        """``None`` where there is none, or none that can be read: then a rebuild tells, and its promotion mends."""
        found = zip(ids, self.stored(target, ids, field), strict=True)
        return [None if data is None else _unpacked(target, match_id, data) for match_id, data in found]

    def all_rows(self, target: Target, field: str = "rows") -> Iterator[tuple[str, Any]]:
        """Those that can be read."""
        for match_id, data in self.all_stored(target, field):
            row = _unpacked(target, match_id, data)
            if row is not None:
                yield match_id, row

    def stored(self, target: Target, ids: Sequence[str], field: str = "rows") -> list[bytes | None]:
        """The bytes of rows."""
        if not ids:
            return []
        with viewing():
            found: Any = self._client.hmget(target.key(field), list(ids))
        return list(found)

    def all_stored(self, target: Target, field: str = "rows") -> Iterator[tuple[str, bytes]]:
        with viewing():
            for match_id, data in self._client.hscan_iter(target.key(field), count=500):
                yield match_id.decode(), data

    def seen(self, target: Target, match_id: str) -> int:
        """The version that the match's row is of; 0 if there is none."""
        with viewing():
            found: Any = self._client.hget(target.key("seen"), match_id)
        return _number(found, target.key("seen"))

    def known_version(self, match_id: str) -> int:
        """How far the match has been read; 0 if it is not known, or nothing is served yet. A log never gets shorter."""
        target = self.serving("summary")
        return 0 if target is None else self.seen(target, match_id)

    def page(self, target: Target, place: str, behind: Position | None, limit: int) -> list[Position]:
        """The next of a list, from the highest score, those of the same score by id; ``behind`` itself left out.

        One round trip, unless very many have the score of ``behind``.
        """
        top, start, rows = "+inf" if behind is None else behind[0], 0, list[Position]()
        while len(rows) < limit:
            with viewing():
                found: Any = self._client.zrevrangebyscore(
                    target.key("l", place), top, "-inf", start=start, num=limit + TIES, withscores=True
                )
            page = [(int(score), member.decode()) for member, score in found]
            rows += [row for row in page if behind is None or row < behind]
            start += len(page)
            if len(page) < limit + TIES:
                break
        return rows[:limit]

    def until(self, target: Target, place: str, score: int, limit: int) -> list[str]:
        """The matches of a list up to a score, from the lowest."""
        with viewing():
            found: Any = self._client.zrangebyscore(target.key("l", place), "-inf", score, start=0, num=limit)
        return [member.decode() for member in found]

    def totals(self, target: Target, subject: str) -> dict[str, int]:
        with viewing():
            found: Any = self._client.hgetall(target.key("t", subject))
        return {field.decode(): _number(amount, target.key("t", subject)) for field, amount in found.items()}

    def amounts(self, target: Target, subject: str, names: Sequence[str]) -> list[int]:
        """Some of the totals of a subject."""
        with viewing():
            found: Any = self._client.hmget(target.key("t", subject), list(names))
        return [_number(amount, target.key("t", subject)) for amount in found]

    def parked(self, target: Target) -> dict[str, Any]:
        return dict(self.all_rows(target, "parked"))

    def contents(self, target: Target) -> dict[str, Any]:
        """Everything of a generation but where it stands in the change index: for comparison."""
        kept: dict[str, Any] = {}
        with viewing():
            for key in self._client.scan_iter(match=target.key("*"), count=1000):
                name = key.decode().removeprefix(target.key()).removeprefix(":")
                if name != "at":
                    kept[name] = self._content(key)
        return kept

    def _content(self, key: bytes) -> Any:
        kind: Any = self._client.type(key)
        if kind == b"zset":
            return self._client.zrange(key, 0, -1, withscores=True)
        if kind == b"set":
            return self._client.smembers(key)
        found: Any = self._client.hgetall(key)
        # A total that went back to nothing is as good as none.
        return {field: value for field, value in found.items() if value != b"0"}

    def asked_again(self) -> dict[str, int]:
        """The matches that are to be done once more, and a change time of each."""
        with viewing():
            found: Any = self._client.hgetall(f"{ROOT}:retry")
        return {match_id.decode(): _number(at, f"{ROOT}:retry") for match_id, at in found.items()}

    def feed_end(self) -> int:
        """The number of the newest change of the lobby."""
        with viewing():
            found: Any = self._client.get(SEQUENCE)
        return _number(found, SEQUENCE)

    def feed(self, behind: int, limit: int) -> list[Position]:
        """The matches that changed behind a number, each with that of its last change, in order."""
        with viewing():
            found: Any = self._client.zrangebyscore(FEED, f"({behind}", "+inf", start=0, num=limit, withscores=True)
        return [(int(score), member.decode()) for member, score in found]

    @property
    def client(self) -> redis.Redis:
        return self._client


TIES = 32
"""How many more are asked for: those of the score where the last page ended, of which there are two at most as a rule."""


def packed(row: Mapping[str, Any] | Sequence[Any]) -> bytes:
    made: bytes = msgpack.packb(row)
    return made


def _number(data: bytes | None, where: str) -> int:
    """0 for none, and for what is no number: then what depends on it is done again, or made anew."""
    try:
        return int(data or 0)
    except ValueError:
        _log.error("%s holds what is no number", where)
        return 0


def _unpacked(target: Target, match_id: str, data: bytes) -> Row | None:
    try:
        return cast(Row, msgpack.unpackb(data))
    except (ValueError, msgpack.UnpackException):
        _log.error("the row of match %s in %s cannot be read", match_id, target)
        return None
