"""``foldtable projections``: the state of the read models, and rebuilding them.

Exits with 0 for success, 1 for a failure, 2 for wrong arguments, and 3 if a rebuilt read model differs from the one that is
served.
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
from service.adapters.redis.client import connect, translated_errors
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
from service.readmodels.projector import Folded, tune_garbage_collection

DONE, DIFFERENT = 0, 3
SHOWN = 20
"""The most differences, or failed audits, that are printed one by one."""


@dataclass(frozen=True, slots=True)
class Context:
    """The parts that the subcommands use."""

    store: Store
    views: ReadModels
    clock: FineClock
    out: Console


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the subcommand and its actions."""
    parser = commands.add_parser("projections", help="show, rebuild and switch read models")
    parser.set_defaults(run=lambda given: run(config.read(os.environ), given))
    actions = parser.add_subparsers(dest="action", required=True)
    for name, (_action, about) in ACTIONS.items():
        action = actions.add_parser(name, help=about)
        if name in ("rebuild", "promote", "rollback"):
            action.add_argument("name", choices=list(PROJECTIONS), help="the read model")
        if name == "promote":
            action.add_argument(
                "--anyway", action="store_true", help="promote it even if it lacks matches that are served now"
            )
        if name == "retry":
            action.add_argument(
                "match", nargs="?", help="the id of a match, parked or not; without it, all parked matches"
            )


def run(settings: Settings, given: argparse.Namespace) -> int:
    """Runs an action; returns the exit code. Raises ``RebuildError``, ``FencedError``, ``UnavailableError``, ``ReplayError``."""
    with open_log(settings) as url, translated_errors():
        client = connect(url, resends=False)
        console = Console(file=sys.stdout, highlight=False)
        context = Context(RedisStore(client), RedisReadModels(client, REVISIONS), SystemClock(), console)
        return ACTIONS[given.action][0](context, given)


def _status(context: Context, _given: argparse.Namespace) -> int:
    kinds = {kind: context.views.generations(kind) for kind in ("serving", "previous", "built", "building")}
    table = Table("read model", "", "", "matches", "behind", "parked", box=box.SIMPLE_HEAD, padding=(0, 1))
    for name in PROJECTIONS:
        for kind, targets in kinds.items():
            if name in targets:
                unfinished = kind == "building" and not rebuild.is_building(context.views, name)
                shown = "left unfinished" if unfinished else kind
                table.add_row(name, str(targets[name].generation), shown, *_figures(context, targets[name]))
    context.out.print(table)
    found = figures(context.views, context.clock.now())
    verified = counted(found.verified, "match", "matches")
    context.out.print(f"audit: {verified} verified in the last 24 hours, {len(found.failed)} failed")
    for match_id, (version, _kind, message) in islice(sorted(found.failed.items()), SHOWN):
        context.out.print(f"  {match_id}: version {version}: {message}", markup=False, soft_wrap=True)
    if len(found.failed) > SHOWN:
        context.out.print(f"  and {len(found.failed) - SHOWN} more")
    return DONE


def _figures(context: Context, target: Target) -> tuple[str, ...]:
    """Returns the columns: number of matches, lag, number of parked matches."""
    behind = lag(context.store, context.views, target, context.clock.micros())
    parked = len(context.views.parked(target))
    commits = counted(behind.commits, "commit", "commits")
    return (
        str(context.views.size(target)),
        f"{commits}, {behind.seconds:.0f} s" if behind.commits else "up to date",
        str(parked),
    )


def _rebuild(context: Context, given: argparse.Namespace) -> int:
    tune_garbage_collection()
    started = time.monotonic()
    with ExitStack() as held:
        with _progress(context, rebuild.size(context.store)) as bar:
            task = bar.task_ids[0]

            def report(done: Folded) -> None:
                # Players go on during the build, and a match that changes is folded once more.
                total = max(bar.tasks[0].total or 0, done.matches)
                bar.update(task, completed=done.matches, total=total, commits=done.commits)

            building = rebuild.rebuild_and_hold(context.store, context.views, all_games(), given.name, report)
            target, hold = held.enter_context(building)
            commits = int(bar.tasks[0].fields["commits"])
        seconds = time.monotonic() - started
        folded = counted(commits, "commit", "commits")
        context.out.print(f"built {target}: {folded} in {seconds:.1f} s, {commits / seconds:.0f} /s")
        code = _compare(context, target, hold)
    context.out.print(f"to serve it, run: foldtable projections promote {given.name}")
    return code


def _progress(context: Context, matches: int) -> Progress:
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("matches, {task.fields[commits]} commits"),
        TimeRemainingColumn(),
        console=context.out,
    )
    bar.add_task("rebuilding", total=matches, commits=0)
    return bar


def _compare(context: Context, built: Target, hold: Hold) -> int:
    served = context.views.generations("serving").get(built.name)
    if served is None:
        context.out.print("there is no served generation to compare it with")
        return DONE
    found, count = differences(context.store, context.views, served, built, hold), 0
    for difference in islice(found, SHOWN):
        count += 1
        context.out.print(f"  {_described(difference)}", markup=False, soft_wrap=True)
    more = sum(1 for _difference in found)
    if count == 0:
        context.out.print(f"identical to {served}")
        return DONE
    shown = f"; the first {count} are shown" if more else ""
    context.out.print(f"{counted(count + more, 'difference', 'differences')} from {served}{shown}")
    return DIFFERENT


def _described(found: Difference) -> str:
    """Describes a difference: its place, then served → built; of two rows only the fields that differ."""
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
            return "an unreadable value"
        case dict():
            return "a row"
        case [float() as mean, float() as deviation]:  # a rating
            return f"{mean:.2f} ± {deviation:.2f}"
    return str(value)


def _promote(context: Context, given: argparse.Namespace) -> int:
    target = rebuild.promote(context.store, context.views, all_games(), given.name, force=given.anyway)
    context.out.print(f"now serving {target}; to undo, run: foldtable projections rollback {given.name}")
    return DONE


def _rollback(context: Context, given: argparse.Namespace) -> int:
    context.out.print(f"serving {rebuild.rollback(context.views, given.name)} again")
    return DONE


def _parked(context: Context, _given: argparse.Namespace) -> int:
    targets = [*context.views.generations("serving").values(), *context.views.generations("built").values()]
    parked = [(target, match_id, why) for target in targets for match_id, why in context.views.parked(target).items()]
    for target, match_id, why in sorted(parked, key=lambda row: (row[0].name, row[0].generation, row[1])):
        context.out.print(f"{target} {match_id}: {why['reason']}", markup=False, soft_wrap=True)
    if not parked:
        context.out.print("nothing is parked")
    return DONE


def _retry(context: Context, given: argparse.Namespace) -> int:
    count = rebuild.retry(context.store, context.views, given.match)
    queued = f"the worker will project {counted(count, 'match', 'matches')} again when it runs"
    context.out.print(queued if count else "nothing is parked")
    return DONE


ACTIONS: dict[str, tuple[Callable[[Context, argparse.Namespace], int], str]] = {
    "status": (_status, "show generations, their lag, parked matches and results of the audit"),
    "rebuild": (_rebuild, "rebuild a read model from the log, beside the served one, and compare the two"),
    "promote": (_promote, "serve the rebuilt generation"),
    "rollback": (_rollback, "serve the previous generation again"),
    "parked": (_parked, "list parked matches, which a read model could not project, and the reasons"),
    "retry": (_retry, "project parked matches again"),
}
