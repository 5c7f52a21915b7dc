"""The queries of the current app, and a page of the lobby, for the list of matches and for the lobby's stream."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.ports.readmodels import Position
from service.problems import ProblemError
from service.readmodels.queries import Known, Queries
from service.web import evenly
from service.web.bodies.lobby import LobbyEvent, match_card, players_of
from service.web.context import service


def queries() -> Queries:
    """Returns the queries on the read models. Raises ``ProblemError`` (503) if there are none."""
    found = service().queries
    if found is None:
        raise ProblemError("not_ready", headers={"Retry-After": "1"})
    return found


def is_fresh(read: Queries, name: str, known: Known | None, viewer: str | None) -> bool:
    """Waits until a read model includes this version; returns whether it does. A private match is waited for as none."""
    found = read.knows(name, known, viewer)
    if not found:
        evenly.wait(service().grid)
    return found


def check_game(query: Mapping[str, Any]) -> None:
    """Raises ``ProblemError`` (404) if the query asks for an unknown game."""
    if "game" in query:
        service().game(query["game"])


def lobby_page(
    read: Queries, query: Mapping[str, Any], player: str | None, after: Position | None = None
) -> LobbyEvent:
    """Returns a page of the lobby as this viewer may see it, after a position."""
    page = read.matches(player, query, after, query["limit"])
    names = service().names.of(players_of(page.rows))
    return LobbyEvent(
        matches=[match_card(row, names) for row in page.rows],
        counts=read.counts(player, query, service().games),
        more=page.next is not None,
        next=page.next,
    )
