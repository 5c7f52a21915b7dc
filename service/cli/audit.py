"""``foldtable audit``: the whole log of every match verified, or of the matches that are named.

Works on the log of a house that is being served just now or is not. Says each match that does not hold on a line of its
own; exits with 0 if all do, 1 if any does not, 2 for wrong arguments, 3 if there is no log to be read.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from domain.games import all_games
from domain.store import SHARDS, Store, UnavailableError
from projections import REVISIONS
from replay.audit import Fault
from service import config
from service.adapters.redis.client import connect
from service.adapters.redis.readmodels import RedisReadModels
from service.adapters.redis.store import RedisStore
from service.cli.console import GOOD, UNREADABLE, USAGE, VIOLATED, counted
from service.cli.replay import ReplayError, open_log
from service.integrity.audit import audit_stored
from service.matches import ids

UNKNOWN = Fault(1, "gap", "There is no match of this id.")


@dataclass(frozen=True, slots=True)
class Swept:
    """What the audit of one match found."""

    match_id: str
    versions: int
    """How many were looked at: all, or those up to the fault."""
    fault: Fault | None


def add_command(commands: Any) -> None:
    auditing = commands.add_parser("audit", help="verify the log of every match, or of some")
    which = auditing.add_mutually_exclusive_group(required=True)
    which.add_argument("--all", action="store_true", help="every match there is")
    which.add_argument("matches", nargs="*", default=[], metavar="match", help="the id of a match")
    auditing.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    if wrong := [match_id for match_id in given.matches if not ids.is_match_id(match_id)]:
        sys.stdout.write(f"usage: {wrong[0]} is no id of a match\n")
        return USAGE
    try:
        with open_log(config.read(os.environ)) as url:
            client = connect(url)
            store = RedisStore(client)
            ids_of = every_match(store) if given.all else given.matches
            return tell(sweep(store, ids_of, RedisReadModels(client, REVISIONS).known_version))
    except (ReplayError, UnavailableError) as fault:
        sys.stdout.write(f"unreadable: {fault}\n")
        return UNREADABLE


def every_match(store: Store) -> Iterator[str]:
    """The ids of all matches, shard by shard, as the change index has them now."""
    for shard in range(SHARDS):
        yield from [row.match_id for row in store.changes(shard)]


def sweep(store: Store, match_ids: Iterable[str], known: Callable[[str], int] = lambda _match_id: 0) -> Iterator[Swept]:
    """Audits match after match. About 100 µs a commit and a few round trips a match. ``known``: versions read before."""
    for match_id in match_ids:
        found: list[Fault | None] = [UNKNOWN]
        if ids.is_match_id(match_id):
            before = known(match_id)
            found = list(audit_stored(store, all_games(), match_id, before))
        yield Swept(match_id, len(found), found[-1])


def tell(swept: Iterable[Swept]) -> int:
    matches = versions = bad = 0
    for found in swept:
        matches, versions = matches + 1, versions + found.versions
        if found.fault is not None:
            bad += 1
            fault = found.fault
            sys.stdout.write(f"{found.match_id}: version {fault.version}: {fault.kind}. {fault.message}\n")
    told = f"{counted(matches, 'match', 'matches')}, {counted(versions, 'version', 'versions')}"
    sys.stdout.write(f"{told}: {bad} {'does' if bad == 1 else 'do'} not hold\n" if bad else f"{told}: all hold\n")
    return VIOLATED if bad else GOOD
