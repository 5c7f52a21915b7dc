"""``foldtable serve`` over real processes, with a small application in place of the real one."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.adapters.embedded_server.server import EmbeddedServer, free_port
from service.cli.serve import WELCOME
from service.integrity.keys import read_history
from service.integrity.receipts import prepare_key
from tests.support.processes import runs, within
from tests.support.serving_process import Serving, launch

PROCFILE = """
web: exec gunicorn --config python:service.web.gunicorn_conf tests.support.small_app:app
clock: exec python -m tests.support.small_app
"""


Start = Callable[..., Serving]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts one over the test's data folder; whatever still runs at the end is stopped."""
    running: list[Serving] = []
    port = free_port()
    (tmp_path / "Procfile").write_text(PROCFILE)

    def begin(*, await_answer: bool = True, **environment: str) -> Serving:
        output = tmp_path / f"output{len(running)}"
        process = launch(tmp_path, output, {"FOLDTABLE_PORT": str(port)} | environment)
        running.append(Serving(process, int(environment.get("FOLDTABLE_PORT", port)), output))
        if await_answer:
            assert within(20, running[-1].answers), running[-1].said()
        return running[-1]

    yield begin
    for serving in running:
        if serving.process.poll() is None:
            serving.end(signal.SIGTERM)


def port_is_free(port: int) -> bool:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def test_it_tells_where_it_listens_where_the_data_is_and_how_to_play(start: Start, tmp_path: Path) -> None:
    serving = start()
    assert within(5, lambda: "curl" in serving.said())
    assert f"http://127.0.0.1:{serving.port}\n" in serving.said()
    assert str(tmp_path / "data") in serving.said()
    for call in ("$F/players", "$F/matches", "$F/matches/$M/seats", "$F/matches/$M/moves"):
        assert call in serving.said()
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_where_nobody_looks_on_every_line_is_json_but_for_the_welcome(start: Start, tmp_path: Path) -> None:
    serving = start(FOLDTABLE_LOG_LEVEL="info")
    assert within(5, lambda: "curl" in serving.said())
    os.kill(serving.pid_of("clock"), signal.SIGKILL)
    serving.process.wait(15)
    welcome = WELCOME.format(address=f"http://127.0.0.1:{serving.port}", data=tmp_path / "data")
    lines = [json.loads(line) for line in serving.said().replace(welcome, "").splitlines()]
    told = [line["message"] for line in lines if line["logger"] == "foldtable.processes"]
    assert any(message.startswith("web started") for message in told)
    assert any(message.startswith("clock stopped") for message in told)
    assert {"at", "level", "logger", "message", "pid"} <= set.intersection(*(set(line) for line in lines))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_ends_everything_soon_and_the_next_start_finds_everything(start: Start, how: signal.Signals) -> None:
    serving = start()
    number, web = serving.visit()
    with urllib.request.urlopen(f"http://127.0.0.1:{serving.port}/stream", timeout=5) as stream:
        stream.readline()
        assert serving.end(how, within=8) == 0
    assert not runs(web)
    assert not runs(serving.pid_of("clock"))
    assert port_is_free(serving.port)
    assert start().visit()[0] > number


def test_a_key_that_was_prepared_is_used_from_the_next_start_on(start: Start, tmp_path: Path) -> None:
    serving, data = start(), tmp_path / "data"
    (first,) = read_history(data / "keys.json")
    prepared = prepare_key(data / "signing.key")
    assert read_history(data / "keys.json") == (first,)
    serving.end(signal.SIGTERM)
    start()
    old, new = read_history(data / "keys.json")
    assert (old.id, new.id, new.until) == (first.id, prepared, None)
    assert old.until == new.since


def test_a_stop_in_the_middle_of_the_start_leaves_nothing_behind(start: Start, tmp_path: Path) -> None:
    serving = start(await_answer=False)
    assert within(10, (tmp_path / "data" / "store" / "server.json").exists)
    assert serving.end(signal.SIGTERM) in {0, 130}
    assert "Traceback" not in serving.said()
    assert port_is_free(serving.port)
    with EmbeddedServer(tmp_path / "data" / "store", patience=1) as server:
        assert server.pid > 0


def test_a_second_one_on_the_same_data_says_so(start: Start) -> None:
    first = start()
    second = start(await_answer=False, FOLDTABLE_PORT=str(free_port()))
    assert second.process.wait(15) == 1
    assert f"process {first.process.pid}) already works on" in second.said()
    assert second.said().count("\n") == 1
    assert first.answers()


