"""``foldtable serve``: creates the data folder and the key, starts the embedded server, and runs the Procfile."""

from __future__ import annotations

import logging
import os
import re
import secrets
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import service
from domain.errors import FoldtableError
from domain.protocol import PROTOCOL
from domain.store import UnavailableError
from service import config, logs
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.parent_watch import HeldError, Hold
from service.adapters.redis.client import check_server, connect
from service.adapters.redis.players import RedisPlayers
from service.adapters.redis.store import RedisStore
from service.adapters.system import SystemClock
from service.cli.processes import Supervisor
from service.config import Settings
from service.integrity.keys import HISTORY
from service.integrity.receipts import take_up_key, write_once
from service.integrity.signers import check_sealers, signer_of
from service.players.adoption import OtherKeyError, take_up

ROOT = Path(service.__file__).resolve().parent.parent
_log = logging.getLogger(__name__)
_processes = logging.getLogger("foldtable.processes")
PROCESS = re.compile(r"([A-Za-z0-9_-]+):\s*(\S.*)")
"""A line of a Procfile: a name and a shell command."""
ORPHAN_SECONDS = 10.0
"""The time for which processes of a killed supervisor may still hold the port."""

WELCOME = """
Foldtable listens on {address}
The data is in       {data}
Ctrl-C stops it; the next start finds every match again.

A match of Blockers! for three, to paste into another terminal:

  F={address}/api/v1 J='Content-Type: application/json'
  pick() {{ python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }}
  N=$(date +%s)  # Each name belongs to one account.
  ANN=$(curl -s $F/players -H "$J" -d '{{"name": "Ann '$N'"}}' | pick token)
  BEN=$(curl -s $F/players -H "$J" -d '{{"name": "Ben '$N'"}}' | pick token)
  CAT=$(curl -s $F/players -H "$J" -d '{{"name": "Cat '$N'"}}' | pick token)
  M=$(curl -s $F/matches -H "$J" -H "Authorization: Bearer $ANN" -d '{{"game": "blockers", "seats": 3}}' | pick match_id)
  curl -s $F/matches/$M/seats -H "$J" -H "Authorization: Bearer $BEN" -d '{{}}'
  curl -s $F/matches/$M/seats -H "$J" -H "Authorization: Bearer $CAT" -d '{{}}'
  moves() {{ curl -s $F/matches/$M/moves -H "Authorization: Bearer $1"; }}
  first() {{ python3 -c 'import json, sys; [print(json.dumps({{"move": m}})) for m in json.load(sys.stdin)["moves"][:1]]'; }}
  for T in $ANN $BEN $CAT; do  # the first legal move of each player to move
    MOVE=$(moves $T | first)
    [ "$MOVE" ] && curl -s $F/matches/$M/moves -H "$J" -H "Authorization: Bearer $T" -d "$MOVE"
  done

"""


class StartError(FoldtableError):
    """The service cannot start; the message tells the operator why."""


def add_command(commands: Any) -> None:
    serving = commands.add_parser("serve", help="start the server; settings are FOLDTABLE_… environment variables")
    serving.add_argument(
        "--procfile", type=Path, default=ROOT / "Procfile", help="the file that lists the processes to run"
    )
    serving.set_defaults(run=lambda given: serve(config.read(os.environ), given.procfile))


def serve(settings: Settings, procfile: Path) -> int:
    """Runs until a process ends or a stop is requested; then all started processes have ended. Returns the exit code.

    Raises ``StartError``, ``ServerStartError`` and ``UnfitServerError``.
    """
    logs.configure(settings.log_level)
    _processes.setLevel(logging.INFO)  # Starts and ends of processes are logged at any level.
    commands = _commands(procfile)
    _make_folder(settings.data)
    with _only_one(settings.data) as hold:
        _await_port(settings.host, settings.port, ORPHAN_SECONDS if hold.after_kill else 0)
        _make_key(settings)
        _make_operator_token(settings.operator_token)
        if settings.redis_url is not None:
            _check(settings.redis_url, settings.durability)
            check_sealers(RedisStore(connect(settings.redis_url)), signer_of(settings))
            _hint_at_protocol(settings.redis_url)
            _take_up_accounts(settings, settings.redis_url)
            return _run(commands, settings, _environment(settings, hold, settings.redis_url))
        with EmbeddedServer(settings.data / "store", fsync=settings.durability) as server:
            _check(server.url, settings.durability)
            check_sealers(RedisStore(connect(server.url)), signer_of(settings))
            # Nobody else uses this server, and all processes start from this code.
            RedisStore(connect(server.url)).raise_protocol(PROTOCOL)
            _take_up_accounts(settings, server.url)
            return _run(commands, settings, _environment(settings, hold, server.url), server)


