"""Accounts: creating, renaming and deleting one, its tokens and its recovery code."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.players.naming import read_name
from service.web.actions import READING
from service.web.blueprint import Blueprint
from service.web.bodies.actions import Nothing
from service.web.bodies.players import (
    AccountBody,
    CodeMade,
    Forgotten,
    NewPlayer,
    NewToken,
    PlayerMade,
    Recovery,
    Rename,
    TokenMade,
    TokenRevoked,
    TokensBody,
    account_body,
    token_made,
    tokens_body,
)
from service.web.context import caller, service
from service.web.encoding import respond
from service.web.limits.limits import Kind
from service.web.limits.routes import limited

blueprint = Blueprint("players", __name__, description="Players and their accounts")

SECRET = {"Cache-Control": "no-store"}
"""Of a response with a token or a code, which nothing between server and client may keep."""


@blueprint.route("/players", methods=["POST"])
@blueprint.arguments(NewPlayer)
@blueprint.response(201, PlayerMade)
@blueprint.problems(*READING, "name_taken")
@limited(Kind.PLAYERS)
def new_player(body: dict[str, Any]) -> Response:
    """Creates an account. Its token and its recovery code are shown only once; keep both.

    A repeated request is another account: if the response is lost, the name stays taken.
    """
    made = service().accounts.create(read_name(body["name"]))
    assert made.code is not None
    body_made = PlayerMade(player_id=made.player.id, name=made.player.name, token=made.token, recovery_code=made.code)
    return respond(body_made, 201, SECRET)


@blueprint.route("/players/me")
@blueprint.response(200, AccountBody)
@blueprint.problems("unauthenticated")
def account() -> Response:
    """Returns your account."""
    return respond(account_body(service().accounts.get(caller().player)))


@blueprint.route("/players/me", methods=["PATCH"])
@blueprint.arguments(Rename)
@blueprint.response(200, AccountBody)
@blueprint.problems(*READING, "unauthenticated", "name_taken")
@limited(Kind.PLAYERS)
def rename(body: dict[str, Any]) -> Response:
    """Changes your name, everywhere and at once, in what was narrated before, too. Others may take the old name then."""
    player, parts = caller().player, service()
    parts.accounts.rename(player, read_name(body["name"]))
    parts.deletions.invalidate(player)
    return respond(account_body(parts.accounts.get(player)))


@blueprint.route("/players/me", methods=["DELETE"])
@blueprint.response(200, Forgotten)
@blueprint.problems("unauthenticated")
def forget() -> Response:
    """Deletes your account: your name, your tokens and your recovery code, everywhere and at once. Matches keep the player
    id, so no hash changes.

    The same request again gives 401, because the token is no longer valid. A moment later your seats at matches that have
    not started are released, such matches that you host are cancelled, you resign as an arbiter, and the database rewrites
    its file. Running matches stay as they are; resign them before, if you wish.
    """
    player, parts = caller().player, service()
    parts.accounts.forget(player)
    parts.deletions.invalidate(player)
    return respond(Forgotten(player_id=player))


@blueprint.route("/players/me/tokens")
@blueprint.response(200, TokensBody)
@blueprint.problems("unauthenticated")
def tokens() -> Response:
    """Lists your tokens, oldest first, by their ids. No token is ever shown again."""
    asking = caller()
    return respond(tokens_body(service().accounts.get(asking.player), asking.token))


@blueprint.route("/players/me/tokens", methods=["POST"])
@blueprint.arguments(NewToken, required=False)
@blueprint.response(201, TokenMade)
@blueprint.problems(*READING, "unauthenticated", "too_many_tokens")
@limited(Kind.PLAYERS)
def new_token(body: dict[str, Any]) -> Response:
    """Makes another token for your account, for another device, say. An account has up to 20."""
    return respond(token_made(service().accounts.add_token(caller().player, body["label"])), 201, SECRET)


@blueprint.route("/players/me/tokens/<token_id>", methods=["DELETE"])
@blueprint.response(200, TokenRevoked)
@blueprint.problems("unauthenticated", "token_not_found", "last_token")
def revoke(token_id: str) -> Response:
    """Revokes one of your tokens, everywhere and at once; streams that were opened with it end.

    Also the token of this request. The last one can be revoked only if the account has a recovery code.
    """
    player, parts = caller().player, service()
    parts.accounts.revoke(player, token_id)
    parts.deletions.invalidate(player)
    return respond(TokenRevoked(token_id=token_id))


@blueprint.route("/players/me/tokens/<token_id>/renew", methods=["POST"])
@blueprint.arguments(Nothing, required=False)
@blueprint.response(201, TokenMade)
@blueprint.problems(*READING, "unauthenticated", "token_not_found")
@limited(Kind.PLAYERS)
def renew(_body: dict[str, Any], token_id: str) -> Response:
    """Replaces one of your tokens by a new one. The old one is revoked at once, even if this response is lost.

    To be safe from that, make another token first and revoke this one afterwards.
    """
    player, parts = caller().player, service()
    made = parts.accounts.renew(player, token_id)
    parts.deletions.invalidate(player)
    return respond(token_made(made), 201, SECRET)


@blueprint.route("/players/me/recovery-code", methods=["POST"])
@blueprint.arguments(Nothing, required=False)
@blueprint.response(201, CodeMade)
@blueprint.problems(*READING, "unauthenticated")
@limited(Kind.PLAYERS)
def new_code(_body: dict[str, Any]) -> Response:
    """Makes a recovery code for your account. The one before is no longer valid."""
    return respond(CodeMade(recovery_code=service().accounts.new_recovery_code(caller().player)), 201, SECRET)


@blueprint.route("/recovery", methods=["POST"])
@blueprint.arguments(Recovery)
@blueprint.response(201, TokenMade)
@blueprint.problems(*READING, "unauthenticated", "token_not_found", "too_many_tokens")
@limited(Kind.PLAYERS)
def recover(body: dict[str, Any]) -> Response:
    """Makes a token for the account of a recovery code, and revokes others: those named in `revoke`, or all.

    The code stays valid. Make a new one if somebody else may know it.
    """
    parts = service()
    made = parts.accounts.recover(body["code"], body["revoke"])
    parts.deletions.invalidate(made.player.id)
    return respond(token_made(made), 201, SECRET)
