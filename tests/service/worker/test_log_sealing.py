"""Logs of older releases are audited and signed once; from then on a log without a signature is a fault."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.games import all_games
from service import config
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.memory.store import MemoryStore
from service.adapters.redis.client import connect
from service.adapters.redis.store import RedisStore, meta_key
from service.cli.audit import every_match, sweep
from service.cli.main import main
from service.integrity.heads import NOTE, Sealer, SealsRequired
from service.integrity.receipts import take_up_key
from service.integrity.signers import signer_of
from service.worker.log_sealing import DONE_SECONDS, WAIT_SECONDS, LogSealing
from tests.support.house import Clock
from tests.support.projecting import GAMES, playings
from tests.support.seals import FOREIGN_SEALS, SIGNER, seal
from tests.support.views import append

OLD = Path(__file__).parents[2] / "compatibility" / "data_0_1"


class World:
    def __init__(self, note: Path | None = None) -> None:
        self.store = MemoryStore()
        self.store.raise_protocol(2)
        for playing in playings():
            append(self.store, playing, 0, 30)
        self.store._seals.clear()
        self.required = SealsRequired(self.store, note)
        self.seals = Sealer(SIGNER, self.required)

    def sealing(self) -> LogSealing:
        return LogSealing(self.store, GAMES, self.seals, self.required, Clock(5), time.monotonic)


@pytest.fixture
def world() -> World:
    return World()


def test_every_log_that_holds_is_sealed_once_and_that_is_noted(world: World, caplog: pytest.LogCaptureFixture) -> None:
    bad = playings()[1].match_id
    del world.store._logs[bad][2]
    assert world.sealing().step(60.0) == DONE_SECONDS
    assert world.store._seals.keys() == {playing.match_id for playing in playings()} - {bad}
    assert world.store.sealed_since() == 5
    assert f"sealed the logs of {len(playings()) - 1} matches" in caplog.text
    world.store._seals.clear()
    assert world.sealing().step(60.0) == DONE_SECONDS
    assert not world.store._seals, "once is once: who takes a seal away later gets none"


def test_a_pass_that_is_interrupted_at_every_point_seals_all(world: World) -> None:
    for _life in range(3):
        world.sealing().step(0.0)
    sealing = world.sealing()
    while sealing.step(0.0) != DONE_SECONDS:
        pass
    assert len(world.store._seals) == len(playings())


def test_it_does_not_begin_as_long_as_an_older_process_may_write(world: World) -> None:
    world.store._protocol = 1
    assert world.sealing().step(60.0) == WAIT_SECONDS
    assert not world.store._seals
    assert world.store.sealed_since() is None


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[RedisStore, config.Settings]]:
    """A data folder of 0.1.0 that this release has started on."""
    folder = tmp_path / "data"
    shutil.copytree(OLD, folder)
    with EmbeddedServer(folder / "store") as server:
        environment = {"FOLDTABLE_DATA": str(folder), "FOLDTABLE_REDIS_URL": server.url}
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        settings = config.read(environment)
        take_up_key(settings.signing_key, folder / "keys.json", 1_800_000_000_000)
        store = RedisStore(connect(server.url))
        store.raise_protocol(2)
        yield store, settings


def test_the_matches_of_version_0_1_are_signed_once_and_are_good_then(
    old: tuple[RedisStore, config.Settings], capsys: pytest.CaptureFixture[str]
) -> None:
    store, settings = old
    required = SealsRequired(store, settings.data / NOTE)
    seals = Sealer(signer_of(settings), required)
    assert main(["audit", "--all"]) == 0, "before, a log without a signature is as it always was"
    LogSealing(store, all_games(), seals, required, Clock(9), time.monotonic).step(60.0)
    assert json.loads((settings.data / NOTE).read_text()) == {"since": 9}
    results = list(sweep(store, every_match(store), seals=seals))
    assert results
    assert all(found.result.ok for found in results)
    assert main(["audit", "--all"]) == 0
    client = store._client
    client.hdel(meta_key(results[0].match_id), "signed", "mac")
    client.delete("foldtable:sealed")
    capsys.readouterr()
    assert main(["audit", "--all"]) == 1
    assert f"{results[0].match_id}: version {results[0].versions}: wrong_signature. " in capsys.readouterr().out
    assert main(["audit", "--all", "--seal", "--release"]) == 0
    assert main(["audit", "--all"]) == 0


def test_a_log_sealed_by_somebody_else_is_not_taken_for_an_old_one(world: World) -> None:
    match_id = playings()[0].match_id
    seal(world.store, match_id, FOREIGN_SEALS)
    forged = world.store._seals[match_id]
    world.sealing().step(60.0)
    assert world.store._seals[match_id] == forged
