"""The API's description, a page to browse it, and the list of problems."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app
from flask_swagger_ui import get_swaggerui_blueprint

from service.problems import CODES, ProblemError
from service.web.blueprint import Blueprint
from service.web.bodies.problems import ProblemPage, ProblemsBody, problem_page
from service.web.encoding import respond

OPENAPI_PATH = "/api/openapi.json"
DOCS_PATH = "/api/docs"

blueprint = Blueprint("problems", __name__, description="The problems of the API")

# The page and its files come from this server, so that browsing needs no other site.
SETTINGS = {
    "app_name": "Foldtable API",
    "layout": "BaseLayout",
    "validatorUrl": None,
    # Otherwise flask-swagger-ui makes it from the address of the request and writes it into the page unescaped.
    "oauth2RedirectUrl": None,
    "docExpansion": "list",
    "defaultModelsExpandDepth": 0,
    "displayRequestDuration": True,
}
page = get_swaggerui_blueprint(DOCS_PATH, OPENAPI_PATH, SETTINGS, None, "docs")
ITSELF_ONLY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'"
)


@page.after_request
def _keep_to_itself(response: Response) -> Response:
    """Forbids the reader's browser to load anything from another site."""
    response.headers["Content-Security-Policy"] = ITSELF_ONLY
    return response


@blueprint.route("/problems")
@blueprint.response(200, ProblemsBody)
@blueprint.problems()
def problems() -> Response:
    """Lists all problems with code, status and title."""
    return respond(ProblemsBody(problems=[problem_page(code) for code in CODES]))


@blueprint.route("/problems/<code>")
@blueprint.response(200, ProblemPage)
@blueprint.problems("not_found")
def problem(code: str) -> Response:
    """Returns one problem. The `type` of a problem links here."""
    if code not in CODES:
        raise ProblemError("not_found", "No problem has this code.")
    return respond(problem_page(code))


def description() -> Response:
    """Returns the description of the API, which is built with the first request for it."""
    made: dict[str, Any] = current_app.extensions["foldtable-openapi"]()
    return respond(made)
