"""Notifications of changed read models, shared by all waiting requests of this process over one subscription."""

from __future__ import annotations

import threading
from collections.abc import Callable

from service.ports import Notifications

Listener = Callable[[str], None]


class Changes:
    """The notifications of one process. ``start`` runs a function for ever in a thread or greenlet."""

    def __init__(self, notifications: Notifications, start: Callable[[Callable[[], None]], None]) -> None:
        self._notifications = notifications
        self._start = start
        self._subscribed = False
        self._listeners: list[Listener] = []
        self._next = threading.Event()

    def follow(self, listener: Listener) -> None:
        """Calls the listener with every notification from now on, in the subscribed thread or greenlet."""
        self._listeners.append(listener)
        self._begin()

    def next(self) -> threading.Event:
        """Returns an event that is set at the next notification. Get it before reading, so that no change is missed."""
        self._begin()
        return self._next

    def _begin(self) -> None:
        """Subscribes, when the first caller waits."""
        if not self._subscribed:
            self._subscribed = True
            self._start(self._listen)

    def _listen(self) -> None:
        for heard in self._notifications.heard():
            if heard is None:
                continue
            ended, self._next = self._next, threading.Event()
            ended.set()
            for listener in self._listeners:
                listener(heard)
