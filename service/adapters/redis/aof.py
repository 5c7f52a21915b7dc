"""The server's append-only file: the adapter of the port ``AppendOnlyFile``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis

from service.adapters.redis.client import translated_errors
from service.ports import FileState, RewriteRefusedError


class RedisAppendOnlyFile:
    def __init__(self, client: redis.Redis) -> None:
        self._client = client

    def state(self) -> FileState:
        with _rewrite_errors():
            about: Any = self._client.info()
        return FileState(
            run=str(about.get("run_id", "")),
            # While it loads its file, a server says that it has none.
            enabled=bool(about.get("aof_enabled") or about.get("loading")),
            rewriting=bool(about.get("aof_rewrite_in_progress") or about.get("aof_rewrite_scheduled")),
            succeeded=about.get("aof_last_bgrewrite_status") == "ok",
        )

    def rewrite(self) -> None:
        with _rewrite_errors():
            self._client.bgrewriteaof()


@contextmanager
def _rewrite_errors() -> Iterator[None]:
    """Translates errors as the client does, and a command that is unknown or not permitted to ``RewriteRefusedError``."""
    try:
        with translated_errors():
            try:
                yield
            except redis.exceptions.NoPermissionError as fault:
                raise RewriteRefusedError("NOPERM") from fault
    except redis.ResponseError as fault:
        raise RewriteRefusedError(str(fault).partition(" ")[0]) from fault
