"""The public keys of this server, present and former, and the check of what they signed."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.integrity.receipt_check import check_receipt, report
from service.web.actions import READING
from service.web.background import pause
from service.web.blueprint import Blueprint
from service.web.bodies.receipts import (
    CheckedReceiptsBody,
    CheckReceipts,
    KeysBody,
    checked_receipt,
    published_key,
    shown_receipt,
)
from service.web.context import service
from service.web.encoding import respond
from service.web.limits.limits import Kind
from service.web.limits.routes import limited

blueprint = Blueprint("keys", __name__, description="The keys that verify receipts and records")


@blueprint.route("/keys")
@blueprint.response(200, KeysBody)
@blueprint.problems()
def keys() -> Response:
    """Lists the public keys of this server, the one in use first. A replaced key stays listed, with its times."""
    return respond(KeysBody(keys=[published_key(key) for key in reversed(service().signer.published)]))


@blueprint.route("/receipts/check", methods=["POST"])
@blueprint.arguments(CheckReceipts)
@blueprint.response(200, CheckedReceiptsBody)
@blueprint.problems(*READING)
@limited(Kind.EVIDENCE)
def check_receipts(body: dict[str, Any]) -> Response:
    """Checks receipts against the log. A receipt that this server signed and its log does not bear out alarms the operator.

    Needs no token: a receipt proves that its holder was given it. Changes nothing.
    """
    parts, found = service(), []
    for given in body["receipts"]:
        checked = check_receipt(shown_receipt(given), parts.signer.published, parts.store)
        report(checked, parts.views)
        found.append(checked_receipt(checked))
        pause()
    return respond(CheckedReceiptsBody(receipts=found))
