"""The product as ``foldtable serve`` runs it, started again whenever it ends, and what can be done to its processes."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from service.adapters.embedded_server.server import free_port
from service.cli.serve import ROOT
from tests.support.serving import children

BETWEEN = 4.0
"""Seconds between two faults, about."""
PATIENCE = 40.0
"""Seconds after which something that should come back has not."""
FROZEN = 2.0


class House:
    """``foldtable serve`` on a folder, started again whenever it has ended."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._folder = folder
        self._stopping = False
        self._process = self._started()
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self._keeper.start()

    @property
    def url(self) -> str:
        """Of its database."""
        return str(self._recorded()["url"])

    def _started(self) -> subprocess.Popen[bytes]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
        places = {
            "FOLDTABLE_DATA": str(self._folder / "data"),
            "FOLDTABLE_PORT": str(self.port),
            # All clients of the load have one address.
            "FOLDTABLE_LIMITS": "off",
            "PYTHONPATH": str(ROOT),
        }
        with (self._folder / "output").open("ab") as output:
            command = [sys.executable, "-m", "service.cli.main", "serve"]
            return subprocess.Popen(command, env=kept | places, stdout=output, stderr=output, cwd=self._folder)

    def _keep(self) -> None:
        while not self._stopping:
            self._process.wait()
            if not self._stopping:
                self._process = self._started()

    def stop(self) -> None:
        self._stopping = True
        self._process.terminate()
        self._process.wait(PATIENCE)

    def _recorded(self) -> Any:
        return json.loads((self._folder / "data/store/server.json").read_text())

    def supervisor(self) -> int:
        return self._process.pid

    def database(self) -> int:
        return int(self._recorded()["pid"])

    def web(self, dice: random.Random) -> int:
        """One of the web processes."""
        return dice.choice(children(self._named("gunicorn")))

    def worker(self) -> int:
        return self._named("service.worker")

    def _named(self, what: str) -> int:
        """The process of the Procfile that runs this; between it and the supervisor there is one that passes on output."""
        for relay in children(self._process.pid):
            for pid in children(relay):
                if what in _command(pid):
                    return pid
        raise LookupError(what)


def _command(pid: int) -> str:
    return subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def freeze(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)
    time.sleep(FROZEN)
    os.kill(pid, signal.SIGCONT)


FAULTS: dict[str, Callable[[House, random.Random], None]] = {
    "a web process is killed": lambda house, dice: kill(house.web(dice)),
    "a web process is frozen": lambda house, dice: freeze(house.web(dice)),
    "the database is killed": lambda house, dice: kill(house.database()),
    "the database is frozen": lambda house, dice: freeze(house.database()),
    "the worker is killed": lambda house, dice: kill(house.worker()),
    "the worker is frozen": lambda house, dice: freeze(house.worker()),
    "the supervisor is killed": lambda house, dice: kill(house.supervisor()),
    "the house is told to stop": lambda house, dice: os.kill(house.supervisor(), signal.SIGTERM),
}


def trouble(house: House, seconds: float, dice: random.Random) -> Counter[str]:
    """Does one thing after another, each as often as the others, for so long; how often each."""
    end, done, waiting = time.monotonic() + seconds, Counter[str](), list[str]()
    while time.monotonic() < end:
        waiting = waiting or dice.sample(sorted(FAULTS), len(FAULTS))
        name = waiting.pop()
        # Something that has just ended cannot be harmed; that is no reason to stop.
        with suppress(OSError, LookupError, IndexError, ValueError, KeyError):
            FAULTS[name](house, dice)
            done[name] += 1
        time.sleep(dice.uniform(0.5, 1.5) * BETWEEN)
    return done
