"""One reader, many viewers: each published message goes to every open connection, in order and without gaps.

A viewer that has everything so far is written to directly by the publisher. A viewer that lags, because it is new or because
its connection takes no more for now, is served by its own greenlet until it has caught up. A connection that takes nothing
for ``SEND_SECONDS`` is cut off. Nothing is lost by that: its reader comes back and says which position it has.

Positions are integers that grow: the version of a match, the time of a change of the lobby. A message names the position
that it follows and goes only to viewers at exactly that position.
"""

from __future__ import annotations

import fcntl
import os
import socket
import ssl
import struct
import termios
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from gevent import get_hub, sleep
from gevent.event import Event

from service.players.tokens import Caller

HEARTBEAT_SECONDS = 15.0
"""Less than the 30 s after which proxies usually close a silent connection."""
SEND_SECONDS = 10.0
"""The longest wait for a connection that takes no more bytes."""
READABLE = 1
"""The event loop's flag for "ready to read"."""
WRITES_IN_A_ROW = 64
"""Writes before other greenlets get their turn: about half a millisecond."""


class Message:
    """The bytes of a server-sent event, plain and as a chunk of HTTP/1.1."""

    __slots__ = ("chunk", "raw")

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        # Framed once here and not once for each of a thousand viewers.
        self.chunk = b"%X\r\n%b\r\n" % (len(raw), raw)


HEARTBEAT = Message(b":\n\n")
NOTHING = Message(b"")
"""Stands for a message that this viewer may not see: nothing is sent, and the viewer advances to its position."""


class Sink:
    """The connection of a response, for writes that bypass the web server after it has sent the head of a chunked response."""

    # A write through gunicorn and WSGI needs the viewer's own greenlet: a switch there and back for each viewer and message.
    # The publisher's write is one system call. It is safe as long as one greenlet at a time writes: see ``Viewer.direct``.

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._socket.settimeout(SEND_SECONDS)
        self.fd = connection.fileno()

    def send(self, data: bytes) -> None:
        """Writes everything. Waits up to ``SEND_SECONDS`` for the connection to take more. Raises ``OSError``."""
        self._socket.sendall(data)

    def is_closed(self) -> bool:
        """Returns whether the client has closed the connection. To be called when it is ready to read: bytes, or the end."""
        # Asks for the number of waiting bytes and takes none: they belong to the web server.
        return not struct.unpack("i", fcntl.ioctl(self.fd, termios.FIONREAD, b"\0\0\0\0"))[0]

    def cut(self) -> None:
        """Shuts the connection down, so that nothing waits for it again."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return


def sink_of(environ: Mapping[str, Any]) -> Sink | None:
    """Returns the connection of a request; ``None`` if only the server can write to it (TLS, other servers, HTTP/1.0)."""
    connection = environ.get("gunicorn.socket")
    if connection is None or isinstance(connection, ssl.SSLSocket) or environ.get("SERVER_PROTOCOL") != "HTTP/1.1":
        return None
    return Sink(connection)


class Viewer:
    """A viewer, and the position that it has reached. ``caller`` is ``None`` for a viewer without an account."""

    __slots__ = ("attention", "caller", "direct", "dropped", "invited", "pending", "player", "position", "sink")

    def __init__(
        self, caller: Caller | None, position: int, sink: Sink | None = None, *, invited: int | None = None
    ) -> None:
        """``invited``: the version of the match's invite by which the viewer was let in; ``None``: it needed none."""
        self.caller = caller
        self.player = None if caller is None else caller.player
        self.position = position
        self.sink = sink
        self.invited = invited
        self.attention = Event()
        self.direct = False
        """True while the publisher may write to the connection; otherwise only the viewer's own greenlet writes."""
        self.pending = b""
        """The rest of a chunk that the connection did not take."""
        self.dropped = False

    def drop(self) -> None:
        """Ends the viewer's stream as soon as its greenlet runs."""
        self.dropped, self.direct = True, False
        self.attention.set()


Missing = Callable[[Viewer], Iterable[tuple[int, Message]]]
"""Yields the messages that a viewer lacks, each with its position. A viewer has a position once its message is taken."""


