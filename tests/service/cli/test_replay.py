"""``foldtable replay`` in a pipe and in a terminal, over the real log and over a record."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from service.adapters.embedded_server.server import EmbeddedServer
from service.cli.serve import ROOT
from tests.support.backends import Backend
from tests.support.house import House
from tests.support.http import Table

COMMAND = [sys.executable, "-m", "service.cli.main", "replay"]


@pytest.fixture
def table(valkey: Backend) -> Table:
    made = House(valkey).table("blockers")
    made.play_on(4)
    return made


def told(url: str, *arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"FOLDTABLE_REDIS_URL": url, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*COMMAND, *arguments], env=environment, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def test_in_a_pipe_it_tells_every_step_and_draws_the_last(server: EmbeddedServer, table: Table) -> None:
    ran = told(server.url, table.match_id)
    assert ran.returncode == 0
    lines = ran.stdout.splitlines()
    steps = table.host.get(f"{table.path}/replay?mode=played").shown()["steps"]
    for line, step in zip(lines, steps, strict=False):
        assert line.startswith(f"{step['version']:5}  ")
    assert "     1   2   3   4   5   6   7   8   9" in lines
    assert "To move: " in lines[-1]


def test_of_a_running_match_it_shows_what_a_spectator_sees(server: EmbeddedServer, table: Table) -> None:
    shown = told(server.url, table.match_id, "--at", "3").stdout
    assert shown.count("rack ? ? ? ? ?") == 3
    for who in ("all", "0"):
        refused = told(server.url, table.match_id, "--as", who)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr == "foldtable: While the match runs you see your own seat's side only.\n"


def test_after_the_end_anybodys_side_can_be_watched(server: EmbeddedServer, table: Table) -> None:
    table.give_up()
    assert "rack ?" not in told(server.url, table.match_id, "--at", "3").stdout
    assert told(server.url, table.match_id, "--at", "3", "--as", "1").stdout.count("rack ? ? ? ? ?") == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["00aaaaaaaaaaaaaa"], "There is no match 00aaaaaaaaaaaaaa."),
        (["../x"], "There is no match ../x."),
        (["{id}", "--at", "99"], "The match has versions 1 to 7."),
        (["{id}", "--at", "0"], "The match has versions 1 to 7."),
        (["{id}", "--as", "7"], "as is all, spectator or a seat from 0 to 2."),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_line(
    server: EmbeddedServer, table: Table, arguments: list[str], said: str
) -> None:
    ran = told(server.url, *[part.format(id=table.match_id) for part in arguments])
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", f"foldtable: {said}\n")


def test_a_record_is_watched_without_a_server(server: EmbeddedServer, table: Table, tmp_path: Path) -> None:
    before = told(server.url, table.match_id, "--at", "3").stdout
    table.host.get(f"{table.path}/record").shown()
    (tmp_path / "mine.json").write_bytes(table.host.get(f"{table.path}/record").data)
    mine = told("unix:///nowhere", "mine.json", "--at", "3", folder=tmp_path)
    assert mine.returncode == 0, mine.stderr
    assert mine.stdout.count("rack ? ? ? ? ?") == 2
    assert before.count("rack ? ? ? ? ?") == 3
    table.give_up()
    (tmp_path / "all.json").write_bytes(table.host.get(f"{table.path}/record").data)
    assert "rack ?" not in told("unix:///nowhere", "all.json", folder=tmp_path).stdout
    (tmp_path / "none.json").write_text(json.dumps({"format": 1}))
    refused = told("unix:///nowhere", "none.json", folder=tmp_path)
    assert refused.returncode == 1
    assert "is not a record that can be replayed" in refused.stderr


def test_in_a_terminal_the_arrow_keys_leaf_through_it(server: EmbeddedServer, table: Table) -> None:
    environment = os.environ | {"FOLDTABLE_REDIS_URL": server.url, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    environment |= {"LINES": "40", "COLUMNS": "100"}
    primary, secondary = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, table.match_id], env=environment, cwd=ROOT, stdin=secondary, stdout=secondary, stderr=secondary
    )
    os.close(secondary)
    try:
        assert "version 7 of 7" in screen(primary, "version 7 of 7")
        os.write(primary, b"\x1b[D")
        assert "version 6 of 7" in screen(primary, "version 6 of 7")
        os.write(primary, b"\x1b[H")
        assert "The match has not started." in screen(primary, "not started")
        os.write(primary, b"\x1b[F")
        assert "version 7 of 7" in screen(primary, "version 7 of 7")
        os.write(primary, b"q")
        screen(primary, "\x1b[?1049l")
        assert process.wait(10) == 0
    finally:
        process.kill()
        os.close(primary)


def screen(terminal: int, until: str) -> str:
    """What is written to the terminal until this has come, or for ten seconds."""
    written, deadline = "", time.monotonic() + 10
    while until not in written and time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                written += os.read(terminal, 65536).decode(errors="replace")
            except OSError:
                break
    return written
