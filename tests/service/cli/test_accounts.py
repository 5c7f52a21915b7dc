"""``foldtable seal-accounts``, and the start over a database that another key seals."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from service.adapters.redis.players import RedisPlayers
from service.adapters.system import SystemClock
from service.cli.serve import ROOT
from service.players.adoption import take_up
from service.players.credentials import Seal
from tests.support.accounts import account


def foldtable(command: str, folder: Path, url: str) -> subprocess.CompletedProcess[str]:
    places = {"FOLDTABLE_DATA": str(folder), "FOLDTABLE_REDIS_URL": url, "PYTHONPATH": str(ROOT)}
    called = [sys.executable, "-m", "service.cli.main", command]
    return subprocess.run(called, env=os.environ | places, capture_output=True, text=True, check=False, timeout=60)


def test_a_lost_key_ends_the_start_in_one_line_and_can_be_replaced(tmp_path: Path) -> None:
    (first := tmp_path / "first").mkdir()
    (second := tmp_path / "second").mkdir()
    with EmbeddedServer(tmp_path / "store") as server:
        client = connect(server.url)
        players = RedisPlayers(client, SystemClock())
        take_up(first, players, is_final=True)
        assert players.create(account("a" * 16, "Ann"))
        refused = foldtable("serve", second, server.url)
        assert refused.returncode == 1
        assert "seal-accounts" in refused.stderr
        assert "Traceback" not in refused.stderr
        done = foldtable("seal-accounts", second, server.url)
        assert (done.returncode, done.stdout.startswith("Sealed 1 accounts")) == (0, True), done.stderr
        seal = take_up(second, players, is_final=True)
        record = players.token("a" * 16, "00000001")
        assert record is not None
        assert seal.holds("a" * 16, record)
        assert not Seal(b"another").holds("a" * 16, record)
        client.close()
