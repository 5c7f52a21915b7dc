"""``foldtable replay``: loads a match from the server's log, whether the server is running or not, or from a record.

The operator has all data of the server, and still sees of a running match only what a spectator sees. Of a record the
operator sees what it discloses; ``foldtable verify`` checks whether it is genuine.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console

from domain import wire
from domain.errors import FoldtableError, NewerReleaseError
from domain.games import all_games
from domain.hidden import ALL, NOBODY, Sees
from domain.match import Refused
from domain.rulebook import folded, game_of
from domain.store import UnavailableError
from replay.frames import Frames
from replay.record import read as read_record
from replay.viewpoint import viewpoint_of
from service import config
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect, is_reachable
from service.adapters.redis.players import RedisPlayers
from service.adapters.redis.store import RedisStore
from service.cli import terminal
from service.config import Settings
from service.matches import ids


class ReplayError(FoldtableError):
    """The match cannot be shown; the message says why."""


def add_command(commands: Any) -> None:
    replaying = commands.add_parser("replay", help="watch a match in the terminal")
    replaying.add_argument("match", help="the id of a match, or the file of a record")
    replaying.add_argument("--at", type=int, metavar="VERSION", help="the version to show")
    replaying.add_argument("--as", dest="seen_as", metavar="WHO", help="the viewpoint: all, spectator or a seat")
    replaying.add_argument(
        "--plain", action="store_true", help="print it, as is also done when output is not a terminal"
    )
    replaying.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    replay(config.read(os.environ), given.match, given.at, given.seen_as, plain=given.plain)
    return 0


def replay(settings: Settings, match_id: str, at: int | None, seen_as: str | None, *, plain: bool) -> None:
    """Shows the match of this id, or of the record in this file. Raises ``ReplayError``."""
    if Path(match_id).is_file():
        frames = _of_record(Path(match_id), seen_as)
    else:
        with open_log(settings) as url:
            frames = _frames(url, match_id, seen_as)
    if at is not None and not 1 <= at <= len(frames):
        raise ReplayError(f"The match has versions 1 to {len(frames)}.")
    console = Console()
    if plain or not console.is_terminal:
        terminal.print_frames(frames, at, console)
    else:
        terminal.browse(frames, at, console)


@contextmanager
def open_log(settings: Settings) -> Iterator[str]:
    """Yields the address of a database with the log: the configured one, the running one, or one started for this block.

    Raises ``ReplayError`` if there is no data, and ``ServerStartError``.
    """
    running = settings.redis_url or _running(settings.data / "store")
    if running is not None:
        yield running
    elif not (settings.data / "store").exists():
        raise ReplayError(f"There is no data in {settings.data}.")
    else:
        with EmbeddedServer(settings.data / "store") as server:
            yield server.url


def _running(folder: Path) -> str | None:
    try:
        url: str = json.loads((folder / "server.json").read_text())["url"]
        return url if is_reachable(connect(url)) else None
    except Exception:  # Whatever the error, no server is running there.
        return None


def _frames(url: str, match_id: str, seen_as: str | None) -> Frames:
    client = connect(url)
    try:
        entries = RedisStore(client).read(match_id) if ids.is_match_id(match_id) else ()
        if not entries:
            raise ReplayError(f"There is no match {match_id}.")
        match = folded(match_id, game_of(all_games(), entries[0]), entries)
        assert match is not None
        players = match.table.players | {match.table.host}
        names = RedisPlayers(client).names(sorted(players))
    except (UnavailableError, wire.UnreadableError, NewerReleaseError, KeyError) as fault:
        raise ReplayError(f"The match cannot be read: {fault}") from fault
    found = viewpoint_of(match, seen_as, None)
    if isinstance(found, Refused):
        raise ReplayError(found.message)
    return Frames(match, entries, names, found[0])


def _of_record(path: Path, seen_as: str | None) -> Frames:
    """Loads the match of a record, as far as the record discloses it."""
    try:
        record = read_record(path.read_bytes())
        knows = _sees(record.sees)
        match = folded(record.match_id, game_of(all_games(), record.entries[0]), record.entries, knows)
        assert match is not None
    except Exception as fault:  # A record by a stranger may raise anything.
        raise ReplayError(f"{path} is not a record that can be replayed: {fault}") from fault
    found = viewpoint_of(match, seen_as, None)
    shown: tuple[Sees, str] | Refused = (knows, record.sees) if seen_as in (None, record.sees) else found
    if isinstance(shown, Refused):
        raise ReplayError(shown.message)
    return Frames(match, record.entries, {}, shown[0])


def _sees(name: str) -> Sees:
    """Returns the knowledge that a record discloses, by its name."""
    if name == "all":
        return ALL
    return NOBODY if name == "spectator" else frozenset({int(name)})
