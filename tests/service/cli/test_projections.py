"""``foldtable projections`` as it is typed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from domain.games import all_games
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from service.adapters.redis.readmodels import key
from service.adapters.redis.store import RedisStore
from service.cli.serve import ROOT
from service.ports.readmodels import packed
from tests.support.playing import Setup, played
from tests.support.processes import within
from tests.support.views import append, read_models
from tests.support.worker_world import World

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(server: EmbeddedServer, tmp_path: Path) -> Iterator[Run]:
    """Runs it over a log with four matches whose lists are kept."""
    world = World(server.url, tmp_path)
    game = all_games()["blockers"]
    for seed in range(4):
        playing = played(Setup(game, 2, game.options(), seed, undo="consent"))
        append(world.store, playing, 0, len(playing.entries))
    worker = world.work()
    assert within(20, lambda: world.views.serving("ratings") is not None)
    environment = os.environ | {"FOLDTABLE_REDIS_URL": server.url, "PYTHONPATH": str(ROOT), "COLUMNS": "120"}

    def typed(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "service.cli.main", "projections", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)

    yield typed
    worker.kill()
    worker.wait()


def test_status_tells_every_read_model_and_the_audit(run: Run) -> None:
    told = run("status")
    assert told.returncode == 0
    for name in ("summary", "lobby", "history", "statistics", "ratings"):
        assert name in told.stdout
    assert re.search(r"audit: \d (match|matches) verified in the last 24 hours, 0 failed", told.stdout)


def test_rebuild_promote_and_roll_back(run: Run, server: EmbeddedServer) -> None:
    views = read_models(connect(server.url))
    built = run("rebuild", "ratings")
    assert built.returncode == 0, built.stderr
    assert "identical to ratings 1" in built.stdout
    assert "4/4 matches" in built.stdout
    assert run("promote", "ratings").returncode == 0
    serving = views.serving("ratings")
    assert serving is not None
    assert serving.generation == 2
    assert run("rollback", "ratings").returncode == 0
    serving = views.serving("ratings")
    assert serving is not None
    assert serving.generation == 1


def test_what_cannot_be_done_is_told_in_one_line(run: Run) -> None:
    told = run("promote", "lobby")
    assert told.returncode == 1
    assert (
        told.stderr
        == "foldtable: there is no build of lobby to promote; foldtable projections rebuild lobby makes one\n"
    )
    assert run("rebuild", "chess").returncode == 2


def test_parked_matches_are_listed_and_done_again(run: Run, server: EmbeddedServer) -> None:
    client = connect(server.url)
    views, store = read_models(client), RedisStore(client)
    target = views.serving("lobby")
    assert target is not None
    match = store.newest(1)[0]
    client.hset(key(target, "parked"), match.match_id, b"\x82\xa2at\x01\xa6reason\xa8KeyError")
    assert run("parked").stdout == f"{target} {match.match_id}: KeyError\n"
    assert "the worker will project 1 match again" in run("retry", match.match_id).stdout
    assert within(10, lambda: views.parked(target) == {})
    for action in ("parked", "retry"):
        assert (run(action).stdout, run(action).returncode) == ("nothing is parked\n", 0)
    assert "the worker will project 1 match again" in run("retry", match.match_id).stdout
    wrong = run("retry", "00nothing")
    assert (wrong.stderr, wrong.returncode) == ("foldtable: there is no match 00nothing\n", 1)


def test_differences_are_told_field_by_field_and_by_the_exit_code(run: Run, server: EmbeddedServer) -> None:
    client = connect(server.url)
    views = read_models(client)
    target = views.serving("summary")
    assert target is not None
    (first, row), (second, _row), *_ = sorted(views.all_rows(target))
    client.hset(key(target, "rows"), first, packed(row | {"turn": 99}))
    client.hset(key(target, "rows"), second, b"\xc1")
    told = run("rebuild", "summary")
    assert told.returncode == 3
    assert f"  rows {first}: turn 99 → {row['turn']}\n" in told.stdout
    assert f"  rows {second}: an unreadable value → a row\n" in told.stdout
    assert "2 differences from summary 1\n" in told.stdout


def test_a_database_that_does_not_answer_is_told_in_one_line() -> None:
    environment = os.environ | {"FOLDTABLE_REDIS_URL": "redis://127.0.0.1:1", "PYTHONPATH": str(ROOT)}
    for action in (["status"], ["rebuild", "lobby"], ["parked"]):
        command = [sys.executable, "-m", "service.cli.main", "projections", *action]
        told = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
        assert (told.returncode, told.stdout, told.stderr.count("\n")) == (1, "", 1), told.stderr


def test_a_worker_without_a_database_says_so_in_one_line() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "FOLDTABLE_REDIS_URL"}
    command = [sys.executable, "-m", "service.worker"]
    told = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60, cwd=ROOT)
    assert (told.returncode, told.stderr.count("\n")) == (1, 1)
    assert "FOLDTABLE_REDIS_URL is not set" in told.stderr