def test_a_busy_port_is_told_and_nothing_is_left_running(start: Start, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        serving = start(await_answer=False, FOLDTABLE_PORT=str(port))
        assert serving.process.wait(15) == 1
    assert f"port {port}: Address already in use" in serving.said()
    assert serving.said().count("\n") == 1
    assert not (tmp_path / "data" / "store" / "server.json").exists()


def test_a_bad_setting_is_told_in_one_line(start: Start) -> None:
    serving = start(await_answer=False, FOLDTABLE_WEB_WORKERS="several")
    assert serving.process.wait(15) == 1
    assert serving.said() == "foldtable: FOLDTABLE_WEB_WORKERS must be a whole number from 1 to 256, not 'several'\n"


@pytest.mark.parametrize(
    ("procfile", "complaint"),
    [
        ("# nothing\n\n", "names no process"),
        ("web: sleep 1\nno command here\n", "line 2 of"),
        ("web: sleep 1\nweb: sleep 2\n", "line 2 of"),
    ],
)
def test_a_bad_procfile_is_told_in_one_line(start: Start, tmp_path: Path, procfile: str, complaint: str) -> None:
    (tmp_path / "Procfile").write_text(procfile)
    serving = start(await_answer=False)
    assert serving.process.wait(15) == 1
    assert complaint in serving.said()
    assert serving.said().count("\n") == 1


def test_a_place_where_no_operators_token_can_be_written_is_told_in_one_line(start: Start, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    serving = start(await_answer=False, FOLDTABLE_OPERATOR_TOKEN=str(tmp_path / "file" / "token"))
    assert serving.process.wait(15) == 1
    assert re.fullmatch(r"foldtable: cannot use \S+ as the file with the operator's token: .+\n", serving.said())


def test_a_server_that_does_not_answer_is_told_in_one_line(start: Start) -> None:
    serving = start(await_answer=False, FOLDTABLE_REDIS_URL=f"redis://:pass@127.0.0.1:{free_port()}")
    assert serving.process.wait(15) == 1
    assert "does not answer (see FOLDTABLE_REDIS_URL" in serving.said()
    assert serving.said().count("\n") == 1


def test_with_an_address_no_server_of_our_own_is_started(start: Start, tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "elsewhere") as server:
        serving = start(FOLDTABLE_REDIS_URL=server.url)
        assert not (tmp_path / "data" / "store").exists()
        assert serving.end(signal.SIGINT) == 0


@pytest.mark.parametrize("name", ["web", "clock"])
def test_when_one_process_dies_the_others_are_stopped_and_the_exit_tells(start: Start, name: str) -> None:
    serving = start()
    _, web = serving.visit()
    os.kill(serving.pid_of(name), signal.SIGKILL)
    assert serving.process.wait(15) not in {0, 130, 143}
    assert within(10, lambda: not runs(web))
    assert not runs(serving.pid_of("clock"))
    assert within(5, lambda: port_is_free(serving.port))


def test_a_killed_server_comes_back_under_the_running_web_processes(start: Start, tmp_path: Path) -> None:
    serving = start()
    number, _ = serving.visit()
    [pid] = re.findall(r'"pid": (\d+)', (tmp_path / "data" / "store" / "server.json").read_text())
    os.kill(int(pid), signal.SIGKILL)
    assert within(10, serving.answers)
    assert serving.visit()[0] > number


def test_after_the_supervisor_alone_was_killed_all_end_and_the_next_start_goes_on(start: Start) -> None:
    serving = start()
    number, web = serving.visit()
    serving.end(signal.SIGKILL)
    again = start(await_answer=False)
    for orphan in (web, serving.pid_of("web"), serving.pid_of("clock")):
        assert within(10, lambda orphan=orphan: not runs(orphan))  # type: ignore[misc]
    assert within(20, again.answers)
    assert again.visit()[0] > number


def test_after_everything_was_killed_the_next_start_goes_on(start: Start, tmp_path: Path) -> None:
    serving = start()
    number, web = serving.visit()
    [pid] = re.findall(r'"pid": (\d+)', (tmp_path / "data" / "store" / "server.json").read_text())
    for victim in (serving.process.pid, int(pid), serving.pid_of("web"), serving.pid_of("clock"), web):
        os.kill(victim, signal.SIGKILL)
    serving.process.wait()
    assert start().visit()[0] > number
