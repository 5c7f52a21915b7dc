"""``foldtable simulate``: plays matches among bots on all cores, and prints who won, how long it took, and how it ended.

Needs no server and no database. Exits with 0, or with 2 for wrong arguments.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bots import LEVELS
from bots.tally import Share, Tally
from domain.games import all_games
from service.cli.console import GOOD, UNREADABLE, USAGE, counted, say
from service.cli.simulation import Simulation, cores, played_matches
from service.integrity.receipts import Signer

MATCHES, SECOND = 100, 1_000
MOST_MATCHES = 10_000_000
Row = tuple[str, str, str]


def add_command(commands: Any) -> None:
    simulating = commands.add_parser("simulate", help="play matches among bots and print who won and how")
    simulating.add_argument("game", help=f"one of {', '.join(sorted(all_games()))}")
    simulating.add_argument("--matches", type=int, default=MATCHES, help="default: %(default)s")
    simulating.add_argument("--seats", type=int, help="default: the fewest that the game allows")
    simulating.add_argument("--bots", default="random", help="names, separated by commas; they take the seats in turn")
    simulating.add_argument("--seed", type=int, default=0, help="the same seed gives the same matches")
    simulating.add_argument("--time", type=int, default=SECOND, help="milliseconds of a decision, default: %(default)s")
    simulating.add_argument("--processes", type=int, default=cores(), help="default: one for each core")
    simulating.add_argument("--records", type=Path, help="a folder for a signed record of each match")
    simulating.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    if (wrong := _wrong(given)) is not None:
        return say(USAGE, f"usage: {wrong}")
    asked = Simulation(
        given.game, _seats(given), tuple(given.bots.split(",")), given.seed, given.time, given.records, _key(given)
    )
    if asked.records is not None:
        try:
            _write_keys(asked)
        except OSError as fault:
            return say(UNREADABLE, f"cannot write to {asked.records}: {fault.strerror}")
    start = time.monotonic()
    tally = _tally(asked, given)
    out = Console(soft_wrap=not sys.stdout.isatty())
    show(out, asked, tally, time.monotonic() - start, given.processes)
    return GOOD


def _wrong(given: argparse.Namespace) -> str | None:
    """The reason why these arguments cannot be played."""
    game, names = all_games().get(given.game), given.bots.split(",")
    if game is None:
        return f"there is no game {given.game}; the games are {', '.join(sorted(all_games()))}"
    if _seats(given) not in game.seats:
        return f"{game.name} is played by {game.seats[0]} to {game.seats[-1]} seats"
    if unknown := [name for name in names if name not in LEVELS]:
        return f"there is no bot {unknown[0]!r}; the bots are {', '.join(LEVELS)}"
    if len(names) > _seats(given):
        return f"there are {counted(len(names), 'bot', 'bots')} for {counted(_seats(given), 'seat', 'seats')}"
    if not 1 <= given.matches <= MOST_MATCHES:
        return f"--matches must be from 1 to {MOST_MATCHES:,}"
    return "--time and --processes must be at least 1" if min(given.time, given.processes) < 1 else None


def _seats(given: argparse.Namespace) -> int:
    return int(all_games()[given.game].seats[0] if given.seats is None else given.seats)


def _key(given: argparse.Namespace) -> str:
    """A new signing key for the records of this run, which is kept nowhere; empty without records."""
    return "" if given.records is None else Ed25519PrivateKey.generate().private_bytes_raw().hex()


def _write_keys(asked: Simulation) -> None:
    """Writes the public key of the run beside the records, as ``foldtable verify --keys`` reads it."""
    assert asked.records is not None
    asked.records.mkdir(parents=True, exist_ok=True)
    signer = Signer(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(asked.key)))
    keys = {"keys": [{"key": signer.key_id, "public": signer.public.hex()}]}
    (asked.records / "keys.json").write_text(json.dumps(keys) + "\n")


def _tally(asked: Simulation, given: argparse.Namespace) -> Tally:
    """Plays all matches, behind a progress bar in a terminal."""
    tally = Tally()
    columns = TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TextColumn("matches"), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as bar:
        task = bar.add_task("playing", total=given.matches)
        for number, played in played_matches(asked, given.matches, given.processes):
            tally.add(played, asked.names(number))
            bar.advance(task)
    return tally


# -- showing ----------------------------------------------------------------------------------------------------------


def show(out: Console, asked: Simulation, tally: Tally, seconds: float, processes: int) -> None:
    moves = sum(tally.moves)
    done = f"{counted(len(tally.moves), 'match', 'matches')} of {asked.game}, {asked.seats} seats"
    pace = (
        f"{moves:,} moves in {seconds:.1f} s, {moves / seconds:,.0f} moves/s on {counted(processes, 'core', 'cores')}"
    )
    out.print(f"{done}: {pace}", highlight=False)
    shortest, longest = min(tally.moves), max(tally.moves)
    lengths = f"{shortest} to {longest}, median {statistics.median(tally.moves):.0f}"
    out.print(f"moves of a match: {lengths}, mean {statistics.mean(tally.moves):.1f}", highlight=False)
    _print(out, ("wins by", "share", "95 % interval"), _shares(tally))
    _print(out, ("ended by", "matches", "share"), _ends(tally))
    _print(out, ("bot", "slowest decision", ""), _slowest(tally))
    if asked.records is not None:
        out.print(f"records and keys.json are in {asked.records}, signed with a key of this run", highlight=False)


def _shares(tally: Tally) -> Iterator[Row]:
    for seat, share in sorted(tally.seats.items()):
        yield (f"seat {seat}", *_figures(share))
    for name, share in tally.bots.items():
        yield (name, *_figures(share))


def _figures(share: Share) -> tuple[str, str]:
    low, high = share.interval
    return f"{100 * share.part:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %"


def _ends(tally: Tally) -> Iterator[Row]:
    for end, count in tally.ends.most_common():
        yield end, f"{count:,}", f"{100 * count / len(tally.moves):.1f} %"


def _slowest(tally: Tally) -> Iterator[Row]:
    for name, nanoseconds in sorted(tally.slowest.items(), key=lambda item: -item[1]):
        yield name, f"{nanoseconds / 1e6:.1f} ms", ""


def _print(out: Console, head: Row, rows: Iterator[Row]) -> None:
    """Prints a table in a terminal, and lines with tabs between the columns elsewhere."""
    if not out.is_terminal:
        for row in (head, *rows):
            out.file.write("\t".join(row).rstrip() + "\n")  # ``print`` would make spaces of the tabs.
        return
    table = Table(box=box.SIMPLE_HEAD)
    for place, name in enumerate(head):
        table.add_column(name, justify="right" if place else "left")
    for row in rows:
        table.add_row(*row)
    out.print(table)