def _run(
    commands: Mapping[str, str],
    settings: Settings,
    environment: dict[str, str],
    server: EmbeddedServer | None = None,
) -> int:
    if server is not None:
        server.supervise(_report)
    threading.Thread(target=_welcome, args=(settings,), daemon=True, name="welcome").start()
    try:
        return Supervisor(commands, environment, ROOT).run()
    except OSError as error:
        raise StartError(f"cannot start a process: {error.strerror}") from error


def _environment(settings: Settings, hold: Hold, url: str) -> dict[str, str]:
    """Returns the environment of the processes: absolute paths, and the programs installed beside this one on PATH."""
    return os.environ | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "PYTHONUNBUFFERED": "1",
        "FOLDTABLE_DATA": str(settings.data),
        "FOLDTABLE_SIGNING_KEY": str(settings.signing_key),
        "FOLDTABLE_REDIS_URL": url,
        "FOLDTABLE_LIFELINE": hold.name,
    }


def _commands(procfile: Path) -> dict[str, str]:
    """Reads a Procfile: name → command. Ignores empty lines and lines that begin with ``#``. Raises ``StartError``."""
    try:
        lines = procfile.read_text().splitlines()
    except OSError as error:
        raise StartError(f"cannot read {procfile}: {error.strerror}") from error
    commands = dict[str, str]()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        process = PROCESS.fullmatch(line.rstrip())
        if process is None or process[1] in commands:
            raise StartError(f"line {number} of {procfile} must be a new name, a colon and a command")
        commands[process[1]] = process[2]
    if not commands:
        raise StartError(f"{procfile} names no process")
    return commands


@contextmanager
def _only_one(data: Path) -> Iterator[Hold]:
    try:
        hold = Hold(data / "serve.lock")
    except HeldError as held:
        raise StartError(f"another foldtable serve (process {held.holder}) already works on {data}") from held
    try:
        yield hold
    finally:
        hold.release()


def _await_port(host: str, port: int, patience: float) -> None:
    deadline = time.monotonic() + patience
    while fault := _port_fault(host, port):
        if time.monotonic() > deadline:
            raise StartError(f"cannot listen on {host} port {port}: {fault}. FOLDTABLE_PORT chooses another")
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
        raise StartError(
            f"cannot use {data} as the data folder: {error.strerror}. FOLDTABLE_DATA chooses another"
        ) from error


def _make_key(settings: Settings) -> None:
    path = settings.signing_key
    try:
        take_up_key(path, settings.data / HISTORY, SystemClock().now())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise StartError(f"cannot use {path} as the signing key: {reason}") from error


def _make_operator_token(path: Path) -> None:
    try:
        if not path.exists():
            write_once(path, secrets.token_urlsafe(32))
    except OSError as error:
        raise StartError(f"cannot use {path} as the file with the operator's token: {error.strerror}") from error


def _report(sentence: str) -> None:
    """Reports a restart of the database server, while everything else runs."""
    if sys.stderr.isatty():
        sys.stderr.write(f"foldtable: {sentence}\n")
        sys.stderr.flush()
    else:
        _log.warning("%s", sentence)


def _check(url: str, durability: str) -> None:
    try:
        check_server(connect(url), durability)
    except UnavailableError as error:
        raise StartError(f"the database does not answer (see FOLDTABLE_REDIS_URL): {error}") from error


def _hint_at_protocol(url: str) -> None:
    """Reports that matches are opened by an older protocol: only the operator knows when no older process is left."""
    present = RedisStore(connect(url)).protocol()
    if present < PROTOCOL:
        _log.warning(
            "matches are opened by protocol %d; once every process has this release, run foldtable protocol --raise",
            present,
        )


def _take_up_accounts(settings: Settings, url: str) -> None:
    """Prepares the accounts before the web processes do, so that a fault ends the start with its reason."""
    client = connect(url)
    try:
        is_final = RedisStore(client).protocol() >= PROTOCOL
        take_up(settings.data, RedisPlayers(client, SystemClock()), is_final=is_final)
    except (OtherKeyError, OSError, ValueError) as fault:
        raise StartError(f"cannot use the accounts: {fault}") from fault
    finally:
        client.close()


def _welcome(settings: Settings) -> None:
    """Prints the address once a web process answers. For a server that listens on all addresses, prints the local one."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    while not _answers(host, settings.port):
        time.sleep(0.1)
    address = f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
    address += os.environ.get("SCRIPT_NAME", "").rstrip("/")
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
