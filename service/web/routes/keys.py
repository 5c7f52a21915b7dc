"""The keys that the house signs with, and signed with."""

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
    """Every public key of this house, the one in use first. A key that was replaced stays here with its dates."""
    return respond(KeysBody(keys=[published_key(key) for key in reversed(service().signer.published)]))
