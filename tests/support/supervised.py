"""The real service over HTTP: supervisor, server and web process."""

from __future__ import annotations

import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.adapters.embedded_server.server import free_port
from tests.support.processes import within
from tests.support.serving_process import Serving, launch

PROCFILE = Path(__file__).parents[2] / "Procfile"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a real one listens."""
    folder = tmp_path_factory.mktemp("docs")
    shutil.copy(PROCFILE, folder)
    port = free_port()
    process = launch(folder, folder / "output", {"FOLDTABLE_PORT": str(port), "FOLDTABLE_WEB_WORKERS": "1"})
    found = f"http://127.0.0.1:{port}"
    try:
        assert within(30, lambda: answers(found)), Serving(process, port, folder / "output").said()
        yield found
    finally:
        process.terminate()
        process.wait(15)


def answers(address: str) -> bool:
    try:
        return bool(fetched(f"{address}/readyz"))
    except OSError:
        return False


def fetched(url: str) -> tuple[str, str, str]:
    """Type, policy and text of what answers with 200; anything else raises."""
    try:
        answer = urllib.request.urlopen(url, timeout=10)
    except urllib.error.HTTPError as refused:
        refused.close()  # It holds the connection; its code and headers stay.
        raise
    with answer:
        assert answer.status == 200
        headers = answer.headers
        text = answer.read().decode("utf-8", "replace")
        return headers["Content-Type"], headers.get("Content-Security-Policy", ""), text
