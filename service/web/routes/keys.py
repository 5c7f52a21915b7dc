"""The public keys of this server, present and former."""

from __future__ import annotations

from flask import Response

from service.web.blueprint import Blueprint
from service.web.bodies.receipts import KeysBody, published_key
from service.web.context import service
from service.web.encoding import respond

blueprint = Blueprint("keys", __name__, description="The keys that verify receipts and records")


@blueprint.route("/keys")
@blueprint.response(200, KeysBody)
@blueprint.problems()
def keys() -> Response:
    """Lists the public keys of this server, the one in use first. A replaced key stays listed, with its times."""
    return respond(KeysBody(keys=[published_key(key) for key in reversed(service().signer.published)]))
