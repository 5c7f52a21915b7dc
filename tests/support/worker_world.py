"""A worker process on a real server, and the service whose log it follows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from domain.games import all_games
from projections import PROJECTIONS
from service.adapters.redis.client import connect
from service.adapters.redis.store import RedisStore
from service.cli.serve import ROOT
from tests.support.seals import SIGNING_KEY
from tests.support.views import contents, expected, read_models, stored


class World:
    def __init__(self, url: str, folder: Path) -> None:
        self.client = connect(url)
        self.client.flushall()
        (folder / "signing.key").write_text(SIGNING_KEY)
        self.store, self.views = RedisStore(self.client), read_models(self.client)
        self._environment = os.environ | {
            "FOLDTABLE_REDIS_URL": url,
            "FOLDTABLE_DATA": str(folder),
            "PYTHONPATH": str(ROOT),
        }
        self.workers: list[subprocess.Popen[bytes]] = []

    def work(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen([sys.executable, "-m", "service.worker"], env=self._environment)
        self.workers.append(process)
        return process

    def holder(self) -> bytes | None:
        found: bytes | None = self.client.get("{views}:lease:projector")  # type: ignore[assignment]
        return found

    def is_up_to_date(self) -> bool:
        targets = self.views.generations("serving")
        return targets.keys() == PROJECTIONS.keys() and all(
            stored(contents(self.client, target)) == expected(self.store, all_games(), name)
            for name, target in targets.items()
        )
