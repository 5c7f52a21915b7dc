"""``foldtable audit``: verifies the whole log of every match, or of the given ones.

Works whether the server is running or not. Prints a line for each match that fails; exits with 0 if all are valid, 1 if any
fails, 2 for wrong arguments, 3 if the log cannot be read.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from domain.errors import NewerReleaseError
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

UNKNOWN = Fault(1, "gap", "There is no match with this id.")


@dataclass(frozen=True, slots=True)
class AuditedMatch:
    """The result of the audit of one match."""

    match_id: str
    versions: int
    """The number of versions verified: all, or those up to the fault."""
    fault: Fault | None


def add_command(commands: Any) -> None:
    auditing = commands.add_parser("audit", help="verify the log of every match, or of the given ones")
    which = auditing.add_mutually_exclusive_group(required=True)
    which.add_argument("--all", action="store_true", help="verify every match")
    which.add_argument("matches", nargs="*", default=[], metavar="match", help="the id of a match")
    auditing.set_defaults(run=run, failure=UNREADABLE)


def run(given: argparse.Namespace) -> int:
    if wrong := [match_id for match_id in given.matches if not ids.is_match_id(match_id)]:
        sys.stdout.write(f"usage: {wrong[0]} is not a match id\n")
        return USAGE
    try:
        with open_log(config.read(os.environ)) as url:
            client = connect(url)
            store = RedisStore(client)
            ids_of = every_match(store) if given.all else given.matches
            return report(sweep(store, ids_of, RedisReadModels(client, REVISIONS).known_version))
    except (ReplayError, UnavailableError, NewerReleaseError) as fault:
        sys.stdout.write(f"unreadable: {fault}\n")
        return UNREADABLE


def every_match(store: Store) -> Iterator[str]:
    """Yields the ids of all matches, shard by shard, as the change index has them now."""
    for shard in range(SHARDS):
        yield from [row.match_id for row in store.changes(shard)]


def sweep(
    store: Store, match_ids: Iterable[str], known: Callable[[str], int] = lambda _match_id: 0
) -> Iterator[AuditedMatch]:
    """Audits match after match. About 100 µs a commit and a few round trips a match.

    ``known`` returns how many versions of a match were read before. Raises ``UnavailableError``.
    """
    for match_id in match_ids:
        found: list[Fault | None] = [UNKNOWN]
        if ids.is_match_id(match_id):
            before = known(match_id)
            found = list(audit_stored(store, all_games(), match_id, before))
        yield AuditedMatch(match_id, len(found), found[-1])


def report(results: Iterable[AuditedMatch]) -> int:
    """Prints the failed matches and a summary; returns the exit code."""
    matches = versions = failed = 0
    for found in results:
        matches, versions = matches + 1, versions + found.versions
        if found.fault is not None:
            failed += 1
            fault = found.fault
            sys.stdout.write(f"{found.match_id}: version {fault.version}: {fault.kind}. {fault.message}\n")
    verified = f"verified {counted(matches, 'match', 'matches')}, {counted(versions, 'version', 'versions')}"
    sys.stdout.write(f"{verified}: {failed} failed\n" if failed else f"{verified}: all are valid\n")
    return VIOLATED if failed else GOOD
