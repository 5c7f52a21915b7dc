"""A client's connection on which nothing may take for ever: no head, no body, no response."""

from __future__ import annotations

import errno
import socket as stdlib
import struct
import sys
from time import monotonic
from typing import Any

from gevent import sleep
from gevent.socket import socket
from gunicorn.http.errors import LimitRequestHeaders

from service.web.limits.connections import Pace
from service.web.limits.tally import Places


class SlowBodyError(TimeoutError):
    """A body has not arrived in its time."""


MOST_HEAD = 64 * 1024
"""Bytes of a head. gunicorn bounds each header and their number, but parses a head of 100 long ones for 60 ms."""
UNTAKEN_MS = 30_000
"""Milliseconds for which the kernel keeps what a client does not take, also after the connection has ended here."""


class PacedSocket(socket):  # type: ignore[misc]
    """A socket of gevent's with deadlines. The worker says which part of a request is read: ``expect_head`` or ``_body``.

    The first head must arrive in its time after the connection was made, a later one in its time after its first byte.
    Between requests gunicorn's ``keepalive`` bounds the wait. Costs a request less than 1 µs.
    """

    # Deadlines of whole parts, not of single reads: a client that sends a byte now and then never lets a read time out.

    def __init__(self, fileno: int, pace: Pace, places: Places) -> None:
        super().__init__(fileno=fileno)
        self.places = places
        self._pace = pace
        self._deadline: float | None = monotonic() + pace.seconds
        self._in_body = False
        self._head = 0
        """The bytes of the present head that have come; negative while a rest of a body comes first."""
        if hasattr(stdlib, "TCP_USER_TIMEOUT"):
            self._sock.setsockopt(stdlib.IPPROTO_TCP, stdlib.TCP_USER_TIMEOUT, UNTAKEN_MS)

    def expect_head(self, *, after_body: bool) -> None:
        """``after_body``: a rest of the body comes first, which must arrive in its time and is thrown away.

        Lets other greenlets run: a client that has sent many requests at once would otherwise have them all answered first.
        """
        self._deadline, self._in_body = self._deadline if after_body else None, False
        self._head = -sys.maxsize if after_body else 0
        sleep(0)

    def expect_body(self) -> None:
        self._deadline, self._in_body = monotonic() + self._pace.seconds, True

    # Most reads and writes need not wait: those go to the kernel at once, past gevent, and cost less than gevent's own.

    def recv(self, *args: Any) -> bytes:
        """Reads, and returns nothing, like at the end, when a head is late. Raises ``SlowBodyError`` for a body."""
        try:
            data: bytes = self._sock.recv(*args)
        except BlockingIOError:
            deadline = self._deadline
            wait = None if deadline is None else deadline - monotonic()
            if wait is not None and wait <= 0:
                return self._late()
            self.settimeout(wait)
            try:
                data = super().recv(*args)
            except TimeoutError:
                return self._late()
        if self._deadline is None:
            self._deadline = monotonic() + self._pace.seconds
        if self._in_body:
            self._deadline += len(data) / self._pace.rate
        else:
            self._head += len(data)
            if self._head > MOST_HEAD:
                raise LimitRequestHeaders("the head is too long")
        return data

    def _late(self) -> bytes:
        if self._in_body:
            raise SlowBodyError("the body is late")
        return b""

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Writes everything. Raises ``ConnectionResetError`` if the client does not take it in its time."""
        try:
            sent = self._sock.send(data, flags)
        except BlockingIOError:
            sent = 0
        if sent == len(data):
            return
        self.settimeout(self._pace.seconds + len(data) / self._pace.rate)
        try:
            super().sendall(memoryview(data)[sent:], flags)
        except TimeoutError as fault:
            # Ends with a reset, so that the kernel does not keep for minutes what nobody takes.
            self._sock.setsockopt(stdlib.SOL_SOCKET, stdlib.SO_LINGER, struct.pack("ii", 1, 0))
            raise ConnectionResetError(errno.ECONNRESET, "the client does not read") from fault
