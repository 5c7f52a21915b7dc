"""``python -m service.worker``: puts the worker together and runs it until it is told to stop."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import NoReturn

from domain.games import all_games
from service import logs
from service.adapters import parent_watch
from service.adapters.redis.client import connect
from service.adapters.redis.notifications import RedisWakes
from service.adapters.redis.readmodels import RedisViews
from service.adapters.redis.store import RedisStore
from service.config import BadSetting, Settings, read
from service.readmodels.projector import collect_less
from service.worker.loop import News, stand_by


def run(settings: Settings) -> NoReturn:
    if settings.redis_url is None:
        raise BadSetting("FOLDTABLE_REDIS_URL is not set; foldtable serve starts a server and sets it")
    collect_less()
    client = connect(settings.redis_url)
    news = News()
    threading.Thread(target=_listen, args=(RedisWakes(client), news), daemon=True, name="wakes").start()
    stand_by(RedisStore(client), RedisViews(client), all_games(), news)


def _listen(wakes: RedisWakes, news: News) -> None:
    for match_id in wakes.heard():
        if match_id is not None:
            news.heard(match_id or None)


def _stop(_number: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


def main() -> int:
    try:
        settings = read(os.environ)
        logs.configure(settings.log_level)
        return _until_stopped(settings)
    except BadSetting as fault:
        sys.stderr.write(f"foldtable: {fault}\n")
        return 1


def _until_stopped(settings: Settings) -> int:
    signal.signal(signal.SIGTERM, _stop)
    if settings.lifeline is not None:
        parent_watch.watch(settings.lifeline, lambda: os.kill(os.getpid(), signal.SIGTERM))
    try:
        run(settings)
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    raise SystemExit(main())
