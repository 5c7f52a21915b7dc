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

blueprint = Blueprint("problems", __name__, description="Every problem that the API answers")

# The page to browse the description is served from here, files and all.
SETTINGS = {
    "app_name": "Foldtable API",
    "layout": "BaseLayout",
    "validatorUrl": None,
    # Else it would be made of the address that the reader came by, and be written into the page as it stands.
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
    """All problems: code, status, title."""
    return respond(ProblemsBody(problems=[problem_page(code) for code in CODES]))


@blueprint.route("/problems/<code>")
@blueprint.response(200, ProblemPage)
@blueprint.problems("not_found")
def problem(code: str) -> Response:
    """One problem, where its ``type`` leads."""
    if code not in CODES:
        raise ProblemError("not_found", "There is no such problem.")
    return respond(problem_page(code))


def description() -> Response:
    """The description of the API, made the first time that it is asked for."""
    made: dict[str, Any] = current_app.extensions["foldtable-openapi"]()
    return respond(made)
