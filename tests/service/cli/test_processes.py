"""The supervisor of ``foldtable serve`` over small shell commands."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import runs, within

PROGRAM = """
import json, os, sys
from pathlib import Path
from service import logs
from service.cli import processes

processes.GRACE_SECONDS = float(sys.argv[3])
logs.configure("info")
commands = {name: line.replace("TOO_LONG", "x" * 200_000) for name, line in json.loads(sys.argv[1]).items()}
try:
    code = processes.Supervisor(commands, os.environ, Path(sys.argv[2])).run()
except OSError as error:
    code = f"refused: {error.strerror}"
try:
    os.waitpid(-1, os.WNOHANG)
    sys.exit("a child was not waited for")
except ChildProcessError:
    sys.exit(code)
"""
IGNORING = "trap '' TERM; echo ready; while :; do sleep 0.05; done"


class Run:
    """A supervisor in a process of its own."""

    def __init__(self, folder: Path, commands: dict[str, str], grace: float = 5, stderr: int | None = None) -> None:
        self._errors = folder / "stderr"
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-c", PROGRAM, json.dumps(commands), str(folder), str(grace)],
                stderr=errors if stderr is None else stderr,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )

    @property
    def lines(self) -> list[bytes]:
        return self._errors.read_bytes().splitlines()

    def wrote(self) -> list[bytes]:
        """The lines that the processes wrote."""
        return [line for line in self.lines if b"foldtable.processes" not in line]

    def said(self) -> list[str]:
        """What was said about the processes, without their ids."""
        said = [json.loads(line)["message"] for line in self.lines if b"foldtable.processes" in line]
        return [re.sub(r"pid[ =]\d+", "pid", message) for message in said]

    def pid_of(self, name: str) -> int:
        found = re.search(rf"{name} started \(pid=(\d+)\)".encode(), b"\n".join(self.lines))
        assert found is not None
        return int(found[1])

    def await_lines(self, *lines: bytes) -> None:
        assert within(10, lambda: all(line in self.wrote() for line in lines)), self.lines


def test_every_line_is_passed_on_as_it_was_written(tmp_path: Path) -> None:
    long = b"x" * 200_000
    (tmp_path / "lines").write_bytes(b'{"at": 1}\n' + long + b"\n\nno utf-8: \xff\na\xe2\x80\xa8b\nno end")
    run = Run(tmp_path, {"one": "cat lines; echo error >&2"})
    assert run.process.wait(10) == 1
    broken = "no utf-8: \ufffd".encode()
    assert run.wrote() == [b'{"at": 1}', long, b"", broken, b"a\xe2\x80\xa8b", b"no enderror"]


def test_a_process_reads_nothing_and_has_the_environment_and_the_folder(tmp_path: Path) -> None:
    run = Run(tmp_path, {"one": "cat; basename $PWD; echo ${PYTHONPATH:+given}"})
    run.process.wait(10)
    assert run.wrote() == [tmp_path.name.encode(), b"given"]


@pytest.mark.parametrize(("command", "code"), [("exit 3", 3), ("exit 0", 1), ("kill -9 $$", 9), ("exit 143", 143)])
def test_the_first_that_ends_stops_the_others_and_gives_the_code(tmp_path: Path, command: str, code: int) -> None:
    run = Run(tmp_path, {"first": f"sleep 0.3; {command}", "second": "sleep 100"})
    assert run.process.wait(10) == code
    assert run.said()[:2] == ["first started (pid)", "second started (pid)"]
    assert run.said()[2].startswith("first stopped (rc=")
    assert run.said()[3:] == ["sending SIGTERM to second (pid)", "second stopped (rc=-15)"]
    assert not runs(run.pid_of("second"))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_that_was_asked_for_ends_all_and_is_no_failure(tmp_path: Path, how: signal.Signals) -> None:
    run = Run(tmp_path, {"calm": "trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.05; done"})
    run.await_lines(b"ready")
    run.process.send_signal(how)
    assert run.process.wait(10) == 0
    assert run.wrote()[-1] == b"bye"
    assert run.said()[1:] == [f"{how.name} received", "sending SIGTERM to calm (pid)", "calm stopped (rc=7)"]


def test_a_process_that_does_not_end_is_killed_after_the_grace_whatever_else_is_asked(tmp_path: Path) -> None:
    run = Run(tmp_path, {"deaf": IGNORING}, grace=0.8)
    run.await_lines(b"ready")
    run.process.send_signal(signal.SIGINT)
    assert within(5, lambda: "SIGINT received" in run.said())
    run.process.send_signal(signal.SIGTERM)
    assert run.process.wait(10) == 0
    assert run.said()[-2:] == ["sending SIGKILL to deaf (pid)", "deaf stopped (rc=-9)"]


@pytest.mark.parametrize("left", ["sleep 100", IGNORING])
def test_what_a_process_leaves_behind_ends_too(tmp_path: Path, left: str) -> None:
    run = Run(tmp_path, {"gone": f"({left}) & echo left $!; sleep 0.3; exit 4"}, grace=0.5)
    assert run.process.wait(10) == 4
    [line] = [line for line in run.wrote() if line.startswith(b"left")]
    assert within(5, lambda: not runs(int(line.split()[1])))


def test_a_process_that_left_its_group_with_the_pipe_does_not_hold_the_stop_up(tmp_path: Path) -> None:
    escaped = f"{sys.executable} -c 'import os, time; os.setsid(); print(os.getpid(), flush=True); time.sleep(100)'"
    run = Run(tmp_path, {"gone": f"{escaped} & sleep 1; exit 4"}, grace=0.2)
    assert run.process.wait(10) == 4
    os.kill(int(run.wrote()[0]), signal.SIGKILL)


def test_if_one_cannot_be_started_those_before_it_are_stopped(tmp_path: Path) -> None:
    run = Run(tmp_path, {"first": "sleep 100", "impossible": "TOO_LONG"})
    assert run.process.wait(10) == 1
    assert b"refused: Argument list too long" in run.wrote()
    assert run.said()[-1] == "first stopped (rc=-15)"
    assert not runs(run.pid_of("first"))


def test_in_a_terminal_each_line_has_the_time_and_a_coloured_name(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    run = Run(tmp_path, {"a": "echo hello", "longest": "sleep 100"}, stderr=theirs)
    run.process.wait(10)
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert re.search(r"\033\[36m\d\d:\d\d:\d\d a       \| \033\[0mhello\r\n", shown)
    assert re.search(r"^\d\d:\d\d:\d\d system  \| a started \(pid=\d+\)\r$", shown, re.MULTILINE)


def test_a_standard_error_that_nobody_reads_any_more_stops_nothing(tmp_path: Path) -> None:
    read, write = os.pipe()
    run = Run(tmp_path, {"one": "for n in $(seq 2000); do echo $n; done; touch done; sleep 100"}, stderr=write)
    os.close(read)
    os.close(write)
    assert within(10, (tmp_path / "done").exists)
    run.process.send_signal(signal.SIGTERM)
    assert run.process.wait(10) == 0
