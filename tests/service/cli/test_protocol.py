"""``foldtable protocol``: shown, and raised by an operator."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.protocol import PROTOCOL
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from service.adapters.redis.store import PROTOCOL_KEY
from service.cli.main import main


def test_an_operator_raises_the_protocol_once_every_process_is_updated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDTABLE_DATA", str(tmp_path))
    assert main(["protocol"]) == 1
    assert "There is no data" in capsys.readouterr().err
    with EmbeddedServer(tmp_path / "store") as server:
        client = connect(server.url)
        client.set(PROTOCOL_KEY, 1)
        client.close()
    assert main(["protocol"]) == 0
    assert capsys.readouterr().out == f"Matches are opened by protocol 1; this release knows {PROTOCOL}.\n"
    assert main(["protocol", "--raise"]) == 0
    assert main(["protocol"]) == 0
    assert capsys.readouterr().out == f"Matches are opened by protocol {PROTOCOL}.\n" * 2
