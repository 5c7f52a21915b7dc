"""The whole house as ``foldtable serve`` runs it: real worker processes, real database, real sockets, and SIGKILL."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks.client import Connection, enter
from service.adapters.embedded_server.server import free_port
from service.cli.serve import ROOT
from tests.support.processes import within

SERVE = "import sys; from service.cli.main import main; sys.exit(main())"
GUIDE = ROOT / "docs" / "first-match.md"


class House:
    """A served data folder, which can be left suddenly and entered again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.starts = 0

    def start(self) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
        environment = kept | {"FOLDTABLE_DATA": str(self.folder / "data"), "FOLDTABLE_PORT": str(self.port)}
        with (self.folder / "output").open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-c", SERVE, "serve"],
                cwd=self.folder,
                env=environment | {"PYTHONPATH": str(ROOT)},
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.starts += 1
        assert within(60, self.welcomes), self.said()

    def said(self) -> str:
        return (self.folder / "output").read_text()

    def welcomes(self) -> bool:
        """Whether the newest start says that it answers; until then those of the start before may still do."""
        return self.said().count("Foldtable listens") == self.starts

    def members(self) -> list[int]:
        """Every process of the house, by the data folder in its environment."""
        found = []
        for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
            with suppress(OSError):
                if entry.name.isdigit() and str(self.folder).encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
        return found

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(20)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    made.start()
    yield made
    made.stop()


def call(connection: Connection, method: str, path: str, body: Any = None) -> Any:
    status, data = (
        connection.get(f"/api/v1{path}") if method == "GET" else connection.post(f"/api/v1{path}", body or {})
    )
    assert status in (200, 201), data
    return json.loads(data)


def seated(house: House, seats: int) -> list[Connection]:
    return [Connection(house.port, enter(house.port, f"Player {seat}")) for seat in range(seats)]


def play(clients: list[Connection], match_id: str, moves: int) -> None:
    """Listed moves by whoever is to move, until the end or so many."""
    for _ in range(moves):
        to_move = call(clients[0], "GET", f"/matches/{match_id}")["to_move"]
        if not to_move:
            return
        client = clients[to_move[0]]
        listed = call(client, "GET", f"/matches/{match_id}/moves")["moves"]
        call(client, "POST", f"/matches/{match_id}/moves", {"move": listed[len(listed) // 2]})


def opened(clients: list[Connection]) -> str:
    match_id: str = call(clients[0], "POST", "/matches", {"game": "blockers", "seats": len(clients)})["match_id"]
    for client in clients[1:]:
        call(client, "POST", f"/matches/{match_id}/seats")
    return match_id


def tokens_again(house: House, clients: list[Connection]) -> list[Connection]:
    """The same players over new connections."""
    return [client.again(house.port) for client in clients]


def test_three_clients_play_to_the_end_and_every_version_of_the_replay_answers(house: House) -> None:
    clients = seated(house, 3)
    match_id = opened(clients)
    play(clients, match_id, 1000)
    live = call(clients[1], "GET", f"/matches/{match_id}")
    assert live["status"] == "finished"
    assert live["version"] == 75
    moments = [call(clients[1], "GET", f"/matches/{match_id}/replay/{v}") for v in range(1, live["version"] + 1)]
    assert moments[-1]["state"] == live["state"]
    assert call(clients[1], "GET", f"/matches/{match_id}/audit")["ok"] is True


def test_after_everything_is_killed_a_new_start_finds_the_match_as_it_was(house: House) -> None:
    clients = seated(house, 3)
    match_id = opened(clients)
    play(clients, match_id, 20)
    before = [call(client, "GET", f"/matches/{match_id}") for client in clients]
    for pid in house.members():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert house.process is not None
    house.process.wait(10)
    house.start()
    clients = tokens_again(house, clients)
    assert [call(client, "GET", f"/matches/{match_id}") for client in clients] == before
    assert call(clients[0], "GET", f"/matches/{match_id}/audit")["ok"] is True
    play(clients, match_id, 3)


def test_after_the_supervisor_alone_is_killed_a_new_start_finds_the_match_as_it_was(house: House) -> None:
    clients = seated(house, 3)
    match_id = opened(clients)
    play(clients, match_id, 10)
    before = [call(client, "GET", f"/matches/{match_id}") for client in clients]
    orphans = set(house.members())
    assert house.process is not None
    house.process.kill()
    house.process.wait(10)
    assert within(30, lambda: not orphans & set(house.members())), "what the supervisor had started runs on"
    house.start()
    clients = tokens_again(house, clients)
    assert [call(client, "GET", f"/matches/{match_id}") for client in clients] == before
    play(clients, match_id, 3)


def killed(house: House) -> None:
    for pid in house.members():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert house.process is not None
    house.process.wait(10)


def test_bots_move_and_time_runs_out_but_not_while_everything_was_killed(house: House) -> None:
    (ann,) = seated(house, 1)
    settings = {"game": "territories", "seats": 2, "bots": {"1": "greedy"}, "clock": {"turn": 12, "answer": 12}}
    match_id = call(ann, "POST", "/matches", settings)["match_id"]

    def is_mine() -> bool:
        return bool(call(ann, "GET", f"/matches/{match_id}")["to_move"] == [0])

    for _ in range(2):
        assert within(30, is_mine)
        play([ann], match_id, 1)
    assert within(30, is_mine)
    killed(house)
    time.sleep(12)
    house.start()
    (ann,) = tokens_again(house, [ann])
    shown = call(ann, "GET", f"/matches/{match_id}")
    assert shown["status"] == "live"
    assert within(60, lambda: call(ann, "GET", f"/matches/{match_id}")["status"] == "finished")
    kinds = [row["kind"] for row in call(ann, "GET", f"/matches/{match_id}/log?limit=500")["commits"]]
    assert kinds[-2:] == ["clocks_extended", "retire"]
    assert call(ann, "GET", f"/matches/{match_id}/audit")["ok"] is True


def test_the_guide_of_a_first_match_runs_as_it_stands(house: House) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    script = "set -eu\n" + "echo ---\n".join(blocks).replace(":8000", f":{house.port}")
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, timeout=60)
    said = [part.strip() for part in ran.stdout.split("---\n")]
    assert said[2] == "live"
    move = json.loads(said[3])
    assert move["events"][0]["type"] == "tile_placed"
    assert said[4] == "BL-12"
    assert json.loads(said[5])["state"]["racks"]["red"]["cards"] == {"hidden": True}
    version, steps = said[6].split("\n", 1)
    assert [step["kind"] for step in json.loads(steps)["steps"]][-1] == "undo"
    assert int(version) == move["version"] + 1
    assert "resigned" in said[7]
    assert "as they were written" in said[7]


def test_the_lines_printed_at_the_start_play_a_match(house: House) -> None:
    welcome = house.said().partition("A match of Blockers! for three")[2]
    lines = [line for line in welcome.splitlines()[1:] if line.startswith("  ")]
    ran = subprocess.run(["bash", "-c", "\n".join(lines)], capture_output=True, text=True, check=True, timeout=60)
    assert '"status":"live"' in ran.stdout
    assert '"type":"tile_placed"' in ran.stdout
