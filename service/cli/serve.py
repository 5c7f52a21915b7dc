"""``foldtable serve``: makes what is needed, starts the embedded server, and runs the Procfile."""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from honcho.environ import parse_procfile
from honcho.manager import SIGNALS, SYSTEM_PRINTER_NAME, Manager
from honcho.printer import Message, Printer

import service
from domain.store import Unavailable
from service import config, logs
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.parent_watch import Held, Lifeline
from service.adapters.redis.client import check_server, connect
from service.adapters.system import SystemClock
from service.config import Settings
from service.integrity.keys import HISTORY
from service.integrity.receipts import take_up_key

ROOT = Path(service.__file__).resolve().parent.parent
_log = logging.getLogger(__name__)
_processes = logging.getLogger("foldtable.processes")
STOPPED = {how["rc"] for how in SIGNALS.values()}
"""What a run ends with that was told to end."""
ORPHAN_SECONDS = 10.0
"""How long processes whose supervisor was killed may still have the port."""

WELCOME = """
Foldtable listens on {address}
The data is in       {data}
Ctrl-C stops it; the next start finds every match again.

A match of Blockers! for three, to paste into another terminal:

  F={address}/api/v1 J='Content-Type: application/json'
  pick() {{ python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }}
  ANN=$(curl -s $F/players -H "$J" -d '{{"name": "Ann"}}' | pick token)
  BEN=$(curl -s $F/players -H "$J" -d '{{"name": "Ben"}}' | pick token)
  CAT=$(curl -s $F/players -H "$J" -d '{{"name": "Cat"}}' | pick token)
  M=$(curl -s $F/matches -H "$J" -H "Authorization: Bearer $ANN" -d '{{"game": "blockers", "seats": 3}}' | pick match_id)
  curl -s $F/matches/$M/seats -H "$J" -H "Authorization: Bearer $BEN" -d '{{}}'
  curl -s $F/matches/$M/seats -H "$J" -H "Authorization: Bearer $CAT" -d '{{}}'
  moves() {{ curl -s $F/matches/$M/moves -H "Authorization: Bearer $1"; }}
  first() {{ python3 -c 'import json, sys; [print(json.dumps({{"move": m}})) for m in json.load(sys.stdin)["moves"][:1]]'; }}
  for T in $ANN $BEN $CAT; do  # the first of the moves of whoever may move
    MOVE=$(moves $T | first)
    [ "$MOVE" ] && curl -s $F/matches/$M/moves -H "$J" -H "Authorization: Bearer $T" -d "$MOVE"
  done

"""


class Fault(Exception):
    """Why it does not start, for who started it."""


def add_command(commands: Any) -> None:
    serving = commands.add_parser("serve", help="start everything; settings are FOLDTABLE_… in the environment")
    serving.add_argument("--procfile", type=Path, default=ROOT / "Procfile", help="the processes to run")
    serving.set_defaults(run=lambda given: serve(config.read(os.environ), given.procfile))


def serve(settings: Settings, procfile: Path) -> int:
    """Runs until a process ends or it is told to stop; then everything it started has ended."""
    logs.configure(settings.log_level)
    _processes.setLevel(logging.INFO)  # Which process begins and ends is of interest at any level.
    commands = _commands(procfile)
    _make_folder(settings.data)
    with _only_one(settings.data) as line:
        _await_port(settings.host, settings.port, ORPHAN_SECONDS if line.was_cut else 0)
        _make_key(settings)
        if settings.redis_url is not None:
            _check(settings.redis_url, settings.durability)
            return _run(commands, settings, _environment(settings, line, settings.redis_url))
        with EmbeddedServer(settings.data / "store", fsync=settings.durability) as server:
            _check(server.url, settings.durability)
            return _run(commands, settings, _environment(settings, line, server.url), server)


class Lines(Printer):  # type: ignore[misc]
    """What the processes write, on standard error. In a terminal it is told which one and when; elsewhere every line is as
    the process wrote it, JSON, and so is what is told of the processes themselves.
    """

    def __init__(self) -> None:
        self._for_people = sys.stderr.isatty()
        super().__init__(sys.stderr, prefix=self._for_people)

    def write(self, message: Message) -> None:
        if message.name != SYSTEM_PRINTER_NAME or self._for_people:
            super().write(message)
        else:
            _processes.info("%s", str(message.data).rstrip())


