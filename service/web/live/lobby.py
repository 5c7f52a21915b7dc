"""The stream of the lobby: in each process one reader follows the feed of the read models, for all viewers together.

The feed holds each match once, at the number of its last change. So a viewer that was away gets the present rows of the
matches that have changed since, and not the changes in between.

On leaving a private match a player gets one `gone` event and then nothing more of it, also when the match changes again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence

from gevent import sleep, spawn
from gevent.event import Event

from domain.store import UnavailableError
from service.players.tokens import Caller
from service.ports.readmodels import LOBBY
from service.problems import ProblemError
from service.readmodels.changes import Changes
from service.readmodels.queries import Change, Queries, may_see
from service.telemetry import STREAMS
from service.web.bodies.lobby import GoneEvent, match_card, players_of
from service.web.live.broadcast import NOTHING, Fanout, Message, Sink, Viewer
from service.web.live.match import POLL_SECONDS, Names, event, opening

PAGE = 100
"""Changes read at once."""

_log = logging.getLogger(__name__)


class LobbyViewer(Viewer):
    """A viewer of the lobby. ``game`` is the only game it asked for; ``own`` are the private matches it may have been sent."""

    __slots__ = ("game", "own")

    def __init__(
        self, caller: Caller | None, position: int, sink: Sink | None, game: str | None, own: set[str]
    ) -> None:
        super().__init__(caller, position, sink)
        self.game = game
        self.own = own


class LobbyStream:
    """All open streams of the lobby in this process."""

    def __init__(
        self,
        queries: Queries,
        names: Names,
        holds: Callable[[Caller], bool],
        changes: Changes | None = None,
        poll: float = POLL_SECONDS,
    ) -> None:
        """``holds`` says whether a caller's token is still valid."""
        self._queries = queries
        self._names = names
        self._holds = holds
        self._changes = changes
        self._poll = poll
        self._fanout = Fanout()
        self._changed = Event()
        self._position = 0
        self._runs = self._listens = False

    @property
    def open(self) -> int:
        """The number of open streams."""
        return len(self._fanout.viewers)

    def invalidate(self, player: str | None) -> None:
        """Ends the streams of this player whose token is no longer valid; ``None``: of every player."""
        self._fanout.drop_revoked(player, self._holds)

    def watch(self, viewer: LobbyViewer, first: bytes) -> Iterator[bytes]:
        """Yields the body of a stream that goes on after the viewer's position."""
        if not self._runs:
            self._runs = True  # Before anything that waits: other greenlets run then, and each would start a reader.
            spawn(self._follow)
        if self._changes is not None and not self._listens:
            self._listens = True
            self._changes.follow(self._hear)
        with STREAMS.track():
            yield from self._fanout.serve(viewer, opening(first), self._missing)

    def _follow(self) -> None:
        """Follows the feed as long as there are viewers."""
        started = False
        try:
            while self._fanout.viewers:
                self._changed.clear()
                try:
                    if not started:
                        self._position, started = self._queries.newest_change(), True
                        # Viewers that came before the position was known have found nothing to read.
                        self._fanout.notify_all()
                    self._catch_up()
                except (UnavailableError, ProblemError):
                    sleep(self._poll)
                self._changed.wait(self._poll)
        except Exception:
            _log.exception("the lobby's streams ended after an unexpected error")
        finally:
            self._runs = False
            self._fanout.drop_all()

    def _hear(self, announced: str) -> None:
        """Makes the reader look for changes, if the lobby has changed (``LOBBY``) or notifications may be lost (``""``)."""
        if announced in (LOBBY, ""):
            self._changed.set()

    def _catch_up(self) -> None:
        while changes := self._queries.changed(self._position, PAGE):
            names = self._names_of(changes)
            for change in changes:
                self._publish(change, names)

    def _publish(self, change: Change, names: dict[str, str]) -> None:
        frame = _frame(change, names)
        before, self._position = self._position, change.number
        self._fanout.publish(before, change.number, lambda viewer: _message_for(viewer, change, frame))

    def _missing(self, viewer: Viewer) -> Iterator[tuple[int, Message]]:
        while viewer.position < self._position and not viewer.dropped:
            changes = self._queries.changed(viewer.position, PAGE)
            names = self._names_of(changes)
            for change in changes:
                yield change.number, _message_for(viewer, change, _frame(change, names))
            if not changes:
                viewer.position = self._position

    def _names_of(self, changes: Sequence[Change]) -> dict[str, str]:
        return dict(self._names(players_of(change.summary for change in changes if change.summary)))


def gone(number: int, match_id: str) -> bytes:
    """Returns the event which says that the viewer may no longer see a match."""
    return event("gone", number, GoneEvent(match_id=match_id))


def _frame(change: Change, names: dict[str, str]) -> Message:
    return Message(event("match", change.number, match_card(change.summary, names))) if change.summary else NOTHING


def _message_for(viewer: Viewer, change: Change, frame: Message) -> Message:
    """Returns the message about a change for one viewer: ``frame``, the event `gone`, or ``NOTHING``."""
    assert isinstance(viewer, LobbyViewer)
    row = change.row
    if not row or viewer.game not in (None, row["game"]):
        return NOTHING
    if may_see(row, viewer.player):
        if row["private"]:
            viewer.own.add(change.match_id)
        return frame
    if change.match_id in viewer.own:
        viewer.own.remove(change.match_id)
        return Message(gone(change.number, change.match_id))
    return NOTHING
