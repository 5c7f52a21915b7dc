"""Players."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.players.tokens import read_name
from service.web.blueprint import Blueprint
from service.web.bodies.players import Forgotten, NewPlayer, PlayerMade
from service.web.context import caller, service
from service.web.encoding import respond

blueprint = Blueprint("players", __name__, description="Who plays")


@blueprint.route("/players", methods=["POST"])
@blueprint.arguments(NewPlayer)
@blueprint.response(201, PlayerMade)
@blueprint.problems("unreadable", "body_too_large", "unsupported_type", "invalid")
def new_player(body: dict[str, Any]) -> Response:
    """Makes a player. The token is shown this once; keep it."""
    player, token = service().tokens.issue(read_name(body["name"]))
    return respond(PlayerMade(player_id=player.id, name=player.name, token=token), 201)


@blueprint.route("/players/me", methods=["DELETE"])
@blueprint.response(200, Forgotten)
@blueprint.problems("unauthenticated")
def forget() -> Response:
    """Deletes your name and your token, everywhere and at once. Matches keep the player id, so no hash changes.

    Asked again it is 401, for the token is good for nothing any more. A moment later your seats at matches that have not
    started are released, the matches you host are cancelled, and the database's file is rewritten. Resign running matches before.
    """
    who = caller().player
    service().tokens.forget(who)
    service().deletions.invalidate(who)
    return respond(Forgotten(player_id=who))
