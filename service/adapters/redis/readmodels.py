"""The read models in Valkey or Redis. All keys share the tag ``{views}``, so that one script can write any of them.

A read model has *generations*, one of which is served; a new one is built beside it. Keys of a generation begin with
``{views}:<name>:<generation>``: ``:rows`` match → row, ``:seen`` match → version of the row, ``:l:<list>`` sorted sets of
matches, ``:t:<subject>`` totals, ``:at`` shard → change time up to which all changes are included, ``:parked`` match → the
reason why it is not included. ``{views}:serving`` and ``{views}:previous`` name the generations, under ``<name>@<revision>``:
code ignores the generations of another revision.

Writers hold a lease, and each of their writes is one script that first checks whether they still hold it.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from typing import Any, cast

import msgpack
import redis

from domain.store import SHARDS, DamagedError
from service.adapters.redis.client import translated_errors
from service.adapters.redis.notifications import READ_MODELS_CHANNEL
from service.ports.readmodels import (
    KINDS,
    AddMembers,
    Announce,
    Batch,
    Clear,
    Discard,
    EndFeed,
    FencedError,
    ForeignDataError,
    Lease,
    NameGeneration,
    Position,
    Row,
    Step,
    Target,
    UnnameGeneration,
)

WRITE = files(__package__).joinpath("views.lua").read_text(encoding="utf-8")
LEASE = files(__package__).joinpath("lease.lua").read_text(encoding="utf-8")

ROOT = "{views}"
FEED, SEQUENCE = f"{ROOT}:feed", f"{ROOT}:sequence"
"""Match → number of its last change, and the last number; live lobbies follow it."""
TRASH = f"{ROOT}:trash"
"""Discarded generations whose keys may still exist."""
RETRIES = f"{ROOT}:retry"
ALARMS = f"{ROOT}:alarms"
"""Subject → text, until an operator clears it."""
AUDITED, FAILED = f"{ROOT}:audit:at", f"{ROOT}:audit:failed"
"""Match → when it was last verified (ms), and its fault."""
MOST_ARGUMENTS = 1000
"""The most arguments of one command: Lua's ``unpack`` fails at a few thousand."""

TIES = 32
"""Extra members a page reads, for those with the same score as the cursor: rarely more than two."""

Command = tuple[Any, ...]

_log = logging.getLogger(__name__)


@contextmanager
def read_model_errors() -> Iterator[None]:
    """Translates errors as the client does, but a key of another type to ``ForeignDataError``: it is not part of a log."""
    try:
        with translated_errors():
            yield
    except DamagedError as fault:
        raise ForeignDataError(f"a key of the read models holds a value of the wrong type: {fault}") from fault


def key(target: Target, *names: str) -> str:
    """Returns the key of a part of a generation."""
    return _key(target.part(*names))


def lease_key(work: str) -> str:
    """Returns the key of the lease on some work."""
    return f"{ROOT}:lease:{work}"


def _key(part: str) -> str:
    return f"{ROOT}:{part}"


def _many(name: str, key: str, pieces: Sequence[Any]) -> Iterator[Command]:
    for start in range(0, len(pieces), MOST_ARGUMENTS):
        yield (name, key, *pieces[start : start + MOST_ARGUMENTS])


