"""The service as it runs: gunicorn with the product's own settings, on a real server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from benchmarks.client import Connection
from service.adapters.embedded_server.server import free_port
from service.adapters.redis.client import connect
from service.players.adoption import KEY, KEY_BYTES
from tests.support.seals import SIGNING_KEY

START_SECONDS = 20.0
OPERATOR = "the-operators-token"


@contextmanager
def served(
    folder: Path, url: str, output: IO[bytes] | None = None, /, **settings: str
) -> Iterator[tuple[int, list[int]]]:
    """Gives the port and the pids of the web processes. ``output`` takes what they log."""
    port = free_port()
    # All folders of tests are over one database, so they share the keys.
    (folder / "signing.key").write_text(SIGNING_KEY)
    (folder / KEY).write_text("17" * KEY_BYTES)
    (folder / "operator.token").write_text(OPERATOR + "\n")
    # A test before this one may have sealed accounts in this database by a key of its own.
    client = connect(url)
    client.delete("{players}:sealed-by")
    client.close()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
    # Most tests are about other things, and their clients all have one address.
    places = {
        "FOLDTABLE_LIMITS": "off",
        "FOLDTABLE_REDIS_URL": url,
        "FOLDTABLE_DATA": str(folder),
        "FOLDTABLE_PORT": str(port),
    }
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "--config",
        "python:service.web.gunicorn_conf",
        "service.web.app:create_app()",
    ]
    process = subprocess.Popen(command, env=kept | places | settings, start_new_session=True, stderr=output)
    try:
        workers = int(settings.get("FOLDTABLE_WEB_WORKERS", "2"))
        await_port(port)
        while len(pids := children(process.pid)) < workers:
            time.sleep(0.05)
        yield port, pids
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def await_port(port: int) -> None:
    """Until something answers there."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            connection = Connection(port)
            connection.get("/healthz")
            connection.close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the service does not start")


def children(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = (line.split() for line in listed.splitlines())
    return [int(child) for child, parent in pairs if int(parent) == pid]
