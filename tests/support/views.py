"""Read models made a second time, in plain Python, from whole logs: what the stored ones must be equal to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import msgpack
import redis

from domain import wire
from domain.game import AnyGame
from domain.hashchain import GENESIS
from domain.rulebook import game_of
from domain.store import SHARDS, Sealing, Store
from projections import PROJECTIONS, REVISIONS
from projections.match_facts import begun
from projections.ratings import Rating, ordinal, rated
from service.adapters.redis.aof import RedisAppendOnlyFile
from service.adapters.redis.heartbeat import RedisHeartbeat
from service.adapters.redis.players import RedisPlayers
from service.adapters.redis.readmodels import RedisReadModels, key, lease_key, read_model_errors
from service.adapters.system import SystemClock, SystemEntropy
from service.ports import FineClock
from service.ports.readmodels import Lease, ReadModels, Target
from service.worker.loop import Parts, Worker
from tests.support.playing import Playing
from tests.support.seals import SEALS, SIGNER


def read_models(client: redis.Redis, revisions: Mapping[str, int] = REVISIONS) -> RedisReadModels:
    """The read models of a server."""
    return RedisReadModels(client, revisions)


def worker(
    client: redis.Redis,
    store: Store,
    views: ReadModels,
    games: Mapping[str, AnyGame],
    lease: Lease,
    clock: FineClock | None = None,
) -> Worker:
    """A worker as its process puts it together."""
    accounts, file = RedisPlayers(client, clock or SystemClock()), RedisAppendOnlyFile(client)
    parts = Parts(
        store=store,
        views=views,
        games=games,
        accounts=accounts,
        file=file,
        clock=clock or SystemClock(),
        entropy=SystemEntropy(),
        signer=SIGNER,
        heartbeat=RedisHeartbeat(client),
    )
    return Worker(parts, lease)


def let_expire(client: redis.Redis, lease: Lease) -> None:
    """Takes a lease away, as the end of its time does."""
    client.delete(lease_key(lease.work))


def contents(client: redis.Redis, target: Target) -> dict[str, Any]:
    """Everything of a generation but where it stands in the change index: for comparison."""
    kept: dict[str, Any] = {}
    with read_model_errors():
        for found in client.scan_iter(match=key(target, "*"), count=1000):
            name = found.decode().removeprefix(key(target)).removeprefix(":")
            if name != "at":
                kept[name] = _content(client, found)
    return kept


def _content(client: redis.Redis, key: bytes) -> Any:
    kind: Any = client.type(key)
    if kind == b"zset":
        return client.zrange(key, 0, -1, withscores=True)
    if kind == b"set":
        return client.smembers(key)
    found: Any = client.hgetall(key)
    # A total that went back to nothing is as good as none.
    return {field: value for field, value in found.items() if value != b"0"}


def append(store: Store, playing: Playing, start: int, end: int) -> None:
    """Versions ``start`` + 1 to ``end`` of a playing, as a service writes them."""
    entries = playing.entries[start:end]
    previous = playing.entries[start - 1].hash if start and entries else GENESIS
    for entry in entries:
        sealing = Sealing(
            SEALS.mac(playing.match_id, entry.version - 1, previous),
            SEALS.seal(playing.match_id, entry.version, entry.hash),
        )
        store.append(playing.match_id, entry, previous, playing.seed if entry.version == 1 else None, sealing)
        previous = entry.hash


def expected(store: Store, games: Mapping[str, AnyGame], name: str) -> dict[str, Any]:
    """All of a read model as it must stand after everything that is in the log."""
    projection = PROJECTIONS[name]
    rows, seen = dict[str, Any](), dict[str, int]()
    places: dict[str, dict[str, float]] = defaultdict(dict)
    totals: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for changed in (row for shard in range(SHARDS) for row in store.changes(shard)):
        entries = store.read(changed.match_id)
        game = game_of(games, entries[0])
        story = begun(changed.match_id, game, wire.decode(game, entries[0]))
        for entry in entries[1:]:
            story = story.after(wire.decode(story.match.game, entry))
        seen[changed.match_id] = story.match.version
        row = projection.row(story)
        if row is None:
            continue
        rows[changed.match_id] = row
        for place, score in projection.places(row).items():
            places[f"l:{place}"][changed.match_id] = changed.at if score is None else score
        for subject, amounts in projection.totals(row).items():
            for count, amount in amounts.items():
                totals[f"t:{subject}"][count] += amount
    made: dict[str, Any] = {"seen": seen, "rows": rows, **places}
    made |= {key: {count: amount for count, amount in counts.items() if amount} for key, counts in totals.items()}
    if projection.across is not None:
        made |= expected_ratings(rows)
    return {key: value for key, value in made.items() if value}


def expected_ratings(results: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What follows from results, folded once in their order."""
    now: dict[str, dict[str, Rating]] = defaultdict(dict)
    after: dict[str, Any] = {}
    for match_id, result in sorted(results.items(), key=lambda pair: (pair[1]["at"], pair[0])):
        new = rated(dict(result), now[result["game"]])
        now[result["game"]] |= new
        after[match_id] = {player: list(rating) for player, rating in new.items()}
    made: dict[str, Any] = {"after": after}
    for game, players in now.items():
        made[f"r:{game}"] = {player: list(rating) for player, rating in players.items()}
        made[f"board:{game}"] = {player: ordinal(rating) for player, rating in players.items()}
    return made


def stored(contents: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept, as ``expected`` makes it."""
    return {name: _plain(name, kept) for name, kept in contents.items() if kept}


def _plain(name: str, kept: Any) -> Any:
    if name.startswith(("l:", "board:")):
        return {member.decode(): score for member, score in kept}
    unpack = int if name == "seen" or name.startswith("t:") else msgpack.unpackb
    return {field.decode(): unpack(value) for field, value in kept.items()}