class RedisReadModels:
    """The port ``ReadModels``, which documents each method."""

    def __init__(self, client: redis.Redis, revisions: Mapping[str, int]) -> None:
        """``revisions``: read model name → revision of the installed code."""
        self._client = client
        self._revisions = revisions
        self._write = client.register_script(WRITE)
        self._lease = client.register_script(LEASE)

    # -- writing ------------------------------------------------------------------------------------------------------

    def claim(self, work: str, ms: int) -> Lease | None:
        with read_model_errors():
            token: Any = self._lease(keys=[lease_key(work), f"{ROOT}:epoch"], args=[ms])
        return None if token is None else Lease(work, token.decode(), ms)

    def is_claimed(self, work: str) -> bool:
        with read_model_errors():
            return bool(self._client.exists(lease_key(work)))

    def write(self, lease: Lease, batch: Batch) -> None:
        self._run(lease, self._commands(batch))

    def release(self, lease: Lease) -> None:
        self._run(lease, [("DEL", lease_key(lease.work))])

    def _run(self, lease: Lease, commands: Iterable[Command]) -> None:
        arguments: list[Any] = [lease.token, lease.ms]
        for command in commands:
            arguments += (len(command), *command)
        with read_model_errors():
            reply: Any = self._write(keys=[lease_key(lease.work)], args=arguments)
        if reply == 0:
            raise FencedError(lease.work)
        if reply != 1:
            raise ForeignDataError(f"the key {reply.decode()} holds a value of the wrong type; delete it")

    def _commands(self, batch: Batch) -> Iterator[Command]:
        """Yields the batch as commands, as few as possible: each costs the server a call from Lua."""
        for part, drops in batch.drops.items():
            yield from _many("HDEL", _key(part), sorted(drops))
        for part, puts in batch.puts.items():
            yield from _many("HSET", _key(part), [piece for pair in puts.items() for piece in pair])
        for part, members in batch.unranks.items():
            yield from _many("ZREM", _key(part), sorted(members))
        for part, ranks in batch.ranks.items():
            pairs = [piece for member, score in ranks.items() for piece in (repr(score), member)]
            yield from _many("ZADD", _key(part), pairs)
        for part, sums in batch.sums.items():
            yield from (("HINCRBY", _key(part), name, amount) for name, amount in sums.items() if amount)
        yield from map(self._command, batch.steps)

    def _command(self, step: Step) -> Command:
        match step:
            case AddMembers(part, members):
                return "SADD", _key(part), *members
            case Clear(part):
                return "DEL", _key(part)
            case NameGeneration(kind, target):
                return "HSET", _key(kind), self._field(target.name), target.generation
            case UnnameGeneration(kind, name):
                return "HDEL", _key(kind), self._field(name)
            case Discard(target):
                return "SADD", TRASH, f"{target.name}:{target.generation}"
            case EndFeed(number):
                return "SET", SEQUENCE, number
            case Announce(what):
                return "PUBLISH", READ_MODELS_CHANNEL, what

    # -- generations --------------------------------------------------------------------------------------------------

    def generations(self, kind: str) -> dict[str, Target]:
        found = self._named(kind)
        return {name: found[field] for name in self._revisions if (field := self._field(name)) in found}

    def outdated(self, name: str) -> dict[str, set[Target]]:
        fields: dict[str, set[Target]] = {}
        for kind in KINDS:
            for field, target in self._named(kind).items():
                if target.name == name and field != self._field(name):
                    fields.setdefault(field, set()).add(target)
        return fields

    def _named(self, kind: str) -> dict[str, Target]:
        with read_model_errors():
            found: Any = self._client.hgetall(f"{ROOT}:{kind}")
        numbers = {field.decode(): _number(number, f"{ROOT}:{kind}") for field, number in found.items()}
        return {field: Target(field.partition("@")[0], number) for field, number in numbers.items() if number}

    def _field(self, name: str) -> str:
        return f"{name}@{self._revisions[name]}"

    def next_generation(self, name: str) -> Target:
        with read_model_errors():
            return Target(name, int(self._client.hincrby(f"{ROOT}:generations", name, 1)))

    def serving(self, name: str) -> Target | None:
        with read_model_errors():
            number: Any = self._client.hget(f"{ROOT}:ready", self._field(name))
        known = _number(number, f"{ROOT}:ready")
        return Target(name, known) if known else None

    def empty_trash(self) -> None:
        for _step in self.emptying_trash():
            pass

    def emptying_trash(self) -> Iterator[None]:
        with read_model_errors():
            discarded: Any = self._client.smembers(TRASH)
        for member in discarded:
            name, _colon, generation = member.decode().partition(":")
            for page in self._key_pages(Target(name, int(generation))):
                with read_model_errors():
                    if page:
                        self._client.unlink(*page)
                yield
            # Last, so that a crash in between leaves the generation listed and it is deleted the next time.
            with read_model_errors():
                self._client.srem(TRASH, member)

    def _key_pages(self, target: Target) -> Iterator[list[bytes]]:
        """Yields the keys of a generation in pages of one round trip each; scans all keys of the server."""
        cursor = 0
        while True:
            with read_model_errors():
                found: Any = self._client.scan(cursor, match=key(target, "*"), count=1000)
            cursor, page = found
            yield page
            if cursor == 0:
                return

    # -- reading ------------------------------------------------------------------------------------------------------

    def checkpoints(self, target: Target) -> list[int]:
        with read_model_errors():
            found: Any = self._client.hgetall(key(target, "at"))
        return [_number(found.get(str(shard).encode()), key(target, "at")) for shard in range(SHARDS)]

    def rows(self, target: Target, ids: Sequence[str], table: str = "rows") -> list[Row | None]:
        found = zip(ids, self.stored(target, ids, table), strict=True)
        return [None if data is None else _unpacked(target, match_id, data) for match_id, data in found]

    def all_rows(self, target: Target, table: str = "rows") -> Iterator[tuple[str, Any]]:
        for match_id, data in self.all_stored(target, table):
            row = _unpacked(target, match_id, data)
            if row is not None:
                yield match_id, row

    def stored(self, target: Target, ids: Sequence[str], table: str = "rows") -> list[bytes | None]:
        if not ids:
            return []
        with read_model_errors():
            found: Any = self._client.hmget(key(target, table), list(ids))
        return list(found)

    def all_stored(self, target: Target, table: str = "rows") -> Iterator[tuple[str, bytes]]:
        with read_model_errors():
            for match_id, data in self._client.hscan_iter(key(target, table), count=500):
                yield match_id.decode(), data

    def size(self, target: Target) -> int:
        with read_model_errors():
            return int(self._client.hlen(key(target, "rows")))

    def seen(self, target: Target, match_id: str) -> int:
        with read_model_errors():
            found: Any = self._client.hget(key(target, "seen"), match_id)
        return _number(found, key(target, "seen"))

    def known_version(self, match_id: str) -> int:
        target = self.serving("summary")
        return 0 if target is None else self.seen(target, match_id)

    def page(self, target: Target, place: str, after: Position | None, limit: int) -> list[Position]:
        top, start, rows = "+inf" if after is None else after[0], 0, list[Position]()
        while len(rows) < limit:
            with read_model_errors():
                found: Any = self._client.zrevrangebyscore(
                    key(target, "l", place), top, "-inf", start=start, num=limit + TIES, withscores=True
                )
            page = [(int(score), member.decode()) for member, score in found]
            rows += [row for row in page if after is None or row < after]
            start += len(page)
            if len(page) < limit + TIES:
                break
        return rows[:limit]

    def until(self, target: Target, place: str, score: int, limit: int) -> list[str]:
        with read_model_errors():
            found: Any = self._client.zrangebyscore(key(target, "l", place), "-inf", score, start=0, num=limit)
        return [member.decode() for member in found]

    def since(self, target: Target, place: str, score: int, skipped: int, limit: int) -> list[Position]:
        with read_model_errors():
            found: Any = self._client.zrangebyscore(
                key(target, "l", place), score, "+inf", start=skipped, num=limit, withscores=True
            )
        return [(int(at), member.decode()) for member, at in found]

    def totals(self, target: Target, subject: str) -> dict[str, int]:
        with read_model_errors():
            found: Any = self._client.hgetall(key(target, "t", subject))
        return {field.decode(): _number(amount, key(target, "t", subject)) for field, amount in found.items()}

    def amounts(self, target: Target, subject: str, names: Sequence[str]) -> list[int]:
        with read_model_errors():
            found: Any = self._client.hmget(key(target, "t", subject), list(names))
        return [_number(amount, key(target, "t", subject)) for amount in found]

    def parked(self, target: Target) -> dict[str, Any]:
        return dict(self.all_rows(target, "parked"))

    # -- ratings ------------------------------------------------------------------------------------------------------

    def marks(self, target: Target) -> dict[str, Position]:
        with read_model_errors():
            found: Any = self._client.hgetall(key(target, "mark"))
        marks = ((group.decode(), msgpack.unpackb(mark)) for group, mark in found.items())
        return {group: (mark[0], mark[1]) for group, mark in marks}

    def touched(self, target: Target, group: str) -> list[str]:
        with read_model_errors():
            found: Any = self._client.smembers(key(target, "touched", group))
        return sorted(player.decode() for player in found)

    def leaders(self, target: Target, group: str, start: int, limit: int) -> list[str]:
        with read_model_errors():
            found: Any = self._client.zrevrange(key(target, "board", group), start, start + limit - 1)
        return [player.decode() for player in found]

    def places(self, target: Target, player: str, groups: Sequence[str]) -> list[int | None]:
        with read_model_errors(), self._client.pipeline(transaction=False) as pipe:
            for group in groups:
                pipe.zrevrank(key(target, "board", group), player)
            return list(pipe.execute())

    def standings(self, target: Target, asked: Sequence[tuple[str, str]]) -> list[tuple[Any, int]]:
        with read_model_errors(), self._client.pipeline(transaction=False) as pipe:
            for player, group in asked:
                pipe.hget(key(target, "r", group), player)
                pipe.zcard(key(target, "l", f"p:{group}:{player}"))
            found: list[Any] = pipe.execute()
        values = [None if data is None else msgpack.unpackb(data) for data in found[::2]]
        return list(zip(values, found[1::2], strict=True))

    # -- whole parts --------------------------------------------------------------------------------------------------

    def parts(self, target: Target) -> set[str]:
        return set[str]().union(*self.part_pages(target))

    def part_pages(self, target: Target) -> Iterator[set[str]]:
        for page in self._key_pages(target):
            yield {found.decode().removeprefix(key(target) + ":") for found in page}

    def ranking(self, target: Target, part: str) -> dict[str, float]:
        with read_model_errors():
            found: Any = self._client.zrange(key(target, part), 0, -1, withscores=True)
        return {member.decode(): score for member, score in found}

    def table(self, target: Target, part: str) -> dict[str, bytes]:
        with read_model_errors():
            found: Any = self._client.hgetall(key(target, part))
        return {name.decode(): value for name, value in found.items()}

    # -- the feed, retries and audits ---------------------------------------------------------------------------------

    def retries(self) -> dict[str, int]:
        with read_model_errors():
            found: Any = self._client.hgetall(RETRIES)
        return {match_id.decode(): _number(at, RETRIES) for match_id, at in found.items()}

    def feed_end(self) -> int:
        with read_model_errors():
            found: Any = self._client.get(SEQUENCE)
        return _number(found, SEQUENCE)

    def feed(self, after: int, limit: int) -> list[Position]:
        with read_model_errors():
            found: Any = self._client.zrangebyscore(FEED, f"({after}", "+inf", start=0, num=limit, withscores=True)
        return [(int(score), member.decode()) for member, score in found]

    def request_retry(self, changes: Mapping[str, int]) -> None:
        with read_model_errors():
            self._client.hset(RETRIES, mapping=dict(changes.items()))

    def raise_alarm(self, subject: str, text: str) -> bool:
        with read_model_errors():
            return bool(self._client.hsetnx(ALARMS, subject, text))

    def alarms(self) -> dict[str, str]:
        with read_model_errors():
            found: Any = self._client.hgetall(ALARMS)
        return {subject.decode(): text.decode(errors="replace") for subject, text in found.items()}

    def clear_alarms(self, subjects: Collection[str]) -> None:
        if subjects:
            with read_model_errors():
                self._client.hdel(ALARMS, *subjects)

    def count_audited(self, since: int) -> int:
        with read_model_errors():
            return int(self._client.zcount(AUDITED, since, "+inf"))

    def audit_faults(self) -> dict[str, bytes]:
        with read_model_errors():
            found: Any = self._client.hgetall(FAILED)
        return {match_id.decode(): fault for match_id, fault in found.items()}

    def audited(self, ids: Sequence[str]) -> list[tuple[int | None, bool]]:
        with read_model_errors():
            when: Any = self._client.zmscore(AUDITED, list(ids))
            faults: Any = self._client.hmget(FAILED, list(ids))
        pairs = zip(when, faults, strict=True)
        return [(None if at is None else int(at), fault is not None) for at, fault in pairs]


def _number(data: bytes | None, where: str) -> int:
    """Reads a number; returns 0 for none, or for another value: then the work that depends on it is done again."""
    try:
        return int(data or 0)
    except ValueError:
        _log.error("%s holds a value that is not a number", where)
        return 0


def _unpacked(target: Target, match_id: str, data: bytes) -> Row | None:
    try:
        return cast(Row, msgpack.unpackb(data))
    except (ValueError, msgpack.UnpackException):
        _log.error("cannot read the row of match %s in %s", match_id, target)
        return None
