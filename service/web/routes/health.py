"""Health checks: the process is alive, and it can work."""

from __future__ import annotations

from flask import Response

from domain.store import UnavailableError
from service.ports.readmodels import ForeignDataError
from service.web.blueprint import Blueprint
from service.web.bodies.health import Health, Readiness
from service.web.context import Service, is_operator, service
from service.web.encoding import respond

blueprint = Blueprint("health", __name__, description="Health checks for operators", any_query=True)


@blueprint.route("/healthz")
@blueprint.response(200, Health)
@blueprint.problems()
def healthz() -> Response:
    """Reports that the process answers."""
    return respond(Health(status="ok"))


@blueprint.route("/readyz")
@blueprint.response(200, Readiness)
@blueprint.problems()
def readyz() -> Response:
    """Reports that the log can be reached. 503 otherwise. To operators it also says which parts can be used."""
    parts = service()
    if not parts.ready():
        raise UnavailableError("the log does not answer")
    if not is_operator():
        return respond(Readiness(status="ready"))
    return respond(Readiness(status="ready", checks={"log": True, "read_models": _has_read_models(parts)}))


def _has_read_models(parts: Service) -> bool:
    try:
        return parts.queries is not None and parts.queries.are_ready
    except (UnavailableError, ForeignDataError):
        return False
