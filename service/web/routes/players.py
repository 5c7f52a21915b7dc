"""Accounts: creating and deleting one."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.players.tokens import read_name
from service.web.actions import READING
from service.web.blueprint import Blueprint
from service.web.bodies.players import Forgotten, NewPlayer, PlayerMade
from service.web.context import caller, service
from service.web.encoding import respond
from service.web.limits.limits import Kind
from service.web.limits.routes import LIMITED, limited

blueprint = Blueprint("players", __name__, description="Players and their accounts")


@blueprint.route("/players", methods=["POST"])
@blueprint.arguments(NewPlayer)
@blueprint.response(201, PlayerMade)
@blueprint.problems(*READING, LIMITED)
@limited(Kind.PLAYERS)
def new_player(body: dict[str, Any]) -> Response:
    """Creates an account. The token is shown only once; keep it."""
    player, token = service().tokens.issue(read_name(body["name"]))
    return respond(PlayerMade(player_id=player.id, name=player.name, token=token), 201)


@blueprint.route("/players/me", methods=["DELETE"])
@blueprint.response(200, Forgotten)
@blueprint.problems("unauthenticated")
def forget() -> Response:
    """Deletes your account: your name and your token, everywhere and at once. Matches keep the player id, so no hash changes.

    The same request again gives 401, because the token is no longer valid. A moment later your seats at matches that have
    not started are released, such matches that you host are cancelled, you resign as an arbiter, and the database rewrites
    its file. Running matches stay as they are; resign them before, if you wish.
    """
    player = caller().player
    service().tokens.forget(player)
    service().deletions.invalidate(player)
    return respond(Forgotten(player_id=player))
