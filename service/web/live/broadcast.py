"""One reader, many viewers: what is published once goes to every open connection, in order and without gaps.

A viewer that has everything is written to directly, from the one loop that publishes: a system call, no switch of greenlets.
A viewer that is behind, because it has just come or because its connection takes no more just now, is served by its own
greenlet until it has everything again. A connection that takes nothing for ``SEND_SECONDS`` is cut off; nothing is lost
by that, for its reader comes back and says how far it was.

Positions are whole numbers that grow: the version of a match, the change time of a list. What is published says which
position it follows, and goes only to viewers that stand exactly there.
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

HEARTBEAT_SECONDS = 15.0
"""Below the half minute after which proxies usually give up on a silent connection."""
SEND_SECONDS = 10.0
READABLE = 1
"""What an event loop is asked to wait for."""
WRITTEN_AT_ONCE = 64
"""After so many viewers other requests have their turn: about half a millisecond."""


class Message:
    """A message as it is sent, and as a chunk of HTTP/1.1. Made once, whoever gets it."""

    __slots__ = ("chunk", "raw")

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.chunk = b"%X\r\n%b\r\n" % (len(raw), raw)


HEARTBEAT = Message(b":\n\n")
NOTHING = Message(b"")
"""Not for this viewer, who goes on behind it all the same."""


class Sink:
    """The connection under a response, written to past the web server, which has sent the head of a chunked answer."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._socket.settimeout(SEND_SECONDS)
        self.fd = connection.fileno()

    def send(self, data: bytes) -> None:
        """Waits, but not for ever. Raises ``OSError``."""
        self._socket.sendall(data)

    def is_closed(self) -> bool:
        """Returns whether the other side has closed. Called when the socket is readable: then there are bytes, or the end."""
        return not struct.unpack("i", fcntl.ioctl(self.fd, termios.FIONREAD, b"\0\0\0\0"))[0]

    def cut(self) -> None:
        """Shuts the connection down, so that nothing waits for it again."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return


def sink_of(environ: Mapping[str, Any]) -> Sink | None:
    """The connection of a request; ``None`` where it cannot be written to past the server (TLS, other servers, HTTP/1.0)."""
    connection = environ.get("gunicorn.socket")
    if connection is None or isinstance(connection, ssl.SSLSocket) or environ.get("SERVER_PROTOCOL") != "HTTP/1.1":
        return None
    return Sink(connection)


class Viewer:
    """A viewer, and the position that it has reached. ``player`` is ``None`` for a stranger."""

    __slots__ = ("attention", "direct", "gone", "invited", "pending", "player", "position", "sink")

    def __init__(self, player: str | None, position: int, sink: Sink | None = None, *, invited: bool = False) -> None:
        self.player = player
        self.position = position
        self.sink = sink
        self.invited = invited
        self.attention = Event()
        self.direct = False
        """Whether the publisher may write to its connection, which otherwise its own greenlet alone does."""
        self.pending = b""
        """The rest of a chunk that the connection did not take."""
        self.gone = False

    def drop(self) -> None:
        """Ends its answer as soon as its greenlet runs."""
        self.gone, self.direct = True, False
        self.attention.set()


Behind = Callable[[Viewer], Iterable[tuple[int, Message]]]
"""What a viewer lacks, each with its position, which the viewer has once it is taken."""


class Fanout:
    """The viewers of one thing."""

    def __init__(self) -> None:
        self.viewers: set[Viewer] = set()

    def publish(self, before: int, position: int, frame_for: Callable[[Viewer], Message | None]) -> None:
        """Sends to every viewer at ``before`` and notifies the others. Drops a viewer that may not have it (``None``)."""
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
            if count % WRITTEN_AT_ONCE == 0:
                sleep(0)

    def drop(self, player: str) -> None:
        """Cuts a player's viewers off, who will be asked again who they are."""
        for viewer in tuple(self.viewers):
            if viewer.player == player:
                viewer.drop()

    def wake_all(self) -> None:
        """Makes every viewer look for what it lacks."""
        for viewer in tuple(self.viewers):
            viewer.attention.set()

    def drop_all(self) -> None:
        """Drops all viewers, so that they come back and start again."""
        for viewer in tuple(self.viewers):
            viewer.drop()

    def sent(self, viewer: Viewer, opening: bytes, behind: Behind) -> Iterator[bytes]:
        """The body of the viewer's answer. Runs in the viewer's own greenlet and ends when the viewer is dropped."""
        self.viewers.add(viewer)
        try:
            yield opening
            if viewer.sink is None:
                yield from self._passed_on(viewer, behind)
            else:
                self._sent(viewer, viewer.sink, behind)
        finally:
            self.viewers.discard(viewer)

    def _passed_on(self, viewer: Viewer, behind: Behind) -> Iterator[bytes]:
        """Through the web server."""
        while not viewer.gone:
            viewer.attention.clear()
            for position, frame in behind(viewer):
                viewer.position = position
                if frame is not NOTHING:
                    yield frame.raw
            if not viewer.attention.wait(HEARTBEAT_SECONDS):
                yield HEARTBEAT.raw

    def _sent(self, viewer: Viewer, sink: Sink, behind: Behind) -> None:
        """Past the web server; by the publisher itself as long as the viewer keeps up."""
        try:
            with _dropped_when_closed(viewer, sink):
                while not viewer.gone:
                    viewer.attention.clear()
                    for position, frame in behind(viewer):
                        viewer.position = position
                        if frame is not NOTHING:
                            sink.send(frame.chunk)
                    viewer.direct = True
                    woken = viewer.attention.wait(HEARTBEAT_SECONDS)
                    viewer.direct = False
                    rest, viewer.pending = viewer.pending, b""
                    sink.send(rest or (b"" if woken else HEARTBEAT.chunk))
        except OSError:
            sink.cut()


@contextmanager
def _dropped_when_closed(viewer: Viewer, sink: Sink) -> Iterator[None]:
    """Drops a viewer as soon as it disconnects, not when the next heartbeat cannot be sent."""
    watcher = get_hub().loop.io(sink.fd, READABLE)

    def look() -> None:
        watcher.stop()  # Once: who sends more is not looked at any further.
        if sink.is_closed():
            viewer.drop()

    watcher.start(look)
    try:
        yield
    finally:
        watcher.stop()
        watcher.close()


def _write(viewer: Viewer, chunk: bytes, position: int) -> None:
    """Writes as much as the connection takes at once; the viewer's greenlet writes the rest."""
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
