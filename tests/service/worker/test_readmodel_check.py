"""Read models are compared with the log, and what somebody else changed in them is found and repaired."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import fakeredis
import msgpack
import pytest

from domain.store import SHARDS
from projections import PROJECTIONS
from projections.ratings import ordinal
from service.adapters.redis.readmodels import key
from service.adapters.redis.store import RedisStore, meta_key, stream_key
from service.ports.readmodels import Target
from service.readmodels.rebuild import rebuild
from service.worker.loop import Worker
from service.worker.readmodel_check import FIRST_SECONDS, LEAST_REST, SYNC_SECONDS, ReadModelCheck
from tests.support.projecting import GAMES, playings
from tests.support.views import append, contents, expected, read_models, stored, worker

Edit = Callable[["World"], None]


class World:
    def __init__(self) -> None:
        self.client = fakeredis.FakeRedis()
        self.store, self.views = RedisStore(self.client), read_models(self.client)
        lease = self.views.claim("projector", 600_000)
        assert lease is not None
        for playing in playings():
            append(self.store, playing, 0, 30)
        self.worker: Worker = worker(self.client, self.store, self.views, GAMES, lease)
        self.project()
        self.time = 0.0

    def project(self) -> None:
        self.worker.step(set(range(SHARDS)))

    def check(self, meanwhile: Callable[[], None] = lambda: None) -> ReadModelCheck:
        """One whole round, in the smallest slices, with the worker's other work between any two of them."""
        check = ReadModelCheck(self.store, self.views, GAMES, lambda: self.time)
        self.worker._check = check
        assert check.step(0.0) == FIRST_SECONDS
        while check.step(0.0) in (0.0, SYNC_SECONDS):
            meanwhile()
            self.project()
        return check

    def served(self, name: str) -> Target:
        return self.views.generations("serving")[name]

    def key(self, name: str, *part: str) -> str:
        return key(self.served(name), *part)

    def is_as_the_log(self) -> bool:
        return all(
            stored(contents(self.client, self.served(name))) == expected(self.store, GAMES, name)
            for name in PROJECTIONS
        )


@pytest.fixture
def world() -> World:
    return World()


def rated(world: World) -> tuple[str, str]:
    """A game with a leaderboard, and the best player."""
    board = next(part for part in sorted(world.views.parts(world.served("ratings"))) if part.startswith("board:"))
    game = board.partition(":")[2]
    return game, world.views.leaders(world.served("ratings"), game, 0, 1)[0]


def place_on_a_leaderboard(world: World) -> None:
    game, player = rated(world)
    world.client.zadd(world.key("ratings", "board", game), {player: 99.0})


def rating(world: World) -> None:
    game, player = rated(world)
    world.client.hset(world.key("ratings", "r", game), player, msgpack.packb([99.0, 1.0]))
    assert ordinal((99.0, 1.0)) > 90


def stranger_on_a_leaderboard(world: World) -> None:
    world.client.zadd(world.key("ratings", "board", rated(world)[0]), {"p-stranger": 99.0})


def row(world: World) -> None:
    table = world.key("summary", "rows")
    match_id = playings()[0].match_id
    found: Any = world.client.hget(table, match_id)
    world.client.hset(table, match_id, msgpack.packb(msgpack.unpackb(found) | {"winners": [9]}))


def lost_row(world: World) -> None:
    world.client.hdel(world.key("history", "rows"), playings()[0].match_id)


def place_in_a_list(world: World) -> None:
    lists = sorted(part for part in world.views.parts(world.served("lobby")) if part.startswith("l:"))
    world.client.zadd(world.key("lobby", *lists[0].split(":")), {"00stranger": 1})


def total(world: World) -> None:
    totals = sorted(part for part in world.views.parts(world.served("statistics")) if part.startswith("t:"))
    table = world.key("statistics", *totals[0].split(":"))
    name: Any = world.client.hkeys(table)
    world.client.hincrby(table, name[0].decode(), 5)


EDITS: list[tuple[str, Edit]] = [
    ("ratings", place_on_a_leaderboard),
    ("ratings", rating),
    ("ratings", stranger_on_a_leaderboard),
    ("summary", row),
    ("history", lost_row),
    ("lobby", place_in_a_list),
    ("statistics", total),
]


@pytest.mark.parametrize(("name", "edit"), EDITS, ids=[edit.__name__ for _name, edit in EDITS])
def test_what_was_changed_in_the_store_is_reported_and_repaired(
    world: World, name: str, edit: Edit, caplog: pytest.LogCaptureFixture
) -> None:
    edit(world)
    assert not world.is_as_the_log()
    world.check()
    assert world.is_as_the_log()
    assert world.views.alarms().keys() == {f"read model {name}"}
    assert f"alarm: read model {name} had " in caplog.text
    assert world.views.serving(name) == world.served(name)


def test_read_models_that_follow_from_the_log_are_left_alone(world: World, caplog: pytest.LogCaptureFixture) -> None:
    before, keys = world.views.generations("serving"), set(world.client.keys())
    world.check()
    assert world.views.generations("serving") == before
    assert world.views.alarms() == {}
    assert set(world.client.keys()) - keys <= {b"{views}:trash"}
    assert "alarm" not in caplog.text
    assert world.views.generations("building") == {}


def test_matches_that_go_on_during_the_comparison_are_no_difference(world: World) -> None:
    left = iter([(number, version) for version in range(30, 40) for number in (6, 7, 5)])

    def play_on() -> None:
        if (place := next(left, None)) is not None and len(playings()[place[0]].entries) > place[1]:
            append(world.store, playings()[place[0]], place[1], place[1] + 1)

    world.check(play_on)
    assert world.views.alarms() == {}
    assert world.is_as_the_log()


def test_a_build_of_an_operator_is_not_disturbed(world: World) -> None:
    built = rebuild(world.store, world.views, GAMES, "lobby", lambda _done: None)
    place_in_a_list(world)
    world.check()
    assert world.views.generations("built") == {"lobby": built}
    assert world.views.alarms() == {}
    held = world.views.claim("build:summary", 600_000)
    assert held is not None
    row(world)
    world.check()
    assert world.views.alarms() == {}


def test_matches_that_the_log_has_lost_are_left_to_the_audit(world: World, caplog: pytest.LogCaptureFixture) -> None:
    lost = playings()[2].match_id
    world.client.delete(stream_key(lost), meta_key(lost))
    world.client.zrem(f"{{s{lost[:2]}}}:matches", lost)
    world.check()
    assert world.views.alarms() == {}
    assert world.views.seen(world.served("summary"), lost) > 0
    assert "was not compared with the log" in caplog.text


def test_a_worker_that_dies_in_the_middle_leaves_nothing_that_the_next_one_does_not_clear(world: World) -> None:
    first = ReadModelCheck(world.store, world.views, GAMES, lambda: 0.0)
    first.step(0.0)
    for _ in range(3):
        first.step(0.0)
    assert world.views.generations("building")
    for name in PROJECTIONS:
        world.client.delete(f"{{views}}:lease:build:{name}")
    del first
    world.check()
    assert world.views.generations("building") == {}
    assert world.is_as_the_log()


def test_the_pause_between_two_rounds_has_a_bound_and_follows_from_the_work(world: World) -> None:
    check = ReadModelCheck(world.store, world.views, GAMES, lambda: world.time)
    world.worker._check = check
    assert check.step(0.0) == FIRST_SECONDS
    rest = 0.0
    while rest in (0.0, SYNC_SECONDS):
        rest = check.step(0.0)
        world.project()
    assert rest == LEAST_REST
