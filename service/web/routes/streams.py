"""Live streams as server-sent events, for ``fetch``: an ``EventSource`` cannot send a token, and a URL never holds one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flask import Response, request

from domain.match import Match
from service.matches import access
from service.problems import ProblemError
from service.readmodels.queries import Queries
from service.web.actions import SEEING
from service.web.blueprint import Blueprint
from service.web.bodies.lobby import LobbyStreamQuery
from service.web.bodies.matches import match_body
from service.web.context import invite, names_at, service, viewer
from service.web.live.broadcast import Viewer, sink_of
from service.web.live.lobby import LobbyViewer, gone
from service.web.live.match import MOST, event, tagged
from service.web.queries import check_game, lobby_page, queries

STREAM_TYPE = "text/event-stream"

blueprint = Blueprint("streams", __name__, description="Live streams", answers=(STREAM_TYPE,))

MATCH_EVENT = r"([0-9]{1,100})(?:-([0-9a-f]{8}))?"
"""The id of an event of a match; ids without a tag were given by version 0.2 and before."""
FIRST_PAGE = 50
CLOCK_SKEW_US = 60_000_000
"""More than the clocks of two processes differ."""
MAX_ABSENCE_US = 3_600_000_000
"""A reader that was away for longer starts again with the `lobby` event."""
HEADERS = {
    "Cache-Control": "no-store",
    "Vary": "Authorization, Accept",
    # Makes nginx, and proxies that copy it, pass on each event at once instead of filling a buffer.
    "X-Accel-Buffering": "no",
}
EVENT = {
    "type": "object",
    "required": ["data"],
    "properties": {
        "event": {"type": "string", "description": "The kind of event."},
        "id": {"type": "string", "description": "The position in the stream, for `Last-Event-ID`."},
        "data": {"type": "string", "description": "A JSON object."},
        "retry": {"type": "integer"},
    },
}
EVENTS = {"200": {"description": "Events, without end", "content": {STREAM_TYPE: {"schema": EVENT}}}}


@dataclass(frozen=True, slots=True)
class Known:
    """The last event that a reader has: its position, and the tag of a commit's hash if its id had one."""

    position: int
    tag: str | None = None


def last_event_id(form: str = r"([0-9]{1,100})()") -> Known | None:
    """Returns the last event that the reader has. Raises ``ProblemError`` (400)."""
    given = request.environ.get("HTTP_LAST_EVENT_ID", "").strip()
    if not given:
        return None
    found = re.fullmatch(form, given)
    if found is None:
        raise ProblemError("unreadable", "Last-Event-ID must be the id of an event of this stream.")
    return Known(int(found[1]), found[2] or None)


@blueprint.route("/matches/<match_id>/stream")
@blueprint.doc(responses=EVENTS)
@blueprint.problems(*SEEING, "unreadable", "busy", "too_many_streams")
def stream(match_id: str) -> Response:
    """Streams the commits of a match as you may see them: `commit` events with a row as in the log.

    The `id` of an event is the version and a tag of its hash. Without `Last-Event-ID`, or with one that is not of this log,
    the first event is `state`, the match as it is now.
    """
    player, known, streams = viewer(), last_event_id(MATCH_EVENT), service().streams
    match = service().matches.current(match_id, player, invite())
    _check_room()
    position, first = _start(match, player, known)
    invited = not access.is_visible(match, player)
    watcher = Viewer(player, position, sink_of(request.environ), invited=invited)
    return _streamed(player, streams.watch(match, watcher, first))


def _check_room() -> None:
    lobby = service().lobby
    if service().streams.open + (0 if lobby is None else lobby.open) >= MOST:
        raise ProblemError(
            "busy", "Too many streams are open. Try again in a few seconds.", headers={"Retry-After": "5"}
        )


def _streamed(player: str | None, body: Iterator[bytes]) -> Response:
    """Returns the response with this body. Raises ``ProblemError`` (429) if the viewer has too many streams."""
    limits = service().limits
    counted = body if limits is None else limits.stream(player, body)
    return Response(counted, headers=HEADERS, content_type=STREAM_TYPE)


def _start(match: Match, player: str | None, known: Known | None) -> tuple[int, bytes]:
    """Returns the position after which the stream goes on, and its first bytes.

    A ``known`` commit that the log does not have counts as none: the log lost its end, so the reader gets the state.
    """
    if known is not None and known.position <= match.version and _is_of(match, known):
        return known.position, b""
    state = match_body(match, player, names_at(match))
    return match.version, event("state", tagged(match.version, match.head), state)


def _is_of(match: Match, known: Known) -> bool:
    """Returns whether the log has the commit with this tag at this version; true for a version without a tag."""
    if known.tag is None:
        return True
    entries = service().matches.entries(match.id, known.position - 1, 1) if known.position else ()
    return any(tagged(entry.version, entry.hash) == f"{known.position}-{known.tag}" for entry in entries)


@blueprint.route("/lobby/stream")
@blueprint.arguments(LobbyStreamQuery, location="query")
@blueprint.doc(responses=EVENTS)
@blueprint.problems(
    "unauthenticated", "unreadable", "game_not_found", "busy", "too_many_streams", "not_ready", "lists_damaged"
)
def lobby_stream(query: dict[str, Any]) -> Response:
    """Streams the lobby: a `match` event for each match that has changed, with its row as in `GET /matches`.

    Without `Last-Event-ID`, or with one that is more than an hour old, the first event is `lobby`, the first page of the
    list. Changes that follow each other quickly may be sent as one. Private matches are sent to their players and arbiter;
    on leaving one, a player gets a `gone` event with its `match_id`.
    """
    player, known, read, streams = viewer(), last_event_id(), queries(), service().lobby
    check_game(query)
    _check_room()
    assert streams is not None
    now = service().clock.micros()
    own = set() if player is None else read.own_private(player)
    if known is not None and now - MAX_ABSENCE_US <= known.position <= now:
        position = known.position
        first = b"" if player is None else _gone_since(read, player, query.get("game"), position)
    else:
        position, page = read.newest_change(), lobby_page(read, query | {"limit": FIRST_PAGE}, player)
        # The id is not the number of the newest change, which may be a private match's and would say when it changed. It
        # is a time before that, so that a reader which comes back with it misses nothing.
        first = event("lobby", now - CLOCK_SKEW_US, page)
    watcher = LobbyViewer(player, position, sink_of(request.environ), query.get("game"), own)
    return _streamed(player, streams.watch(watcher, first))


def _gone_since(read: Queries, player: str, game: str | None, known: int) -> bytes:
    """Returns `gone` events for the private matches that the player has left since, perhaps some that it had already."""
    left = read.left_since(player, (known - CLOCK_SKEW_US) // 1000)
    return b"".join(gone(known, match_id) for match_id, of in left.items() if game in (None, of))
