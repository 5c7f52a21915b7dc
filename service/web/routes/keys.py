"""The keys that the server signs with, and those that it signed with before."""

from __future__ import annotations

from flask import Response

from service.web.blueprint import Blueprint
from service.web.bodies.receipts import KeysBody, published_key
from service.web.context import service
from service.web.encoding import respond

blueprint = Blueprint("keys", __name__, description="The keys that receipts and records are signed with")


@blueprint.route("/keys")
@blueprint.response(200, KeysBody)
@blueprint.problems()
def keys() -> Response:
    """Lists every public key of this server, the one in use first. A replaced key stays listed with its dates."""
    return respond(KeysBody(keys=[published_key(key) for key in reversed(service().signer.published)]))
