"""Queries across matches: the lobby, histories, leaderboards, statistics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response

from projections import summary
from projections.match_facts import MatchFacts
from service.problems import ProblemError
from service.readmodels.queries import Known, read_cursor, read_known
from service.web import evenly
from service.web.blueprint import Blueprint
from service.web.bodies.leaderboards import BoardBody, BoardQuery, board_row, rating_body
from service.web.bodies.lobby import MatchesBody, MatchesOfTheLog, MatchesQuery, match_card, players_of
from service.web.bodies.pages import KnownQuery
from service.web.bodies.players import HistoryBody, HistoryQuery, PlayerBody, played_match
from service.web.bodies.statistics import StatisticsBody, statistics_body
from service.web.context import service, viewer
from service.web.encoding import respond
from service.web.queries import check_game, is_fresh, lobby_page, queries

blueprint = Blueprint("lobby", __name__, description="Queries across matches")


@blueprint.route("/matches")
@blueprint.arguments(MatchesQuery, location="query")
@blueprint.response(200, MatchesBody)
@blueprint.problems("unreadable", "unauthenticated", "game_not_found", "not_ready", "lists_damaged")
def list_matches(query: dict[str, Any]) -> Response:
    """Lists matches, the last changed first. Private matches are listed for their players and arbiter only.

    The list follows the log within a moment. Send `min_version` to see your own last action; `fresh` says if you do.
    """
    player, known = viewer(), read_known(query.get("min_version"))
    cursor, read = read_cursor(query.get("cursor")), service().queries
    check_game(query)
    if read is None or not read.are_ready:
        return respond(_matches_of_the_log(query, player, known))
    fresh = is_fresh(read, "lobby", known, player)
    page = lobby_page(read, query, player, cursor)
    return respond(MatchesBody(matches=page.matches, counts=page.counts, more=page.more, next=page.next, fresh=fresh))


def _matches_of_the_log(query: Mapping[str, Any], player: str | None, known: Known | None) -> MatchesBody:
    """Returns one page of the newest matches of the log, for use while there are no read models."""
    rows = []
    for match in service().matches.newest(player):
        fits = query.get("status") in (None, match.status) and query.get("game") in (None, match.game.id)
        if fits and ("player" not in query or match.table.seat_of(query["player"]) is not None):
            rows.append(summary.row(MatchFacts(match)))
        if len(rows) > query["limit"]:
            break
    shown = rows[: query["limit"]]
    names = service().names.of(players_of(shown))
    return MatchesOfTheLog(
        matches=[match_card(row, names) for row in shown],
        counts=None,
        more=len(rows) > len(shown),
        next=None,
        fresh=_is_in_the_log(known, player),
    )


def _is_in_the_log(known: Known | None, player: str | None) -> bool:
    try:
        return known is None or service().matches.current(known.match_id, player).version >= known.version
    except ProblemError:
        evenly.wait(service().grid)
        return False


@blueprint.route("/players/<player_id>")
@blueprint.arguments(KnownQuery, location="query")
@blueprint.response(200, PlayerBody)
@blueprint.problems("unreadable", "unauthenticated", "player_not_found", "not_ready", "lists_damaged")
def player(query: dict[str, Any], player_id: str) -> Response:
    """Returns a player and its ratings. `name` is null if the account was deleted."""
    watcher, known = viewer(), read_known(query.get("min_version"))
    found = _name(player_id)
    fresh = is_fresh(queries(), "ratings", known, watcher)
    ratings = [rating_body(standing) for standing in queries().standings(player_id, service().games)]
    return respond(PlayerBody(player_id=player_id, name=found, ratings=ratings, fresh=fresh))


@blueprint.route("/players/<player_id>/matches")
@blueprint.arguments(HistoryQuery, location="query")
@blueprint.response(200, HistoryBody)
@blueprint.problems("unreadable", "unauthenticated", "player_not_found", "game_not_found", "not_ready", "lists_damaged")
def history(query: dict[str, Any], player_id: str) -> Response:
    """Lists the started matches of a player: results, opponents, and how often each seat asked for an undo."""
    watcher, after, known = viewer(), read_cursor(query.get("cursor")), read_known(query.get("min_version"))
    _name(player_id)
    check_game(query)
    fresh = is_fresh(queries(), "history", known, watcher)
    page = queries().history(player_id, watcher, query, after, query["limit"])
    names = service().names.of({seat["player_id"] for row in page.rows for seat in row["seats"]} - {None})
    rows = [played_match(row, names) for row in page.rows]
    return respond(HistoryBody(matches=rows, more=page.next is not None, next=page.next, fresh=fresh))


def _name(player_id: str) -> str | None:
    """Returns the name, ``None`` of a deleted account. Raises ``ProblemError`` (404) for an id that never existed."""
    if not (player_id.isalnum() and player_id.isascii()):
        raise ProblemError("player_not_found")
    found = service().names.of([player_id]).get(player_id)
    if found is None and not service().players.was_issued(player_id):
        raise ProblemError("player_not_found")
    return found


@blueprint.route("/leaderboards/<game_id>")
@blueprint.arguments(BoardQuery, location="query")
@blueprint.response(200, BoardBody)
@blueprint.problems("unreadable", "game_not_found", "unauthenticated", "not_ready", "lists_damaged")
def leaderboard(query: dict[str, Any], game_id: str) -> Response:
    """Lists the players of a game by rating, the best first.

    Finished public matches are rated, if they began with the usual deal and the undo policy is not `host`.
    """
    watcher, known = viewer(), read_known(query.get("min_version"))
    game = service().game(game_id)
    fresh = is_fresh(queries(), "ratings", known, watcher)
    found = queries().board(game.id, query["after"], query["limit"] + 1)
    shown = found[: query["limit"]]
    names = service().names.of({standing.player for standing in shown})
    rows = [board_row(standing, names.get(standing.player)) for standing in shown]
    return respond(BoardBody(game=game.id, players=rows, more=len(found) > len(shown), fresh=fresh))


@blueprint.route("/games/<game_id>/statistics")
@blueprint.arguments(KnownQuery, location="query")
@blueprint.response(200, StatisticsBody)
@blueprint.problems("unreadable", "game_not_found", "unauthenticated", "not_ready", "lists_damaged")
def statistics(query: dict[str, Any], game_id: str) -> Response:
    """Returns statistics of the finished matches of a game: length, reasons of the end, wins of each seat."""
    watcher, known = viewer(), read_known(query.get("min_version"))
    game = service().game(game_id)
    fresh = is_fresh(queries(), "statistics", known, watcher)
    return respond(statistics_body(game, queries().totals(game.id), fresh=fresh))
