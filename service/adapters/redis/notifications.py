"""Messages from one process to all, heard over one connection: what was appended to, who has left."""

from __future__ import annotations

import time
from collections.abc import Iterator

import redis

SHARDS_WAKE = "{s??}:wake"
VIEWS_WAKE = "{views}:wake"
PLAYERS_WAKE = "{players}:gone"
WAIT_SECONDS = 1.0
LOST = ""
"""Heard when the connection had broken: whatever was said meanwhile is lost."""


class RedisNotifications:
    """The notifications of all shards, or of other channels."""

    def __init__(self, client: redis.Redis, pattern: str = SHARDS_WAKE) -> None:
        self._client = client
        self._pattern = pattern

    def heard(self) -> Iterator[str | None]:
        """What was said: on the shards' channels, the ids of matches that were appended to; on the players', who has left.

        ``None`` now and then when idle, ``LOST`` at first and whenever some may have been missed.
        """
        while True:
            try:
                yield from self._heard()
            except redis.RedisError:
                time.sleep(WAIT_SECONDS)

    def _heard(self) -> Iterator[str | None]:
        channels: redis.client.PubSub
        with self._client.pubsub(ignore_subscribe_messages=True) as channels:  # type: ignore[no-untyped-call]
            channels.psubscribe(self._pattern)
            yield LOST
            while True:
                message = channels.get_message(timeout=WAIT_SECONDS)
                yield None if message is None else message["data"].decode()
