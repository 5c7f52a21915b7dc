"""Figures for whoever watches over the service."""

from __future__ import annotations

from flask import Response
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from service.web.blueprint import Blueprint
from service.web.context import service
from service.web.metrics import exposition

TEXT = "text/plain"

blueprint = Blueprint("metrics", __name__, description="Figures for Prometheus", answers=(TEXT,), any_query=True)


@blueprint.route("/metrics")
@blueprint.doc(
    responses={"200": {"description": "Prometheus' text format", "content": {TEXT: {"schema": {"type": "string"}}}}}
)
@blueprint.problems()
def figures() -> Response:
    """Actions, refusals by code, latencies, conflicts, the time of an append, how far the lists are behind, and more."""
    parts = service()
    body = exposition(parts.store, parts.views, parts.matches.now(), parts.metrics)
    return Response(body, content_type=CONTENT_TYPE_PLAIN_0_0_4, headers={"Cache-Control": "no-store"})
