"""Streams of matches: one reader for each match and process, for all its viewers together.

A notification of the append script only makes the reader look. Commits are read from the log, so a lost notification costs
at most ``POLL_SECONDS``. A commit is serialized once for each *audience*, the viewers who know the secrets of the same
seats: a thousand spectators are one audience.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from gevent import sleep, spawn
from gevent.event import Event

from domain import wire
from domain.errors import FoldtableError, NewerReleaseError
from domain.evolve import advance
from domain.hidden import Sees
from domain.match import Match
from domain.store import Entry, QuarantinedError, UnavailableError
from replay.steps import Narrator
from service.cache import Cache
from service.matches import access
from service.matches.repository import MatchRepository
from service.players.tokens import Caller
from service.ports import Notifications
from service.telemetry import STREAMS
from service.web.background import keep_running
from service.web.bodies.body import Body
from service.web.bodies.history import commit_event
from service.web.encoding import JSON_TYPE, encoded
from service.web.live.broadcast import Fanout, Message, Viewer

RETRY_MS = 2000
"""The pause that a client makes before it connects again."""
POLL_SECONDS = 1.0
"""The longest time between two looks at the log, whatever notifications say."""
TAG_BYTES = 4
KEPT_FRAMES = 512
"""Messages kept for each match, for viewers that come back after a short time."""
PAGE = 64
"""Older commits read at once for a viewer that lags."""
MOST = 5500
"""The most streams in one process: the rest of its connections is for all other requests."""

Names = Callable[[Collection[str]], Mapping[str, str]]

_log = logging.getLogger(__name__)


class DivergedError(FoldtableError):
    """The log no longer holds what was sent: it has lost its end."""


def event(name: str, position: int | str, body: Body) -> bytes:
    """Returns a server-sent event. One ``data`` line is enough, because the JSON has no line breaks."""
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (str(position).encode(), name.encode(), encoded(body, JSON_TYPE))


def tagged(version: int, head: bytes) -> str:
    """Returns the id of an event of a match: the version, and a tag of the commit's hash.

    A log that lost its end, in a restored backup say, gives version numbers out again; the tag tells the two apart.
    """
    return f"{version}-{head[:TAG_BYTES].hex()}"


def opening(first: bytes = b"") -> bytes:
    """Returns the first bytes of a stream."""
    return b"retry: %d\n\n" % RETRY_MS + first


class Streams:
    """All open streams of matches in this process."""

    def __init__(
        self,
        matches: MatchRepository,
        names: Names,
        holds: Callable[[Caller], bool],
        appends: Notifications | None = None,
        poll: float = POLL_SECONDS,
    ) -> None:
        """``holds`` says whether a caller's token is still valid."""
        self._matches = matches
        self._names = names
        self._holds = holds
        self._appends = appends
        self._poll = poll
        self._channels: dict[str, Channel] = {}
        self._listens = False

    @property
    def open(self) -> int:
        """The number of open streams."""
        return sum(len(channel.fanout.viewers) for channel in self._channels.values())

    def watch(self, match: Match, viewer: Viewer, first: bytes) -> Iterator[bytes]:
        """Yields the body of a stream that goes on after the viewer's position."""
        with self._channel(match) as channel, STREAMS.track():
            yield from channel.fanout.serve(viewer, opening(first), channel.missing)

    def invalidate(self, player: str | None) -> None:
        """Ends the streams of this player whose token is no longer valid, and reads its name again; ``None``: of every player."""
        for channel in tuple(self._channels.values()):  # A copy: reading waits, and channels come and go meanwhile.
            channel.fanout.drop_revoked(player, self._holds)
            if player is None or player in channel.match.table.people:
                channel.rename()

    @contextmanager
    def _channel(self, match: Match) -> Iterator[Channel]:
        channel = self._channels.get(match.id) or self._open_channel(match)
        channel.users += 1
        try:
            yield channel
        finally:
            channel.users -= 1
            channel.grown.set()

    def _open_channel(self, match: Match) -> Channel:
        made = Channel(match, self._matches, self._names)
        # Reading names waits, and another viewer may have opened the channel meanwhile. Each match has one reader only.
        channel = self._channels.setdefault(match.id, made)
        if channel is made:
            spawn(self._follow, channel)
        if self._appends is not None and not self._listens:
            self._listens = True
            keep_running("listening to the shards", partial(self._listen, self._appends))
        return channel

    def _follow(self, channel: Channel) -> None:
        """Follows the match as long as there are viewers."""
        while channel.users:
            channel.grown.wait(self._poll)
            channel.grown.clear()
            try:
                channel.catch_up()
            except UnavailableError:
                sleep(self._poll)
            except (DivergedError, QuarantinedError, NewerReleaseError):
                break
            except Exception:
                _log.exception("the streams of match %s ended after an unexpected error", channel.match.id)
                break
        if self._channels.get(channel.match.id) is channel:
            del self._channels[channel.match.id]
        channel.fanout.drop_all()

    def _listen(self, appends: Notifications) -> None:
        for match_id in appends.heard():
            self.look_at(match_id or None)

    def look_at(self, match_id: str | None) -> None:
        """Lets the reader of a match look at once whether it has grown, or is in quarantine; ``None``: all readers."""
        if match_id is None:
            for channel in tuple(self._channels.values()):
                channel.grown.set()
        elif match_id in self._channels:
            self._channels[match_id].grown.set()


