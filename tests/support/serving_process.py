"""``foldtable serve`` as a process."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from service.cli.serve import ROOT

SERVE = "import sys; from service.cli.main import main; sys.exit(main())"


@dataclass(slots=True)
class Serving:
    """A running ``foldtable serve`` and where its output goes."""

    process: subprocess.Popen[bytes]
    port: int
    output: Path

    def said(self) -> str:
        return self.output.read_text()

    def visit(self) -> tuple[int, int]:
        """(the how manieth visitor this is, pid of the web process that answered)"""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=5) as answer:
            number, pid = answer.read().split()
        return int(number), int(pid)

    def answers(self) -> bool:
        try:
            return bool(self.visit())
        except OSError:
            return False

    def pid_of(self, name: str) -> int:
        found = re.search(rf"{name} started \(pid=(\d+)\)", self.said())
        assert found is not None
        return int(found[1])

    def end(self, how: signal.Signals, within: float = 15) -> int:
        self.process.send_signal(how)
        return self.process.wait(within)


def launch(folder: Path, output: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
    # Most tests are about other things, and their clients all have one address.
    places = {
        "FOLDTABLE_LIMITS": "off",
        "FOLDTABLE_DATA": str(folder / "data"),
        "PYTHONPATH": str(ROOT),
        "FOLDTABLE_WEB_WORKERS": "2",
    }
    with output.open("wb") as file:
        return subprocess.Popen(
            [sys.executable, "-c", SERVE, "serve", "--procfile", str(folder / "Procfile")],
            stdout=file,
            stderr=subprocess.STDOUT,
            env=kept | places | environment,
            cwd=folder,
        )
