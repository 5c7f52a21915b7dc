"""``python -m service.worker``: assembles the worker and runs it until it receives SIGTERM."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import NoReturn

from domain.games import all_games
from domain.store import Store, UnavailableError
from projections import REVISIONS
from service import logs
from service.adapters import parent_watch
from service.adapters.redis.aof import RedisAppendOnlyFile
from service.adapters.redis.client import connect
from service.adapters.redis.heartbeat import RedisHeartbeat
from service.adapters.redis.notifications import RedisNotifications
from service.adapters.redis.players import RedisPlayers
from service.adapters.redis.readmodels import RedisReadModels
from service.adapters.redis.store import RedisStore
from service.adapters.system import SystemClock, SystemEntropy
from service.config import SettingError, Settings, read
from service.integrity.heads import NOTE
from service.integrity.receipts import Signer
from service.integrity.signers import check_sealers, signer_of
from service.ports import Notifications
from service.readmodels.projector import tune_garbage_collection
from service.worker.interrupt import Interrupt
from service.worker.loop import STANDBY_SECONDS, ChangedShards, Parts, stand_by


def run(settings: Settings, interrupt: Interrupt) -> NoReturn:
    if settings.redis_url is None:
        raise SettingError("FOLDTABLE_REDIS_URL is not set; foldtable serve starts a server and sets it")
    tune_garbage_collection()
    client = connect(settings.redis_url)
    signer, store = signer_of(settings), RedisStore(client)
    _check_sealers(store, signer)
    changed = ChangedShards()
    notifications = RedisNotifications(client)
    threading.Thread(target=_listen, args=(notifications, changed), daemon=True, name="notifications").start()
    parts = Parts(
        store=store,
        views=RedisReadModels(connect(settings.redis_url, resends=False), REVISIONS),
        games=all_games(),
        accounts=RedisPlayers(client, SystemClock()),
        file=RedisAppendOnlyFile(client),
        clock=SystemClock(),
        entropy=SystemEntropy(),
        signer=signer,
        heartbeat=RedisHeartbeat(client),
        sealed_note=settings.data / NOTE,
    )
    stand_by(parts, changed, interrupt)


def _check_sealers(store: Store, signer: Signer) -> None:
    """Waits for the database, if it does not answer yet. Raises ``SettingError``."""
    while True:
        try:
            check_sealers(store, signer)
        except UnavailableError:
            time.sleep(STANDBY_SECONDS)
        else:
            return


def _listen(notifications: Notifications, changed: ChangedShards) -> None:
    for match_id in notifications.heard():
        if match_id is not None:
            changed.heard(match_id or None)


def main() -> int:
    try:
        settings = read(os.environ)
        logs.configure(settings.log_level)
        return _until_stopped(settings)
    except SettingError as fault:
        sys.stderr.write(f"foldtable: {fault}\n")
        return 1


def _until_stopped(settings: Settings) -> int:
    interrupt = Interrupt()
    interrupt.install()
    if settings.lifeline is not None:
        parent_watch.watch(settings.lifeline, lambda: os.kill(os.getpid(), signal.SIGTERM))
    try:
        run(settings, interrupt)
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    raise SystemExit(main())
