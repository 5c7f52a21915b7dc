"""Queries: pages of lists as a viewer may see them, and waiting until the read models include an action.

Public matches are in public lists. A private match is only in the private list of each of its members, and a query merges
the viewer's own private list with the public one. So no filter, count or cursor can reveal it to anybody else.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from projections import lobby
from projections.projection import Row
from service.matches import ids
from service.ports.readmodels import Position, ReadModels, Target
from service.problems import ProblemError
from service.readmodels import leaderboards
from service.readmodels.changes import Changes
from service.readmodels.leaderboards import Standing
from service.readmodels.ratings import is_settled

WAIT_SECONDS = 2.0
"""The longest time for which a query waits for ``min_version``."""
LOOK_SECONDS = 0.02
"""The interval of checks without notifications, and the shortest one with them."""
AT_ONCE = 3
"""The checks made without that pause: a write and the fold of its ratings notify twice; further notifications are of other
matches.
"""
SLOW_LOOK_SECONDS = 0.25
"""The interval of checks with notifications, because one may be lost."""
LOOKED_AT = 1000
"""The most rows that one page reads: it ends early rather than read a long list for a rare filter."""
CHUNK = 100

STATUSES = ("open", "live", "frozen", "finished", "void")

NOT_ENDED = ("open", "live", "frozen")

Fits = Callable[[Row], bool]


@dataclass(frozen=True, slots=True)
class Known:
    """A match and version from the response of an action."""

    match_id: str
    version: int


@dataclass(frozen=True, slots=True)
class Change:
    """A changed match: the number of the change, and its rows in the lobby and in the summaries."""

    number: int
    match_id: str
    row: Row
    summary: Row


@dataclass(frozen=True, slots=True)
class Page:
    ids: list[str]
    rows: list[Row]
    next: str | None
    """The cursor of the next page; ``None`` on the last one."""


def read_known(text: str | None) -> Known | None:
    """Reads ``<match id>:<version>``. Raises ``ProblemError`` (400)."""
    if text is None:
        return None
    match_id, _colon, version = text.partition(":")
    if not ids.is_match_id(match_id) or not re.fullmatch(r"[0-9]{1,15}", version):
        raise ProblemError(
            "unreadable",
            "min_version must be <match id>:<version>, from the response of an action.",
            field="min_version",
        )
    return Known(match_id, int(version))


def read_cursor(text: str | None) -> Position | None:
    """Reads a cursor, the ``next`` of an earlier page. Raises ``ProblemError`` (400)."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,16})\.([0-9a-z]{1,40})", text)
    if found is None:
        raise ProblemError("unreadable", "cursor must be the value of next in an earlier response.", field="cursor")
    return int(found[1]), found[2]


