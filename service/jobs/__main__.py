"""``python -m service.jobs``: assembles the jobs and runs them until it receives SIGTERM."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import NoReturn

from domain.games import all_games
from projections import REVISIONS
from service import logs
from service.adapters import parent_watch
from service.adapters.redis.client import connect
from service.adapters.redis.notifications import READ_MODELS_CHANNEL, RedisNotifications
from service.adapters.redis.readmodels import RedisReadModels
from service.adapters.redis.store import RedisStore
from service.adapters.system import SystemClock, SystemEntropy
from service.config import SettingError, Settings, read
from service.integrity.heads import NOTE
from service.integrity.signers import await_sealers, signer_of
from service.interrupt import Interrupt
from service.jobs.loop import Parts, stand_by
from service.ports import Notifications


def run(settings: Settings, interrupt: Interrupt) -> NoReturn:
    if settings.redis_url is None:
        raise SettingError("FOLDTABLE_REDIS_URL is not set; foldtable serve starts a server and sets it")
    client = connect(settings.redis_url)
    signer, store = signer_of(settings), RedisStore(client)
    await_sealers(store, signer)
    changed = threading.Event()
    notifications = RedisNotifications(client, READ_MODELS_CHANNEL)
    threading.Thread(target=_listen, args=(notifications, changed), daemon=True, name="notifications").start()
    parts = Parts(
        store=store,
        views=RedisReadModels(connect(settings.redis_url, resends=False), REVISIONS),
        games=all_games(),
        clock=SystemClock(),
        entropy=SystemEntropy(),
        signer=signer,
        sealed_note=settings.data / NOTE,
    )
    stand_by(parts, changed, interrupt)


def _listen(notifications: Notifications, changed: threading.Event) -> None:
    for _ in notifications.heard():
        changed.set()


def main() -> int:
    try:
        settings = read(os.environ)
        logs.configure(settings.log_level)
        interrupt = Interrupt()
        interrupt.install()
        if settings.lifeline is not None:
            parent_watch.watch(settings.lifeline, lambda: os.kill(os.getpid(), signal.SIGTERM))
        run(settings, interrupt)
    except SettingError as fault:
        sys.stderr.write(f"foldtable: {fault}\n")
        return 1
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    raise SystemExit(main())
