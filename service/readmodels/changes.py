"""Notifications that read models have changed, for everybody in this process who waits: one listener serves all."""

from __future__ import annotations

import threading
from collections.abc import Callable

from service.ports import Notifications

Listener = Callable[[str], None]


class Changes:
    """``start`` runs what it is given for as long as the process lives, beside everything else."""

    def __init__(self, notifications: Notifications, start: Callable[[Callable[[], None]], None]) -> None:
        self._notifications = notifications
        self._start = start
        self._listens = False
        self._listeners: list[Listener] = []
        self._next = threading.Event()

    def follow(self, listener: Listener) -> None:
        """Calls the listener with every notification from now on, in the thread or greenlet that listens."""
        self._listeners.append(listener)
        self._begin()

    def next(self) -> threading.Event:
        """An event that is set when the next notification comes. Ask for it before looking, so that nothing is missed."""
        self._begin()
        return self._next

    def _begin(self) -> None:
        """Starts to listen, when somebody first waits."""
        if not self._listens:
            self._listens = True
            self._start(self._listen)

    def _listen(self) -> None:
        for heard in self._notifications.heard():
            if heard is None:
                continue
            ended, self._next = self._next, threading.Event()
            ended.set()
            for listener in self._listeners:
                listener(heard)