class Fanout:
    """The viewers of one match, or of the lobby."""

    def __init__(self) -> None:
        self.viewers: set[Viewer] = set()

    def publish(self, before: int, position: int, frame_for: Callable[[Viewer], Message | None]) -> None:
        """Sends the message of ``position`` to every viewer at ``before``, and makes the others catch up by themselves.

        Drops a viewer for which ``frame_for`` returns ``None``: it may no longer watch. A system call for each viewer.
        """
        for count, viewer in enumerate(tuple(self.viewers), 1):
            if viewer.direct and viewer.position == before:
                frame = frame_for(viewer)
                if frame is None:
                    viewer.drop()
                elif frame is NOTHING:
                    viewer.position = position
                else:
                    _write(viewer, frame.chunk, position)
            elif viewer.position < position:
                viewer.attention.set()
            if count % WRITES_IN_A_ROW == 0:
                sleep(0)

    def drop_revoked(self, player: str | None, holds: Callable[[Caller], bool]) -> None:
        """Drops the viewers of a player, ``None``: of all, whose token is no longer valid. One round trip for each token."""
        watching = [viewer for viewer in self.viewers if viewer.player is not None and player in (None, viewer.player)]
        valid = {caller: holds(caller) for caller in {viewer.caller for viewer in watching} if caller is not None}
        for viewer in watching:
            if viewer.caller is not None and not valid[viewer.caller]:
                viewer.drop()

    def notify_all(self) -> None:
        """Makes every viewer look for what it lacks."""
        for viewer in tuple(self.viewers):
            viewer.attention.set()

    def drop_all(self) -> None:
        """Drops all viewers, so that they come back and start again."""
        for viewer in tuple(self.viewers):
            viewer.drop()

    def serve(self, viewer: Viewer, opening: bytes, missing: Missing) -> Iterator[bytes]:
        """Yields the response body of a viewer. Runs in the viewer's own greenlet and ends when the viewer is dropped."""
        # Registered before it reads what it lacks: a message published in between only notifies it, for its position is not
        # the one that the message follows. So the viewer reads the message itself, once.
        self.viewers.add(viewer)
        try:
            # Yielded, so that the web server sends the head of the response before anything is written past it.
            yield opening
            if viewer.sink is None:
                yield from self._serve_through_server(viewer, missing)
            else:
                self._serve_directly(viewer, viewer.sink, missing)
        finally:
            self.viewers.discard(viewer)

    def _serve_through_server(self, viewer: Viewer, missing: Missing) -> Iterator[bytes]:
        while not viewer.dropped:
            viewer.attention.clear()
            for position, frame in missing(viewer):
                viewer.position = position
                if frame is not NOTHING:
                    yield frame.raw
            if not viewer.attention.wait(HEARTBEAT_SECONDS):
                yield HEARTBEAT.raw

    def _serve_directly(self, viewer: Viewer, sink: Sink, missing: Missing) -> None:
        """Sends what the viewer lacks, and then leaves the connection to the publisher for as long as the viewer keeps up."""
        try:
            with _dropped_when_closed(viewer, sink):
                while not viewer.dropped:
                    viewer.attention.clear()
                    for position, frame in missing(viewer):
                        viewer.position = position
                        if frame is not NOTHING:
                            sink.send(frame.chunk)
                    # Nothing else runs between the check that nothing is missing and this line, so no message is skipped.
                    viewer.direct = True
                    notified = viewer.attention.wait(HEARTBEAT_SECONDS)
                    viewer.direct = False
                    rest, viewer.pending = viewer.pending, b""
                    sink.send(rest or (b"" if notified else HEARTBEAT.chunk))
        except OSError:
            sink.cut()


@contextmanager
def _dropped_when_closed(viewer: Viewer, sink: Sink) -> Iterator[None]:
    """Drops a viewer as soon as it disconnects, not only when the next heartbeat cannot be sent."""
    watcher = get_hub().loop.io(sink.fd, READABLE)

    def look() -> None:
        watcher.stop()  # Looks once: bytes that a client sends and nobody reads would otherwise call this without end.
        if sink.is_closed():
            viewer.drop()

    watcher.start(look)
    try:
        yield
    finally:
        watcher.stop()
        watcher.close()


def _write(viewer: Viewer, chunk: bytes, position: int) -> None:
    """Writes as much as the connection takes without waiting; the viewer's greenlet writes the rest."""
    assert viewer.sink is not None
    try:
        written = os.write(viewer.sink.fd, chunk)
    except BlockingIOError:
        written = 0
    except OSError:
        viewer.sink.cut()
        viewer.drop()
        return
    viewer.position = position
    if written < len(chunk):
        viewer.direct, viewer.pending = False, chunk[written:]
        viewer.attention.set()
