"""The metrics of the service, for operators."""

from __future__ import annotations

from flask import Response
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from service.web.blueprint import Blueprint
from service.web.context import check_operator, service
from service.web.metrics import exposition

TEXT = "text/plain"

blueprint = Blueprint("metrics", __name__, description="Metrics for Prometheus", answers=(TEXT,), any_query=True)


@blueprint.route("/metrics")
@blueprint.doc(
    responses={
        "200": {"description": "The text format of Prometheus", "content": {TEXT: {"schema": {"type": "string"}}}}
    }
)
@blueprint.problems("unauthenticated")
def figures() -> Response:
    """Returns metrics to operators: actions, refusals by code, latencies, conflicts, the lag of read models, and more."""
    check_operator()
    parts = service()
    body = exposition(parts.store, parts.views, parts.matches.now(), parts.metrics)
    return Response(body, content_type=CONTENT_TYPE_PLAIN_0_0_4, headers={"Cache-Control": "no-store"})
