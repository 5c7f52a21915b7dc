"""Notifications from one process to all, over one connection: matches that grew or are in quarantine, read models that
changed, deleted accounts.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import redis

SHARD_CHANNELS = "{s??}:wake"
READ_MODELS_CHANNEL = "{views}:wake"
QUARANTINE_CHANNELS = "{s??}:quarantine"
DELETIONS_CHANNEL = "{players}:gone"
WAIT_SECONDS = 1.0
LOST = ""
"""Yielded after the connection was (re)made: notifications sent before are lost."""


class RedisNotifications:
    """The notifications of all shards, or of other channels."""

    def __init__(self, client: redis.Redis, pattern: str = SHARD_CHANNELS) -> None:
        self._client = client
        self._pattern = pattern

    def heard(self) -> Iterator[str | None]:
        """Yields match ids (shards), subjects (read models) or player ids (deletions), for ever; reconnects by itself.

        Yields ``None`` after each idle ``WAIT_SECONDS``, and ``LOST`` at first and whenever some may have been missed.
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
