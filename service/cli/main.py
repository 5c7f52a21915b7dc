"""The ``foldtable`` command. Each subcommand is a module of its own."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

from domain.store import UnavailableError
from service import config
from service.adapters.embedded_server.program import ServerStartError
from service.adapters.redis.client import UnfitServerError
from service.cli import accounts, audit, keys, projections, protocol, replay, serve, simulate, verify
from service.ports.readmodels import FencedError, ForeignDataError
from service.readmodels import rebuild


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a subcommand; returns the exit code: 0 for success, a stop included; 1 for a failure; 2 for wrong arguments.

    Subcommands that verify something have exit codes of their own: see ``console``.
    """
    given = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        return int(given.run(given))
    except (
        config.SettingError,
        serve.StartError,
        UnfitServerError,
        ServerStartError,
        replay.ReplayError,
        rebuild.RebuildError,
        UnavailableError,
        ForeignDataError,
    ) as fault:
        sys.stderr.write(f"foldtable: {fault}\n")
        # The code 1 of an audit means that a match does not hold; what keeps it from looking has another one.
        return int(getattr(given, "failure", 1))
    except FencedError:
        sys.stderr.write(
            "foldtable: lost the lease because this took too long, and another process may have started; run it again\n"
        )
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="foldtable", description="An event-sourced game service.")
    commands = parser.add_subparsers(dest="command", required=True)
    for module in (serve, replay, verify, keys, audit, projections, protocol, accounts, simulate):
        module.add_command(commands)
    return parser


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