class Channel:
    """One watched match up to the version that was sent last, and its viewers."""

    def __init__(self, match: Match, matches: MatchRepository, names: Names) -> None:
        self.match = match
        self.fanout = Fanout()
        self.grown = Event()
        """Set when the log may have grown."""
        self.users = 0
        """Streams that are open or about to be; the channel ends with the last one."""
        self._matches = matches
        self._names = names
        self._narrator = self._new_narrator()
        self._frames: Cache[tuple[int, Sees], Message] = Cache(KEPT_FRAMES)

    def catch_up(self) -> None:
        """Reads the log's tail and sends it. Raises ``DivergedError`` if the log has lost its end, and ``QuarantinedError``.

        Then the streams end, and those who watch start again.
        """
        self._matches.check_quarantine(self.match.id)
        tail = self._matches.entries(self.match.id, self.match.version - 1)
        if not tail or tail[0].hash != self.match.head:
            raise DivergedError
        for entry in tail[1:]:
            self._matches.check_link(self.match, entry)
            self._take(entry)

    def rename(self) -> None:
        """Reads the names of the seats again, and drops messages made with the old ones."""
        self._narrator = self._new_narrator()
        self._frames.clear()

    def missing(self, viewer: Viewer) -> Iterator[tuple[int, Message]]:
        """Yields the commits that a viewer lacks, as it may see them now."""
        while not viewer.dropped and (version := viewer.position + 1) <= self.match.version:
            if not self._may_see(viewer):
                viewer.drop()
                return
            sees = self.match.sees(viewer.player)
            yield version, self._frames.get((version, sees)) or self._read(version, sees)

    def _take(self, entry: Entry) -> None:
        table = self.match.table
        self.match = advance(self.match, wire.decode(self.match.game, entry))
        if self.match.table is not table:
            self._narrator = self._new_narrator()
        # By player, so that each of a thousand spectators costs one look-up. Players who may see the same share one message
        # through ``_frames``.
        made: dict[str | None, Message] = {}

        def frame_for(viewer: Viewer) -> Message | None:
            frame = made.get(viewer.player)
            if frame is None:
                sees = self.match.sees(viewer.player)
                frame = made[viewer.player] = self._frames.get((entry.version, sees)) or self._frame(entry, sees)
            return frame if self._may_see(viewer) else None

        self.fanout.publish(entry.version - 1, entry.version, frame_for)

    def _may_see(self, viewer: Viewer) -> bool:
        """Returns whether a viewer may watch: a private match only its own players, the arbiter and invited viewers."""
        if viewer.invited is not None and viewer.invited == self.match.table.invite.since:
            return True
        return access.is_visible(self.match, viewer.player)

    def _read(self, version: int, sees: Sees) -> Message:
        """Reads a page of older commits, keeps their messages, and returns the first."""
        entries = self._matches.entries(self.match.id, version - 1, PAGE)
        frames = [self._frame(entry, sees) for entry in entries if entry.version <= self.match.version]
        if not frames:
            raise DivergedError
        return frames[0]

    def _frame(self, entry: Entry, sees: Sees) -> Message:
        match, version = self.match, entry.version
        seats = [None if seated is None else seated.player for seated in match.table.seats]
        step = self._narrator.step(wire.decode(match.game_at(version), entry, sees), seats)
        frame = Message(event("commit", tagged(version, entry.hash), commit_event(step, match)))
        self._frames.put((version, sees), frame)
        return frame

    def _new_narrator(self) -> Narrator:
        return Narrator(self.match.table, self._names(self.match.table.people))