class Queries:
    """Queries across matches. Methods raise ``ProblemError`` (503) while a read model is not built, and ``UnavailableError``."""

    def __init__(self, views: ReadModels, changes: Changes | None = None) -> None:
        """``changes``: the notifications to wait for; without them, waiting polls."""
        self._views = views
        self._changes = changes

    def serving(self, name: str) -> Target:
        """Returns the generation to read from. Raises ``ProblemError`` (503) while there is none."""
        target = self._views.serving(name)
        if target is None:
            detail = "The read models are not built yet; the worker builds them."
            raise ProblemError("not_ready", detail, headers={"Retry-After": "1"})
        return target

    @property
    def are_ready(self) -> bool:
        return self._views.serving("lobby") is not None and self._views.serving("summary") is not None

    # -- waiting ------------------------------------------------------------------------------------------------------

    def knows(self, name: str, known: Known | None, viewer: str | None) -> bool:
        """Waits up to ``WAIT_SECONDS`` until a read model includes this version; returns whether it does.

        ``known`` may be ``None``: nothing to wait for. A match that the viewer may not know of counts as not existing, and
        is waited for just as long, so that the time reveals nothing.
        """
        end, looks = time.monotonic() + WAIT_SECONDS, 0
        while known is not None:
            wait, looks = self._next_look(), looks + 1
            if self._has(name, known, viewer):
                return True
            left = end - time.monotonic()
            if left < 0:
                return False
            if looks > AT_ONCE:
                time.sleep(LOOK_SECONDS)
            wait(left)
        return True

    def _next_look(self) -> Callable[[float], object]:
        """Returns a function that waits, up to a number of seconds, until the read models may have changed."""
        if self._changes is None:
            return lambda most: time.sleep(min(most, LOOK_SECONDS))
        changed = self._changes.next()
        return lambda most: changed.wait(min(most, SLOW_LOOK_SECONDS))

    def _has(self, name: str, known: Known, viewer: str | None) -> bool:
        target = self.serving(name)
        if self._views.seen(target, known.match_id) < known.version:
            return False
        (row,) = self._views.rows(self.serving("lobby"), [known.match_id])
        if row is None or not may_see(row, viewer):
            return False
        return is_settled(self._views, target, row["game"], known.match_id)

    # -- matches ------------------------------------------------------------------------------------------------------

    def matches(self, viewer: str | None, query: Mapping[str, Any], after: Position | None, limit: int) -> Page:
        """Returns a page of the lobby, as summary rows. About five round trips."""
        game, status, player = query.get("game"), query.get("status"), query.get("player")
        target = self.serving("lobby")

        def fits(row: Row) -> bool:
            return (
                game in (None, row["game"])
                and status in (None, row["status"])
                and (player is None or player in row["players"])
            )

        return self._summaries(self._page(target, lobby.place(game, status, player), viewer, fits, after, limit))

    def _summaries(self, page: Page) -> Page:
        """Returns the same page with the summary rows of its matches."""
        summaries = self._views.rows(self.serving("summary"), page.ids)
        present = [(match_id, row) for match_id, row in zip(page.ids, summaries, strict=True) if row is not None]
        return Page([match_id for match_id, _row in present], [row for _id, row in present], page.next)

    def newest_change(self) -> int:
        """Returns the number of the lobby's last change."""
        return self._views.feed_end()

    def changed(self, after: int, limit: int) -> list[Change]:
        """Returns the changes after a number, in order."""
        found = self._views.feed(after, limit)
        ids = [match_id for _number, match_id in found]
        rows = zip(
            found,
            self._views.rows(self.serving("lobby"), ids),
            self._views.rows(self.serving("summary"), ids),
            strict=True,
        )
        return [Change(number, match_id, row or {}, summary or {}) for (number, match_id), row, summary in rows]

    def own_private(self, player: str) -> set[str]:
        """Returns the newest ``LOOKED_AT`` private matches of which a player is a member."""
        return {match_id for _at, match_id in self._views.page(self.serving("lobby"), f"h:{player}", None, LOOKED_AT)}

    def left_since(self, player: str, at: int) -> dict[str, str]:
        """Returns the private matches that a player has left since ``at`` (ms) and not rejoined: match → game."""
        target = self.serving("lobby")
        left = self._views.page(target, f"left:{player}", None, LOOKED_AT)
        ids = [match_id for when, match_id in left if when >= at]
        rows = zip(ids, self._views.rows(target, ids), strict=True)
        return {match_id: row["game"] for match_id, row in rows if row is not None}

    def counts(self, viewer: str | None, query: Mapping[str, Any], games: Iterable[str]) -> dict[str, int]:
        """Returns status → number of matches that the viewer may see, of the game and the player that the query names."""
        wanted = games if query.get("game") is None else (query["game"],)
        names = [(status, game) for status in STATUSES for game in wanted]
        player, target = query.get("player") or "", self.serving("lobby")
        counts = dict.fromkeys(STATUSES, 0)

        def add(subject: str, player: str) -> None:
            found = self._views.amounts(
                target, subject, [lobby.counted(game, status, player) for status, game in names]
            )
            for (status, _game), amount in zip(names, found, strict=True):
                counts[status] += amount

        add(f"p:{player}" if player else "all", "")
        if viewer is not None:
            add(f"h:{viewer}", player)
        return counts

    def seated(self, player: str, games: Iterable[str]) -> int:
        """Returns the number of open and running matches at which a player has a seat. Three round trips."""
        counts = self.counts(player, {"player": player}, games)
        return sum(counts[status] for status in NOT_ENDED)

    def asked_to_arbitrate(self, player: str, after: Position | None, limit: int) -> Page:
        """Returns a page of the open matches whose host asks this player to be the arbiter, as summary rows."""
        page = self._page(self.serving("lobby"), lobby.asked_of(player), None, lambda _row: True, after, limit)
        return self._summaries(page)

    def waits_for_arbiters(self, host: str) -> int:
        """Returns the number of open matches of this host whose arbiter has not answered. One round trip."""
        (count,) = self._views.amounts(self.serving("lobby"), lobby.asks_of(host), [lobby.ASKING])
        return count

    def arbitrated(self, player: str, ended_since: int) -> Iterator[str]:
        """Yields the matches whose arbiter this player is, or is asked to be: running ones, and those ended since (ms)."""
        target, start = self.serving("lobby"), 0
        while page := self._views.since(target, lobby.arbitrated_by(player), ended_since, start, CHUNK):
            yield from (match_id for _at, match_id in page)
            start += len(page)

    def history(
        self, player: str, viewer: str | None, query: Mapping[str, Any], after: Position | None, limit: int
    ) -> Page:
        """Returns a page of a player's started matches, newest change first."""

        def fits(row: Row) -> bool:
            return (
                query.get("game") in (None, row["game"])
                and query.get("status") in (None, row["status"])
                and any(seat["player_id"] == player for seat in row["seats"])
            )

        return self._page(self.serving("history"), f"p:{player}", viewer, fits, after, limit)

    def _page(
        self, target: Target, place: str, viewer: str | None, fits: Fits, after: Position | None, limit: int
    ) -> Page:
        found: list[tuple[Position, Row]] = []
        last = None
        for looked_at, (position, row) in enumerate(self._merged(target, place, viewer, after), 1):
            if row is not None and fits(row):
                found.append((position, row))
            if len(found) > limit:
                break
            last = position
            if looked_at == LOOKED_AT:
                return _paged(found, last)
        return _paged(found[:limit], found[limit - 1][0] if len(found) > limit else None)

    def _merged(
        self, target: Target, place: str, viewer: str | None, after: Position | None
    ) -> Iterator[tuple[Position, Row | None]]:
        """Merges a public list with the viewer's private one, in order, and yields their rows chunk by chunk."""
        places = [place] if viewer is None else [place, f"h:{viewer}"]
        while True:
            pages = [self._views.page(target, each, after, CHUNK) for each in places]
            merged = sorted({position for page in pages for position in page}, reverse=True)[:CHUNK]
            rows = self._views.rows(target, [match_id for _score, match_id in merged])
            yield from zip(merged, rows, strict=True)
            if len(merged) < CHUNK:
                return
            after = merged[-1]

    # -- ratings and totals: see also ``leaderboards`` -------------------------------------------------------------------

    def board(self, game: str, start: int, limit: int) -> list[Standing]:
        """Returns the leaderboard from a place on (0 is the best)."""
        return leaderboards.board(self._views, self.serving("ratings"), game, start, limit)

    def standings(self, player: str, games: Iterable[str]) -> list[Standing]:
        """Returns a player's ratings at these games."""
        return leaderboards.of_player(self._views, self.serving("ratings"), player, games)

    def totals(self, game: str) -> dict[str, int]:
        """Returns the totals of a game's statistics."""
        return self._views.totals(self.serving("statistics"), game)


def may_see(row: Row, viewer: str | None) -> bool:
    """Returns whether a viewer may know of the match of a lobby row."""
    return not row["private"] or (viewer is not None and viewer in row["insiders"])


def _paged(found: list[tuple[Position, Row]], after: Position | None) -> Page:
    rows = [row for _position, row in found]
    return Page([match_id for (_at, match_id), _row in found], rows, after and f"{after[0]}.{after[1]}")
