"""``foldtable rotate-key``: prepares a new signing key, which the server uses from its next start.

Exits with 0 if it is prepared, 3 if there is no key to replace.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

from service import config
from service.cli.console import GOOD, UNREADABLE, say
from service.integrity.receipts import prepare_key, read_key


def add_command(commands: Any) -> None:
    rotating = commands.add_parser("rotate-key", help="replace the signing key from the next start on")
    rotating.set_defaults(run=run, failure=UNREADABLE)


def run(_given: argparse.Namespace) -> int:
    settings = config.read(os.environ)
    try:
        read_key(settings.signing_key.read_text())
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else str(fault)
        return say(UNREADABLE, f"unreadable: cannot replace the signing key {settings.signing_key}: {reason}")
    made = prepare_key(settings.signing_key)
    return say(GOOD, f"The server will sign with the key {made} from its next start.")
