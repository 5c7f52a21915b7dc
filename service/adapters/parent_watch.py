"""Lets processes notice that their supervisor has ended, even by SIGKILL, on every Unix and through any shell in between.

The supervisor holds a record lock on a file as long as it lives; its processes try to take the lock now and then. A record
lock belongs to one process: forks and shells do not inherit it, and a zombie does not keep it. The file holds the pid of
the holder and a token, by which the processes of an earlier holder see that their own holder has ended.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from domain.errors import FoldtableError

LOOK_SECONDS = 0.5
PATIENCE_SECONDS = 0.5
"""The wait for the lock. Longer than a watching process may hold it while it checks."""


class HeldError(FoldtableError):
    """Another process holds the file; ``holder`` is its pid, or empty if unknown."""

    def __init__(self, holder: str) -> None:
        super().__init__(f"held by process {holder}")
        self.holder = holder


class Hold:
    """Holds the lock on a file until ``release``. Raises ``HeldError``.

    Nothing else in this process may open that file: POSIX drops a record lock as soon as *any* descriptor of it is closed.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("a+")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not _take(self._file):
            if time.monotonic() > deadline:
                self._file.seek(0)
                raise HeldError(self._file.read().partition(" ")[0])
            time.sleep(0.02)
        self._file.seek(0)
        self.after_kill = bool(self._file.read())
        """True if the previous holder was killed, so that its processes may still be ending."""
        token = secrets.token_hex(8)
        self._write(f"{os.getpid()} {token}")
        self.name = f"{path}#{token}"
        """Names this hold to ``watch`` and ``is_gone``."""

    def release(self) -> None:
        self._write("")
        self._file.close()

    def _write(self, text: str) -> None:
        self._file.truncate(0)
        self._file.write(text)
        self._file.flush()


def is_gone(name: str) -> bool:
    """Returns whether the process with this hold has ended. That process itself must not ask: see ``Hold``."""
    path, _, token = name.rpartition("#")
    try:
        with open(path, "r+") as file:
            return file.read().partition(" ")[2] != token or _take(file)
    except FileNotFoundError:
        return True


def watch(name: str, ended: Callable[[], None]) -> None:
    """Calls ``ended`` from a thread (a greenlet under gevent) once the holder has ended."""

    def poll() -> None:
        while not is_gone(name):
            time.sleep(LOOK_SECONDS)
        ended()

    threading.Thread(target=poll, daemon=True, name="parent-watch").start()


def _take(file: IO[str]) -> bool:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
