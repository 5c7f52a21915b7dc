"""Runs several processes until one of them ends or a stop is requested, and leaves none of them running.

Each is a shell line in a process group of its own, without input. Its output goes to standard error line by line.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from queue import Empty, SimpleQueue

GRACE_SECONDS = 5.0
"""The time that processes have to end by themselves after SIGTERM."""
LAST_LINES_SECONDS = 1.0
"""The wait for the last lines of a killed group; a process that left the group may hold the pipe open for ever."""
COLOURS = ("36", "33", "32", "35", "31", "34")
SYSTEM = "system"
"""The name before messages about the processes."""

_log = logging.getLogger("foldtable.processes")


class Output:
    """Standard error. In a terminal each line follows the time and the name of its process; elsewhere each line is as the
    process wrote it, and messages about the processes are logged.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._for_people = sys.stderr.isatty()
        self._colours = dict(zip(names, cycle(COLOURS)))
        self._width = max(map(len, (SYSTEM, *self._colours)))

    def pass_on(self, name: str, line: bytes) -> None:
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        self._write(self._prefix(name) + text if self._for_people else text)

    def say(self, sentence: str) -> None:
        if self._for_people:
            self._write(self._prefix(SYSTEM) + sentence)
        else:
            _log.info("%s", sentence)

    def _prefix(self, name: str) -> str:
        prefix = f"{time.strftime('%H:%M:%S')} {name.ljust(self._width)} | "
        colour = self._colours.get(name)
        return prefix if colour is None else f"\033[0m\033[{colour}m{prefix}\033[0m"

    def _write(self, text: str) -> None:
        # A closed standard error must not stop the reading of a process's output, or that process would block for ever.
        with suppress(OSError):
            sys.stderr.write(f"{text}\n")  # in one call, so that lines of several processes do not mix
            sys.stderr.flush()

    def close(self) -> None:
        """Discards what could not be written. Otherwise Python would fail to flush it at exit, and the exit code were 120."""
        try:
            sys.stderr.flush()
        except OSError:
            with open(os.devnull, "w") as nowhere:
                os.dup2(nowhere.fileno(), sys.stderr.fileno())


@dataclass(frozen=True, slots=True, eq=False)
class Child:
    """A started process, with the thread that reads the output of its group."""

    name: str
    process: subprocess.Popen[bytes]
    reader: threading.Thread


class Supervisor:
    """One run of the processes. Must be used in the main thread, whose signal handlers for a stop it replaces for good."""

    def __init__(self, commands: Mapping[str, str], environment: Mapping[str, str], folder: Path) -> None:
        self._commands = commands
        self._environment = environment
        self._folder = folder
        self._output = Output(commands)
        self._started: list[Child] = []
        self._running: set[Child] = set()
        self._events: SimpleQueue[Child | signal.Signals] = SimpleQueue()
        """Ended processes and received signals. ``SimpleQueue.put`` is reentrant, so a signal handler may call it at any time."""

    def run(self) -> int:
        """Returns 0 after a requested stop, else the exit code of the process that ended first, or 1 if that was 0.

        Raises ``OSError`` if one cannot be started. In any case all processes have ended by then.
        """
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _frame: self._events.put(signal.Signals(number)))
        try:
            for name, command in self._commands.items():
                self._start(name, command)
            first = self._await(None)
        finally:
            self._stop()
        return 0 if first is None else abs(first.process.returncode) or 1

    def _start(self, name: str, command: str) -> None:
        process = subprocess.Popen(
            command,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self._environment,
            cwd=self._folder,
            start_new_session=True,
        )
        child = Child(name, process, threading.Thread(target=self._read, args=(name, process), daemon=True))
        self._started.append(child)
        self._running.add(child)
        self._output.say(f"{name} started (pid={process.pid})")
        child.reader.start()
        threading.Thread(target=self._report_end, args=(child,), daemon=True).start()

    def _read(self, name: str, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                self._output.pass_on(name, line)

    def _report_end(self, child: Child) -> None:
        child.process.wait()
        self._events.put(child)

    def _await(self, deadline: float | None) -> Child | None:
        """Waits for the next event; returns the process that has ended, or ``None`` after a signal or the deadline."""
        try:
            event = self._events.get(timeout=None if deadline is None else max(0.0, deadline - time.monotonic()))
        except Empty:
            return None
        if isinstance(event, signal.Signals):
            self._output.say(f"{event.name} received")
            return None
        self._running.discard(event)
        self._output.say(f"{event.name} stopped (rc={event.process.returncode})")
        return event

    def _stop(self) -> None:
        """Ends all groups, also those of ended processes, which may have left child processes."""
        self._signal(signal.SIGTERM, self._started)
        self._await_ends(GRACE_SECONDS)
        # Only groups that may still have members: the id of any other could already name a new, foreign group.
        left = [child for child in self._started if child in self._running or child.reader.is_alive()]
        self._signal(signal.SIGKILL, left)
        self._await_ends(LAST_LINES_SECONDS)
        for child in self._started:
            child.process.wait()
        self._output.close()

    def _await_ends(self, seconds: float) -> None:
        """Waits until the processes have ended and their output is read."""
        deadline = time.monotonic() + seconds
        while self._running and time.monotonic() < deadline:
            self._await(deadline)
        for child in self._started:
            if child.reader.is_alive():
                child.reader.join(max(0.0, deadline - time.monotonic()))

    def _signal(self, number: signal.Signals, children: Iterable[Child]) -> None:
        for child in children:
            if child in self._running:
                self._output.say(f"sending {number.name} to {child.name} (pid {child.process.pid})")
            # The group may be empty; macOS refuses the signal while the last process of the group is a zombie.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process.pid, number)
