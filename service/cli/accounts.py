"""``foldtable seal-accounts``: seals the tokens and recovery codes in the database by the key in the data folder.

For a data folder whose ``players.key`` is lost, and for a database that was restored from an old backup. Whatever is in the
database counts as genuine afterwards. Works whether the server is running or not. Exits with 0, or with 1 if the database
does not answer.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

from service import config
from service.adapters.redis.client import connect
from service.adapters.redis.players import RedisPlayers
from service.adapters.system import SystemClock
from service.cli.console import GOOD, say
from service.cli.replay import open_log
from service.players.adoption import seal_again


def add_command(commands: Any) -> None:
    sealing = commands.add_parser(
        "seal-accounts", help="accept all tokens in the database, after the loss of players.key"
    )
    sealing.set_defaults(run=run)


def run(_given: argparse.Namespace) -> int:
    settings = config.read(os.environ)
    with open_log(settings) as url:
        client = connect(url)
        count = seal_again(settings.data, RedisPlayers(client, SystemClock()))
        client.close()
    return say(GOOD, f"Sealed {count} accounts. Restart the server, so that it uses the key.")
