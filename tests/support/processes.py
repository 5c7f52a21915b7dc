"""Looking at real processes."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable

from service.adapters.embedded_server.server import EmbeddedServer


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.02)
    return holds()


def runs(pid: int) -> bool:
    """Whether there is such a process that is not just waiting to be buried."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


def crash(server: EmbeddedServer) -> None:
    """Ends the server at once and waits for its end; ``start`` starts it again."""
    process = server._process
    assert process is not None
    process.kill()
    process.wait()
