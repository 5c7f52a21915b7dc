"""``foldtable projections``: how the read models stand, and making them anew.

Exits with 0 after what was asked for is done, 1 if it cannot be, 2 for wrong arguments, and 3 if what was built is not the
same as what is served.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from domain.games import all_games
from domain.store import Store
from projections import PROJECTIONS, REVISIONS
from service import config
from service.adapters.redis.client import answering, connect
from service.adapters.redis.readmodels import RedisReadModels
from service.adapters.redis.store import RedisStore
from service.adapters.system import SystemClock
from service.cli.console import counted
from service.cli.replay import open_log
from service.config import Settings
from service.ports import FineClock
from service.ports.readmodels import ReadModels, Target
from service.readmodels import rebuild
from service.readmodels.audit_results import figures
from service.readmodels.diff import Difference, Hold, Unreadable, differences
from service.readmodels.lag import lag
from service.readmodels.projector import Folded, collect_less

DONE, DIFFERENT = 0, 3
SHOWN = 20
"""Differences, or findings of the audit, that are printed one by one."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What the subcommands work with."""

    store: Store
    views: ReadModels
    clock: FineClock
    out: Console


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand and its actions."""
    parser = commands.add_parser("projections", help="the read models: how they stand, and making them anew")
    parser.set_defaults(run=lambda given: run(config.read(os.environ), given))
    actions = parser.add_subparsers(dest="action", required=True)
    for name, (_action, about) in ACTIONS.items():
        action = actions.add_parser(name, help=about)
        if name in ("rebuild", "promote", "rollback"):
            action.add_argument("name", choices=list(PROJECTIONS), help="which read model")
        if name == "promote":
            action.add_argument("--anyway", action="store_true", help="also if it lacks matches that are served now")
        if name == "retry":
            action.add_argument(
                "match", nargs="?", help="its id, also of one that is not parked; all that are if left out"
            )


def run(settings: Settings, given: argparse.Namespace) -> int:
    """The exit code. Raises ``rebuilding.RebuildError``, ``FencedError``, ``UnavailableError`` and what connecting raises."""
    with open_log(settings) as url, answering():
        client = connect(url)
        console = Console(file=sys.stdout, highlight=False)
        desk = Desk(RedisStore(client), RedisReadModels(client, REVISIONS), SystemClock(), console)
        return ACTIONS[given.action][0](desk, given)


def _status(desk: Desk, _given: argparse.Namespace) -> int:
    kinds = {kind: desk.views.generations(kind) for kind in ("serving", "previous", "built", "building")}
    table = Table("read model", "", "", "matches", "behind", "parked", box=box.SIMPLE_HEAD, padding=(0, 1))
    for name in PROJECTIONS:
        for kind, targets in kinds.items():
            if name in targets:
                left = kind == "building" and not rebuild.is_at_work(desk.views, name)
                shown = "left unfinished" if left else kind
                table.add_row(name, str(targets[name].generation), shown, *_figures(desk, targets[name]))
    desk.out.print(table)
    found = figures(desk.views, desk.clock.now())
    verified = counted(found.verified, "match", "matches")
    desk.out.print(f"audit: {verified} verified in the last day, {len(found.failed)} failed")
    for match_id, (version, _kind, message) in islice(sorted(found.failed.items()), SHOWN):
        desk.out.print(f"  {match_id}: version {version}: {message}", markup=False, soft_wrap=True)
    if len(found.failed) > SHOWN:
        desk.out.print(f"  and {len(found.failed) - SHOWN} more")
    return DONE


def _figures(desk: Desk, target: Target) -> tuple[str, ...]:
    """Matches, how far behind, parked."""
    behind = lag(desk.store, desk.views, target, desk.clock.micros())
    parked = len(desk.views.parked(target))
    commits = counted(behind.commits, "commit", "commits")
    return (
        str(desk.views.size(target)),
        f"{commits}, {behind.seconds:.0f} s" if behind.commits else "up to date",
        str(parked),
    )


def _rebuild(desk: Desk, given: argparse.Namespace) -> int:
    collect_less()
    began = time.monotonic()
    with ExitStack() as at_work:
        with _progress(desk, rebuild.size(desk.store)) as bar:
            task = bar.task_ids[0]

            def told(done: Folded) -> None:
                # While it is built others play: a match that changes is done once more.
                total = max(bar.tasks[0].total or 0, done.matches)
                bar.update(task, completed=done.matches, total=total, commits=done.commits)

            building = rebuild.rebuilt(desk.store, desk.views, all_games(), given.name, told)
            target, hold = at_work.enter_context(building)
            commits = int(bar.tasks[0].fields["commits"])
        seconds = time.monotonic() - began
        told_commits = counted(commits, "commit", "commits")
        desk.out.print(f"built {target}: {told_commits} in {seconds:.1f} s, {commits / seconds:.0f} /s")
        code = _compare(desk, target, hold)
    desk.out.print(f"serve it: foldtable projections promote {given.name}")
    return code


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


def _compare(desk: Desk, built: Target, hold: Hold) -> int:
    served = desk.views.generations("serving").get(built.name)
    if served is None:
        desk.out.print("nothing is served yet to compare it with")
        return DONE
    found, count = differences(desk.store, desk.views, served, built, hold), 0
    for difference in islice(found, SHOWN):
        count += 1
        desk.out.print(f"  {_told(difference)}", markup=False, soft_wrap=True)
    more = sum(1 for _difference in found)
    if count == 0:
        desk.out.print(f"the same as {served}")
        return DONE
    shown = f", the first {count} shown" if more else ""
    desk.out.print(f"{counted(count + more, 'difference', 'differences')} from {served}{shown}")
    return DIFFERENT


def _told(found: Difference) -> str:
    """Where it is, and what was served → what was built; of two rows the fields that are not the same."""
    old, new = found.served, found.built
    if isinstance(old, dict) and isinstance(new, dict):
        names = [name for name in old | new if old.get(name) != new.get(name)]
        what = ", ".join(f"{name} {_shown(old.get(name))} → {_shown(new.get(name))}" for name in names)
    else:
        what = f"{_shown(old)} → {_shown(new)}"
    return f"{found.place} {found.field}: {what}"


def _shown(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case Unreadable():
            return "what cannot be read"
        case dict():
            return "a row"
        case [float() as mean, float() as deviation]:  # a rating
            return f"{mean:.2f} ± {deviation:.2f}"
    return str(value)


def _promote(desk: Desk, given: argparse.Namespace) -> int:
    target = rebuild.promote(desk.store, desk.views, all_games(), given.name, anyway=given.anyway)
    desk.out.print(f"{target} is served; foldtable projections rollback {given.name} serves the one before again")
    return DONE


def _rollback(desk: Desk, given: argparse.Namespace) -> int:
    desk.out.print(f"{rebuild.rollback(desk.views, given.name)} is served again")
    return DONE


def _parked(desk: Desk, _given: argparse.Namespace) -> int:
    targets = [*desk.views.generations("serving").values(), *desk.views.generations("built").values()]
    parked = [(target, match_id, why) for target in targets for match_id, why in desk.views.parked(target).items()]
    for target, match_id, why in sorted(parked, key=lambda row: (row[0].name, row[0].generation, row[1])):
        desk.out.print(f"{target} {match_id}: {why['reason']}", markup=False, soft_wrap=True)
    if not parked:
        desk.out.print("nothing is parked")
    return DONE


def _retry(desk: Desk, given: argparse.Namespace) -> int:
    count = rebuild.retry(desk.store, desk.views, given.match)
    again = f"{counted(count, 'match', 'matches')} will be done again by the worker, when it runs"
    desk.out.print(again if count else "nothing is parked")
    return DONE


ACTIONS: dict[str, tuple[Callable[[Desk, argparse.Namespace], int], str]] = {
    "status": (_status, "generations, how far they are behind, what is parked, what the audit found"),
    "rebuild": (_rebuild, "make one anew from the log, beside the one that is served, and compare the two"),
    "promote": (_promote, "serve what was built"),
    "rollback": (_rollback, "serve what was served before"),
    "parked": (_parked, "the matches that a read model stumbled over, and why"),
    "retry": (_retry, "do parked matches once more"),
}
