"""The ``foldtable`` command. What each subcommand does stands in a module of its own."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from domain.store import Unavailable
from service import auditing, checks, config, projecting, replaying, serving
from service.adapters.embedded_server.program import Unstartable
from service.adapters.redis.readmodels import Fenced, Misfit
from service.adapters.redis.store import Unfit
from service.readmodels import rebuild


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0 after what was asked for is done, a stop included; 1 if it cannot be; 2 for wrong arguments."""
    given = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        return int(given.run(given))
    except (
        config.BadSetting,
        serving.Fault,
        Unfit,
        Unstartable,
        replaying.Unwatchable,
        rebuild.Impossible,
        Unavailable,
        Misfit,
    ) as fault:
        sys.stderr.write(f"foldtable: {fault}\n")
        return 1
    except Fenced:
        sys.stderr.write(
            "foldtable: this took too long for its lease, and another process may have begun; begin anew\n"
        )
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="foldtable", description="An event-sourced game service.")
    commands = parser.add_subparsers(dest="command", required=True)
    served = commands.add_parser("serve", help="start everything; settings are FOLDTABLE_… in the environment")
    served.add_argument("--procfile", type=Path, default=serving.ROOT / "Procfile", help="the processes to run")
    served.set_defaults(run=_serve)
    replayed = commands.add_parser("replay", help="watch a match in the terminal")
    replayed.add_argument("match", help="its id, or the file of a record")
    replayed.add_argument("--at", type=int, metavar="VERSION", help="the version to show")
    replayed.add_argument("--as", dest="seen_as", metavar="WHO", help="all, spectator or a seat; what may be seen")
    replayed.add_argument("--plain", action="store_true", help="print it, as also into a pipe")
    replayed.set_defaults(run=_replay)
    checks.add_commands(commands)
    auditing.add_command(commands)
    projecting.add_to(commands)
    return parser


def _serve(given: argparse.Namespace) -> int:
    return serving.serve(config.read(os.environ), given.procfile)


def _replay(given: argparse.Namespace) -> int:
    replaying.replay(config.read(os.environ), given.match, given.at, given.seen_as, plain=given.plain)
    return 0


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
