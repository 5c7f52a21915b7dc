"""The client of a Valkey or Redis server: connections, the translation of its errors, and the check of its settings."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError
from redis.retry import Retry

from domain.errors import FoldtableError
from domain.store import DamagedError, UnavailableError

log = logging.getLogger(__name__)

CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 5.0
LOOK_SECONDS = 0.002
"""The interval at which a request that waits for a connection looks for a free one."""


OLDEST = (6, 2)
"""The first version with exclusive range bounds, ``XRANGE (1-0 +``."""


REFUSALS = re.compile(
    r"\b(OOM|READONLY|MISCONF|LOADING|BUSY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOPERM|NOAUTH)\b"
)
"""Error codes of a server that works but refuses for now. Redis 6.2 puts the code of a script's error inside the text."""


UNABLE = (
    redis.exceptions.ConnectionError,
    redis.exceptions.TimeoutError,
    redis.exceptions.ClusterError,
    redis.exceptions.OutOfMemoryError,
    redis.exceptions.ReadOnlyError,
    redis.exceptions.NoPermissionError,
)


class UnfitServerError(FoldtableError):
    """The server cannot be trusted with the log; the message says what to change."""


class Pool(redis.ConnectionPool):
    """Connections, last in first out, without a check of the socket before each command.

    redis-py's own pools check the socket before each command, behind a lock or two; that takes twice as long as the command
    itself. A connection that turns out to be dead is renewed by the client's one retry. At most ``max_connections`` exist
    at a time; further requests wait. A process makes its own pool, because connections do not survive a fork.
    """

    # Why the override is safe. A connection belongs to one greenlet (or thread) from ``pop`` to ``append``, both of which are
    # atomic, and redis-py calls ``release`` only after the whole reply was read: of a pipeline, after all its replies. A
    # request that is broken off before that leaves no unread reply behind: ``send_packed_command`` and ``read_response``
    # close the socket on any ``BaseException``, ``GreenletExit`` and ``gevent.Timeout`` included, before ``release`` is
    # reached, and a subscription closes it before it gives the connection back. The next request connects again.
    # Nothing else in between switches greenlets. tests/contracts/test_pool.py kills greenlets in mid-read.

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._made = 0

    def get_connection(self, command_name: Any = None, *keys: Any, **options: Any) -> Any:
        try:
            return self._available_connections.pop()
        except IndexError:
            return self._another()

    def _another(self) -> Any:
        """Makes a new connection or, at the limit, waits for one. Raises ``redis.ConnectionError`` after ``ANSWER_SECONDS``."""
        deadline = time.monotonic() + ANSWER_SECONDS
        while self._made >= self.max_connections:
            time.sleep(LOOK_SECONDS)
            if self._available_connections:
                return self._available_connections.pop()
            if time.monotonic() > deadline:
                raise redis.ConnectionError("all connections are in use")
        self._made += 1
        # redis-py connects it at the first command.
        return self.connection_class(**self.connection_kwargs)

    def release(self, connection: Any) -> None:
        self._available_connections.append(connection)


def connect(url: str, connections: int = 64, *, resends: bool = True) -> redis.Redis:
    """Makes a client for ``redis://``, ``rediss://`` or ``unix://``; it connects when first used.

    A command whose connection breaks is sent once more, unless ``resends`` is false; one that times out is not. Raises
    ``ValueError`` for another URL.
    """
    # Sending a command once more is safe for reads, and for an append, which is idempotent: see ``store``. It is not for a
    # write of the read models, which adds to totals and may have been carried out before the connection broke.
    pool = Pool.from_url(
        url,
        max_connections=connections,
        socket_connect_timeout=CONNECT_SECONDS,
        socket_timeout=ANSWER_SECONDS,
        retry=Retry(NoBackoff(), 1 if resends else 0, supported_errors=(redis.ConnectionError,)),
        protocol=2,
        decode_responses=False,
    )
    return redis.Redis(connection_pool=pool)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translates errors: a server that cannot answer to ``UnavailableError``, a key of another type to ``DamagedError``.

    Any other error is a bug of this service and passes through.
    """
    try:
        yield
    except UNABLE as error:
        raise UnavailableError(str(error)) from error
    except ResponseError as error:
        if REFUSALS.search(str(error)):
            raise UnavailableError(str(error)) from error
        if "WRONGTYPE" in str(error):
            raise DamagedError(str(error)) from error
        raise


def is_reachable(client: redis.Redis) -> bool:
    """Returns whether the server can be reached and answers."""
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False


def check_server(client: redis.Redis, durability: str = "everysec") -> None:
    """Raises ``UnfitServerError`` for a server that evicts keys or is too old; warns of one less durable than configured.

    A server that does not report its settings (fakeredis, some hosted ones) is accepted.
    """
    facts = _facts(client)
    version = tuple(int(part) for part in facts.get("redis_version", "6.2").split(".")[:2])
    if version < OLDEST:
        raise UnfitServerError(f"the server is version {facts['redis_version']}; 6.2 is the oldest that works")
    policy = facts.get("maxmemory_policy", "noeviction")
    if int(facts.get("maxmemory", 0)) > 0 and policy != "noeviction":
        raise UnfitServerError(
            f"the server evicts keys when memory runs out: set maxmemory-policy noeviction (it is {policy})"
        )
    # While it loads its file, a server says that it has none.
    if int(facts.get("aof_enabled", 1)) == 0 and int(facts.get("loading", 0)) == 0:
        log.warning("the server keeps no append-only file: a crash loses moves (set appendonly yes)")
    elif durability == "always" and facts.get("appendfsync", "always") != "always":
        log.warning("FOLDTABLE_DURABILITY is always, but the server has appendfsync %s", facts["appendfsync"])


def _facts(client: redis.Redis) -> dict[str, str]:
    facts: dict[str, str] = {}
    with translated_errors():
        for ask in (client.info, lambda: client.config_get("appendfsync")):
            try:
                answer: Any = ask()
            except ResponseError:
                continue
            facts |= {_text(key): _text(value) for key, value in answer.items()}
    return facts


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
