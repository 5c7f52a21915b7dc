"""The worker as a process, on a real server: killed, frozen, replaced."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from domain import wire
from domain.commands import Dispute
from domain.events import DisputeLapsed
from domain.games import all_games
from service.adapters.embedded_server.server import EmbeddedServer
from service.integrity.audit import audit_stored
from tests.support.dice import RandomDice
from tests.support.playing import Playing, Setup, any_move, play_on, played, player
from tests.support.processes import within
from tests.support.seals import STRICT_SEALS
from tests.support.views import append
from tests.support.worker_world import World

GAMES = all_games()
TAKEOVER_SECONDS = 10


@pytest.fixture
def world(server: EmbeddedServer, tmp_path: Path) -> Iterator[World]:
    made = World(server.url, tmp_path)
    yield made
    for process in made.workers:
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.wait()
    made.client.close()


@pytest.fixture(scope="module")
def matches() -> list[Playing]:
    game = GAMES["blockers"]
    return [played(Setup(game, 3, game.options(), seed, undo="consent")) for seed in range(6)]


def play(
    world: World, matches: list[Playing], start: int, end: int, between: Callable[[], None] = lambda: None
) -> None:
    for version in range(start, end, 5):
        for playing in matches:
            append(world.store, playing, version, min(version + 5, end))
        between()


def test_a_worker_killed_again_and_again_under_load_leaves_every_list_as_a_fold_from_zero(
    world: World, matches: list[Playing]
) -> None:
    world.work()

    def kill() -> None:
        time.sleep(0.2)
        world.workers[-1].kill()
        world.client.delete("{views}:lease:projector")  # as its time runs out
        world.work()

    play(world, matches, 0, 15, kill)
    play(world, matches, 15, 80)
    assert within(20, world.is_up_to_date)


def test_what_somebody_else_has_written_stops_no_worker_for_good(world: World, matches: list[Playing]) -> None:
    play(world, matches, 0, 5)
    worker = world.work()
    assert within(20, world.is_up_to_date)
    world.client.set("{views}:feed", "x")
    world.client.hset("{views}:serving", "summary@1", "abc")
    play(world, matches, 5, 10)
    time.sleep(2)
    assert worker.poll() is None
    world.client.delete("{views}:feed")
    assert within(20, world.is_up_to_date)
    assert worker.poll() is None


def test_a_standby_takes_over_within_ten_seconds(world: World, matches: list[Playing]) -> None:
    first = world.work()
    assert within(20, lambda: world.holder() is not None)
    before = world.holder()
    world.work()
    play(world, matches, 0, 10)
    first.kill()
    play(world, matches, 10, 20)
    began = time.monotonic()
    assert within(TAKEOVER_SECONDS, lambda: world.holder() not in (None, before))
    assert within(TAKEOVER_SECONDS - (time.monotonic() - began), world.is_up_to_date)


def test_a_frozen_owner_that_wakes_up_finds_another_at_work_and_stands_by(world: World, matches: list[Playing]) -> None:
    first = world.work()
    assert within(20, lambda: world.holder() is not None)
    before = world.holder()
    world.work()
    first.send_signal(signal.SIGSTOP)
    play(world, matches, 0, 10)
    assert within(TAKEOVER_SECONDS, lambda: world.holder() not in (None, before))
    after = world.holder()
    first.send_signal(signal.SIGCONT)
    play(world, matches, 10, 30)
    assert within(10, world.is_up_to_date)
    assert world.holder() == after
    assert first.poll() is None


def test_a_dispute_that_nobody_rules_on_is_recorded_as_lapsed_and_every_list_knows(world: World) -> None:
    """The match was played years ago, so its time is over at once. The log holds, decisions included."""
    game = GAMES["blockers"]
    lapsing = Playing(Setup(game, 2, game.options(), 1_000_007, protocol=2))
    play_on(lapsing, any_move, RandomDice(7), lapsing.match.version + 3)
    assert lapsing.do(Dispute(0, lapsing.match.version, "Not so."), player(0)) is None
    assert lapsing.match.status == "frozen"
    append(world.store, lapsing, 0, lapsing.match.version)
    world.work()
    assert within(20, lambda: len(world.store.read(lapsing.match_id)) > lapsing.match.version)
    (*_before, last) = world.store.read(lapsing.match_id)
    commit = wire.decode(game, last)
    assert (commit.player, commit.events) == ("house", (DisputeLapsed(1, lapsing.match.version - 1),))
    assert within(10, world.is_up_to_date)
    (row,) = world.views.rows(world.views.generations("serving")["lobby"], [lapsing.match_id])
    assert row is not None
    assert (row["status"], row["due_at"]) == ("live", None)
    *_versions, audited = audit_stored(world.store, GAMES, STRICT_SEALS, lapsing.match_id)
    assert audited is not None
    assert audited.ok


def test_a_worker_that_is_told_to_stop_lets_the_next_one_begin_at_once(world: World) -> None:
    first = world.work()
    assert within(20, lambda: world.holder() is not None)
    first.send_signal(signal.SIGTERM)
    assert first.wait(5) == 0
    assert world.holder() is None
