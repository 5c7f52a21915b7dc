"""The server's append-only file: the adapter of the port ``AppendOnlyFile``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis

from service.adapters.redis.client import answering
from service.ports import FileState, RewriteRefusedError


class RedisAppendOnlyFile:
    def __init__(self, client: redis.Redis) -> None:
        self._client = client

    def state(self) -> FileState:
        with _asking():
            about: Any = self._client.info()
        return FileState(
            run=str(about.get("run_id", "")),
            enabled=bool(about.get("aof_enabled")),
            rewriting=bool(about.get("aof_rewrite_in_progress") or about.get("aof_rewrite_scheduled")),
            succeeded=about.get("aof_last_bgrewrite_status") == "ok",
        )

    def rewrite(self) -> None:
        with _asking():
            self._client.bgrewriteaof()


@contextmanager
def _asking() -> Iterator[None]:
    """As ``answering``, but a server that answers and does not know the command, or whose user may not give it, refuses."""
    try:
        with answering():
            try:
                yield
            except redis.exceptions.NoPermissionError as fault:
                raise RewriteRefusedError("NOPERM") from fault
    except redis.ResponseError as fault:
        raise RewriteRefusedError(str(fault).partition(" ")[0]) from fault
