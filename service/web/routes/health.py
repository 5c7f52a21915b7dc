"""Health checks: the process is alive, and it can work."""

from __future__ import annotations

from flask import Response

from domain.store import UnavailableError
from service.web.blueprint import Blueprint
from service.web.bodies.health import Health
from service.web.context import service
from service.web.encoding import respond

blueprint = Blueprint("health", __name__, description="Health checks for operators", any_query=True)


@blueprint.route("/healthz")
@blueprint.response(200, Health)
@blueprint.problems()
def healthz() -> Response:
    """Reports that the process answers."""
    return respond(Health(status="ok"))


@blueprint.route("/readyz")
@blueprint.response(200, Health)
@blueprint.problems()
def readyz() -> Response:
    """Reports that the log can be reached. 503 otherwise."""
    if not service().ready():
        raise UnavailableError("the log does not answer")
    return respond(Health(status="ready"))
