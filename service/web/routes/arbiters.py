"""Arbiters: accepting and declining to rule on the disputes of a match, and the matches that ask for it."""

from __future__ import annotations

from typing import Any

from flask import Response

from domain import commands
from service.readmodels.queries import read_cursor
from service.web.actions import ACTING, READING, act
from service.web.blueprint import Blueprint
from service.web.bodies.actions import Accepted, Nothing
from service.web.bodies.lobby import ArbitrationsBody, ArbitrationsQuery, match_card, players_of
from service.web.context import caller, service
from service.web.encoding import respond
from service.web.queries import queries

blueprint = Blueprint("arbiters", __name__, description="Arbiters of matches")


@blueprint.route("/matches/<match_id>/arbiter", methods=["POST"])
@blueprint.arguments(Nothing, required=False)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, "not_asked", "already_answered", "not_open")
def accept(_body: dict[str, Any], match_id: str) -> Response:
    """Accepts to be the arbiter of a match, as the player that its host has asked. Possible before the start only."""
    return act(match_id, commands.AcceptArbitration())


@blueprint.route("/matches/<match_id>/arbiter", methods=["DELETE"])
@blueprint.response(201, Accepted)
@blueprint.problems(*ACTING, "not_asked", "final", "unreadable")
def decline(match_id: str) -> Response:
    """Declines to be the arbiter of a match, or resigns from it. From then on all seats rule together."""
    return act(match_id, commands.DeclineArbitration())


@blueprint.route("/players/me/arbitrations")
@blueprint.arguments(ArbitrationsQuery, location="query")
@blueprint.response(200, ArbitrationsBody)
@blueprint.problems("unreadable", "unauthenticated", "not_ready", "lists_damaged")
def arbitrations(query: dict[str, Any]) -> Response:
    """Lists the open matches whose host asks you to be the arbiter, the last changed first. They are in no other list of
    yours until you accept.
    """
    player, cursor = caller().player, read_cursor(query.get("cursor"))
    page = queries().asked_to_arbitrate(player, cursor, query["limit"])
    names = service().names.of(players_of(page.rows))
    rows = [match_card(row, names) for row in page.rows]
    return respond(ArbitrationsBody(matches=rows, more=page.next is not None, next=page.next))
