"""gunicorn's worker, with limits below the app: connections, the time that heads and bodies take, and silent refusals."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

from gevent import GreenletExit
from gevent.server import StreamServer
from gunicorn.http.errors import ConfigurationProblem, ParseException
from gunicorn.workers.ggevent import GeventWorker

from service.problems import ProblemError
from service.web.limits.connections import TOO_MANY, Connections, Pace
from service.web.limits.sockets import PacedSocket

FAULTS = {
    "InvalidRequestLine": "The first line is not one of HTTP.",
    "InvalidRequestMethod": "The method is not one of HTTP.",
    "InvalidHTTPVersion": "The version of HTTP is not known here.",
    "InvalidHeader": "A header is malformed.",
    "InvalidHeaderName": "The name of a header is malformed.",
    "ObsoleteFolding": "A header is folded.",
    "LimitRequestLine": "The first line is too long.",
    "LimitRequestHeaders": "There are too many headers, or one is too long.",
    "UnsupportedTransferCoding": "The transfer coding is not known here.",
    "ExpectationFailed": "The expectation cannot be met.",
}
"""Sentences about requests that cannot be parsed. None repeats a byte of the request, which may hold a token."""
UNKNOWN_FAULT = "The request is not HTTP."

_log = logging.getLogger(__name__)


def _unread() -> Callable[[ProblemError], bytes]:
    # Imported in the web process only: the process that starts the others reads this file too, and needs no Flask.
    from service.web.error_handlers import unread

    return unread


def _has_unread_body(req: Any) -> bool:
    """Returns whether a part of the body, which the response did not need, must still be read before the next head."""
    reader = req.body.reader
    return getattr(reader, "length", 0) > 0 or getattr(reader, "parser", None) is not None


class Server(StreamServer):  # type: ignore[misc]
    """Accepts connections that are admitted, and closes the others at once, without a greenlet."""

    # One at a time, as gunicorn does it, so that several processes share them.
    max_accept = 1

    def __init__(self, *args: Any, connections: Connections, pace: Pace, **more: Any) -> None:
        super().__init__(*args, **more)
        self._connections = connections
        self._pace = pace
        # Made once: thousands may be refused in a second.
        self._refusal = _unread()(TOO_MANY)

    def do_read(self) -> tuple[Any, Any] | None:
        # As gevent does it, but without a socket of its own for a connection that is refused: thousands may come in a second.
        try:
            fd, peer = self.socket._accept()
        except BlockingIOError:
            return None  # Another process was faster.
        places = self._connections.admit(peer[0])
        if places is not None:
            return PacedSocket(fd, self._pace, places), peer
        with suppress(OSError):
            os.write(fd, self._refusal)  # The kernel has room for it, so this does not wait.
        os.close(fd)
        return None

    def do_close(self, client: PacedSocket, *args: Any) -> None:
        self._connections.release(client.places)
        super().do_close(client, *args)


class Worker(GeventWorker):  # type: ignore[misc]
    """``limited`` is set by ``gunicorn_conf`` in each web process; without it connections are as gunicorn makes them."""

    limited: tuple[Connections, Pace] | None = None
    _refused = 0
    """Requests that were refused before they were parsed and of which the log does not say so yet."""
    _quiet_until = 0.0

    def run(self) -> None:
        # gunicorn asks for a class here, and makes its own server without one.
        if self.limited is not None:
            self.server_class = self._server
        super().run()

    def _server(self, listener: Any, *, spawn: Any, ssl_context: Any = None, **_unused: Any) -> Server:
        assert self.limited is not None
        connections, pace = self.limited
        secured = {} if ssl_context is None else {"ssl_context": ssl_context}
        handle: Callable[..., None] = partial(self.handle, listener)
        return Server(listener, handle, spawn=spawn, connections=connections, pace=pace, **secured)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> Any:
        if not isinstance(sock, PacedSocket):
            return super().handle_request(listener_name, req, sock, addr)
        sock.expect_body()
        try:
            return super().handle_request(listener_name, req, sock, addr)
        finally:
            sock.expect_head(after_body=_has_unread_body(req))

    def _note(self, kind: str) -> None:
        """Logs refused requests, at most one line a second: strangers could fill a disk otherwise."""
        self._refused += 1
        if (now := monotonic()) >= self._quiet_until:
            _log.warning("%d requests were refused before they were parsed, the last one: %s", self._refused, kind)
            self._refused, self._quiet_until = 0, now + 1

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answers with a problem to bytes that never become a request of the app. Repeats and logs none of them."""
        if isinstance(exc, (GreenletExit, SystemExit)):
            return  # The process stops.
        unread = _unread()
        kind = type(exc).__name__
        if isinstance(exc, ConfigurationProblem):
            answer = unread(ProblemError("not_found", "The service is mounted below another path."))
        elif isinstance(exc, ParseException):
            self._note(kind)
            answer = unread(ProblemError("unreadable", FAULTS.get(kind, UNKNOWN_FAULT)))
        else:
            _log.error("a connection ended by an unexpected error", exc_info=exc)
            answer = unread(ProblemError("internal"))
        with suppress(OSError):
            client.sendall(answer)
