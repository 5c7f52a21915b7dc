"""``foldtable protocol``: shows the protocol by which matches are opened, and raises it once every process knows the newest.

Works whether the server is running or not. Exits with 0, or with 1 if the database does not answer.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

from domain.protocol import PROTOCOL
from service import config
from service.adapters.redis.client import connect
from service.adapters.redis.players import RedisPlayers
from service.adapters.redis.store import RedisStore
from service.adapters.system import SystemClock
from service.cli.console import GOOD, say
from service.cli.replay import open_log
from service.players.adoption import take_up


def add_command(commands: Any) -> None:
    adding = commands.add_parser("protocol", help="show or raise the protocol by which matches are opened")
    adding.add_argument(
        "--raise",
        action="store_true",
        dest="raised",
        help="open matches by the newest protocol; only once every process has this release",
    )
    adding.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    settings = config.read(os.environ)
    with open_log(settings) as url:
        client = connect(url)
        store = RedisStore(client)
        if given.raised:
            store.raise_protocol(PROTOCOL)
            take_up(settings.data, RedisPlayers(client, SystemClock()), is_final=True)
        present = store.protocol()
    newer = f"; this release knows {PROTOCOL}" if present != PROTOCOL else ""
    return say(GOOD, f"Matches are opened by protocol {present}{newer}.")
