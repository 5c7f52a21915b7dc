"""``foldtable projections``: how the read models stand, and making them anew."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from domain.games import all_games
from projections import PROJECTIONS
from service import config, rebuilding, sweep
from service.adapters.redis_store import RedisStore, connect
from service.adapters.redis_views import RedisViews, Target
from service.config import Settings
from service.lag import lag
from service.projector import Done, collect_less
from service.replaying import open_log

SHOWN = 20
"""Differences that are printed one by one."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What the subcommands work with."""

    store: RedisStore
    views: RedisViews
    out: Console


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand and its actions."""
    parser = commands.add_parser("projections", help="the read models: how they stand, and making them anew")
    parser.set_defaults(run=lambda given: run(config.read(os.environ), given))
    actions = parser.add_subparsers(dest="action", required=True)
    for name, (_action, about) in ACTIONS.items():
        action = actions.add_parser(name, help=about)
        if name in ("rebuild", "promote", "rollback"):
            action.add_argument("name", choices=list(PROJECTIONS), help="which read model")
        if name == "retry":
            action.add_argument("match", nargs="?", help="its id; all that are parked if left out")


def run(settings: Settings, given: argparse.Namespace) -> int:
    """Raises ``rebuilding.Impossible`` and what connecting raises."""
    with open_log(settings) as url:
        client = connect(url)
        desk = Desk(RedisStore(client), RedisViews(client), Console(file=sys.stdout, highlight=False))
        ACTIONS[given.action][0](desk, given)
    return 0


def _status(desk: Desk, _given: argparse.Namespace) -> None:
    kinds = {kind: desk.views.generations(kind) for kind in ("serving", "previous", "built", "building")}
    table = Table("read model", "generation", "", "matches", "behind", "seconds", "parked")
    for name in PROJECTIONS:
        for kind, targets in kinds.items():
            if name in targets:
                table.add_row(name, str(targets[name].generation), kind, *_figures(desk, targets[name]))
    desk.out.print(table)
    found = sweep.figures(desk.views)
    desk.out.print(f"audit: {found.verified} matches verified in the last day, {len(found.failed)} failed")
    for match_id, (version, _kind, message) in found.failed.items():
        desk.out.print(f"  {match_id}: version {version}: {message}")


def _figures(desk: Desk, target: Target) -> tuple[str, ...]:
    behind = lag(desk.store, desk.views, target, time.time_ns() // 1000)
    rows = int(desk.views.client.hlen(target.key("rows")))
    parked = len(desk.views.parked(target))
    return str(rows), f"{behind.commits} commits", f"{behind.seconds:.1f}", str(parked)


def _rebuild(desk: Desk, given: argparse.Namespace) -> None:
    collect_less()
    began = time.monotonic()
    with _progress(desk, rebuilding.size(desk.store)) as bar:
        task = bar.task_ids[0]

        def told(done: Done) -> None:
            bar.update(task, completed=done.matches, commits=done.commits)

        target = rebuilding.rebuild(desk.store, desk.views, all_games(), given.name, told)
        commits = int(bar.tasks[0].fields["commits"])
    seconds = time.monotonic() - began
    desk.out.print(f"built {target}: {commits} commits in {seconds:.1f} s, {commits / seconds:.0f} /s")
    _compare(desk, target)
    desk.out.print(f"serve it: foldtable projections promote {given.name}")


def _progress(desk: Desk, matches: int) -> Progress:
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("matches, {task.fields[commits]} commits"),
        TimeRemainingColumn(),
        console=desk.out,
    )
    bar.add_task("rebuilding", total=matches, commits=0)
    return bar


def _compare(desk: Desk, built: Target) -> None:
    served = desk.views.generations("serving").get(built.name)
    if served is None:
        desk.out.print("nothing is served yet to compare it with")
        return
    count = 0
    found = rebuilding.differences(desk.views, served, built)
    for difference in islice(found, SHOWN):
        count += 1
        desk.out.print(
            f"  {difference.place} {difference.field}: {difference.served} → {difference.built}", markup=False
        )
    more = sum(1 for _difference in found)
    if count == 0:
        desk.out.print(f"the same as {served}")
    else:
        desk.out.print(f"{count + more} differences from {served}, {count} of them shown")


def _promote(desk: Desk, given: argparse.Namespace) -> None:
    target = rebuilding.promote(desk.store, desk.views, all_games(), given.name)
    desk.out.print(f"{target} is served; foldtable projections rollback {given.name} serves the one before again")


def _rollback(desk: Desk, given: argparse.Namespace) -> None:
    desk.out.print(f"{rebuilding.rollback(desk.views, given.name)} is served again")


def _parked(desk: Desk, _given: argparse.Namespace) -> None:
    for target in desk.views.generations("serving").values():
        for match_id, why in sorted(desk.views.parked(target).items()):
            desk.out.print(f"{target.name} {match_id}: {why['reason']}", markup=False)


def _retry(desk: Desk, given: argparse.Namespace) -> None:
    count = rebuilding.retry(desk.views, given.match)
    desk.out.print(f"{count} matches will be done again by the worker")


ACTIONS: dict[str, tuple[Callable[[Desk, argparse.Namespace], None], str]] = {
    "status": (_status, "generations, how far they are behind, what is parked, what the audit found"),
    "rebuild": (_rebuild, "make one anew from the log, beside the one that is served, and compare the two"),
    "promote": (_promote, "serve what was built"),
    "rollback": (_rollback, "serve what was served before"),
    "parked": (_parked, "the matches that a read model stumbled over, and why"),
    "retry": (_retry, "do parked matches once more"),
}
