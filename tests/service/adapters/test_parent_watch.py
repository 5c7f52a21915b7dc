from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

from service.adapters.parent_watch import is_gone, watch
from tests.support.processes import within

HOLDER = """
import sys, time
from pathlib import Path
from service.adapters.parent_watch import Hold
hold = Hold(Path(sys.argv[1]))
print(hold.name, hold.after_kill, flush=True)
sys.stdin.readline()
hold.release()
"""


class Holder:
    """Another process with a hold, since a process cannot see its own record locks."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert self.process.stdout is not None
        self.name, after_kill = self.process.stdout.readline().rsplit(" ", 1)
        self.after_kill = after_kill.strip() == "True"

    def __enter__(self) -> Holder:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.communicate("\n")


def test_a_hold_lasts_as_long_as_its_process(tmp_path: Path) -> None:
    with Holder(tmp_path / "lock") as holder:
        ended = threading.Event()
        watch(holder.name, ended.set)
        assert not is_gone(holder.name)
        assert not ended.wait(0.8)
        holder.process.kill()
        assert ended.wait(5)


def test_a_dead_holder_that_nobody_has_waited_for_holds_nothing(tmp_path: Path) -> None:
    with Holder(tmp_path / "lock") as holder:
        holder.process.kill()
        assert within(5, lambda: is_gone(holder.name))
        assert holder.process.returncode is None


def test_those_of_an_earlier_holder_are_not_taken_in_by_a_later_one(tmp_path: Path) -> None:
    with Holder(tmp_path / "lock") as first:
        first.process.kill()
        first.process.wait()
        with Holder(tmp_path / "lock") as second:
            assert second.after_kill
            assert is_gone(first.name)
            assert not is_gone(second.name)


def test_a_released_hold_is_gone_and_the_next_holder_need_not_wait_for_anybody(tmp_path: Path) -> None:
    with Holder(tmp_path / "lock") as first:
        name = first.name
    assert is_gone(name)
    with Holder(tmp_path / "lock") as second:
        assert not second.after_kill


def test_only_one_process_holds_it_and_the_other_learns_which(tmp_path: Path) -> None:
    with Holder(tmp_path / "lock") as holder:
        told = subprocess.run(
            [sys.executable, "-c", HOLDER, str(tmp_path / "lock")],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert f"HeldError: held by process {holder.process.pid}" in told.stderr


def test_a_hold_whose_file_is_gone_is_gone(tmp_path: Path) -> None:
    assert is_gone(f"{tmp_path / 'lock'}#token")
