"""A worker's heartbeat in memory."""

from __future__ import annotations


class Heart:
    def __init__(self) -> None:
        self.at: int | None = None

    def last(self) -> int | None:
        return self.at

    def beat(self, now: int) -> None:
        self.at = now
