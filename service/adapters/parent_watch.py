"""Lets processes notice that their supervisor is gone, also after SIGKILL, on every Unix, through any shell between.

The supervisor holds a record lock on a file as long as it lives; the others try now and then to get it. A record lock
belongs to one process: forks and shells do not inherit it, and a dead process that nobody has waited for does not keep it.
The file names the holder's pid and a token, by which the processes of an earlier holder see that theirs is gone.
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
"""Longer than the moment for which a process that looks may have the lock."""


class HeldError(FoldtableError):
    """Another process holds the file; ``holder`` is its pid as far as known."""

    def __init__(self, holder: str) -> None:
        super().__init__(f"held by process {holder}")
        self.holder = holder


class Hold:
    """Holds the file's lock until ``release``. Raises ``HeldError``.

    Nothing else in this process may open that file: closing it again would give up the lock.
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
        """Whether the holder before this one was killed: its processes may be about to end only now."""
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
    """Whether the process with this hold is gone. Not for that process itself."""
    path, _, token = name.rpartition("#")
    try:
        with open(path, "r+") as file:
            return file.read().partition(" ")[2] != token or _take(file)
    except FileNotFoundError:
        return True


def watch(name: str, ended: Callable[[], None]) -> None:
    """Calls ``ended``, from a thread (or greenlet, where threads are), once the holder is gone."""

    def look() -> None:
        while not is_gone(name):
            time.sleep(LOOK_SECONDS)
        ended()

    threading.Thread(target=look, daemon=True, name="parent-watch").start()


def _take(file: IO[str]) -> bool:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