class Processes(Manager):  # type: ignore[misc]
    """Honcho's, but a stop before all are started ends the loop instead of looking for pids that are not known yet, and
    a relay between it and a program that was killed counts as that program's end, which nobody would tell otherwise.
    """

    def _all_started(self) -> bool:
        for process in self._processes.values():
            relay = process.get("process")
            if relay is not None and relay.exitcode not in (None, 0) and "returncode" not in process:
                process["returncode"] = self.returncode = 1
                if process.get("pid") is not None:
                    self._procmgr.terminate(process["pid"])
        return bool(super()._all_started())

    def terminate(self) -> None:
        if not self._all_started():
            raise KeyboardInterrupt
        super().terminate()


def _run(
    commands: Mapping[str, str],
    settings: Settings,
    environment: dict[str, str],
    server: EmbeddedServer | None = None,
) -> int:
    processes = Processes(Lines())
    for name, command in commands.items():
        processes.add_process(name, command, env=environment, cwd=str(ROOT))
    if server is not None:
        server.supervise(_tell)
    threading.Thread(target=_welcome, args=(settings,), daemon=True, name="welcome").start()
    processes.loop()
    code: int = processes.returncode
    return 0 if code in STOPPED else abs(code) or 1


def _environment(settings: Settings, line: Lifeline, url: str) -> dict[str, str]:
    """What the processes are given: absolute places, and the programs that were installed beside this one."""
    return os.environ | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "PYTHONUNBUFFERED": "1",
        "FOLDTABLE_DATA": str(settings.data),
        "FOLDTABLE_SIGNING_KEY": str(settings.signing_key),
        "FOLDTABLE_REDIS_URL": url,
        "FOLDTABLE_LIFELINE": line.name,
    }


def _commands(procfile: Path) -> Mapping[str, str]:
    try:
        processes: Mapping[str, str] = parse_procfile(procfile.read_text()).processes
    except OSError as error:
        raise Fault(f"cannot read {procfile}: {error.strerror}") from error
    return processes


@contextmanager
def _only_one(data: Path) -> Iterator[Lifeline]:
    try:
        line = Lifeline(data / "serve.lock")
    except Held as held:
        raise Fault(f"another foldtable serve (process {held.holder}) already works on {data}") from held
    try:
        yield line
    finally:
        line.release()


def _await_port(host: str, port: int, patience: float) -> None:
    deadline = time.monotonic() + patience
    while fault := _port_fault(host, port):
        if time.monotonic() > deadline:
            raise Fault(f"cannot listen on {host} port {port}: {fault}. FOLDTABLE_PORT chooses another")
        time.sleep(0.1)


def _port_fault(host: str, port: int) -> str | None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        return error.strerror
    return None


def _make_folder(data: Path) -> None:
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        (data / "serve.lock").open("a").close()
    except OSError as error:
        raise Fault(
            f"cannot use {data} as the data folder: {error.strerror}. FOLDTABLE_DATA chooses another"
        ) from error


def _make_key(settings: Settings) -> None:
    path = settings.signing_key
    try:
        take_up_key(path, settings.data / HISTORY, SystemClock().now())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Fault(f"cannot use {path} as the signing key: {reason}") from error


def _tell(sentence: str) -> None:
    """Of the database, while everything runs."""
    if sys.stderr.isatty():
        sys.stderr.write(f"foldtable: {sentence}\n")
        sys.stderr.flush()
    else:
        _log.warning("%s", sentence)


def _check(url: str, durability: str) -> None:
    try:
        check_server(connect(url), durability)
    except Unavailable as error:
        raise Fault(f"the server does not answer (FOLDTABLE_REDIS_URL says which): {error}") from error


def _welcome(settings: Settings) -> None:
    """Tells where it listens once a worker answers. (Listening on all addresses includes this machine's own.)"""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    while not _answers(host, settings.port):
        time.sleep(0.1)
    address = f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
    sys.stdout.write(WELCOME.format(address=address, data=settings.data))
    sys.stdout.flush()


def _answers(host: str, port: int) -> bool:
    asking = HTTPConnection(host, port, timeout=2)
    try:
        asking.request("GET", "/healthz")
        return bool(asking.getresponse().status)
    except (OSError, HTTPException):
        return False
    finally:
        asking.close()
