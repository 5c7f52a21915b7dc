"""The API's description, a page to browse it, and the list of problems."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import Any

import flask
from flask import Response, current_app, request

from service.problems import CODES, ProblemError
from service.web.blueprint import Blueprint
from service.web.bodies.problems import ProblemPage, ProblemsBody, problem_page
from service.web.encoding import address, respond

OPENAPI_PATH = "/api/openapi.json"
DOCS_PATH = "/api/docs"

blueprint = Blueprint("problems", __name__, description="The problems of the API")

page = flask.Blueprint("docs", __name__, url_prefix=DOCS_PATH)

FILES = files("flask_swagger_ui").joinpath("dist")
NAMES = ("index.css", "swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png", "favicon-16x16.png")
"""The files of the package that the page loads."""
OWN = files("service.web").joinpath("static")
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Foldtable API</title>
<link rel="stylesheet" href="{base}/index.css">
<link rel="stylesheet" href="{base}/swagger-ui.css">
<link rel="icon" type="image/png" href="{base}/favicon-32x32.png" sizes="32x32">
</head>
<body>
<div id="swagger-ui" data-description="{description}"></div>
<script src="{base}/swagger-ui-bundle.js"></script>
<script src="{base}/docs.mjs" type="module"></script>
</body>
</html>
"""
ITSELF_ONLY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        # The bundle draws its icons from data addresses and styles its elements as it goes.
        "img-src 'self' data:",
        "style-src 'self' 'unsafe-inline'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    )
)
"""The page and its files come from this server, no script stands in the page, and no other site is asked for anything."""


@page.route("", methods=["GET"])
@page.route("/", methods=["GET"])
@page.route("/index.html", methods=["GET"])
def browse() -> Response:
    """Returns the page. It loads the package's files and no others."""
    made = PAGE.format(base=address(DOCS_PATH), description=address(OPENAPI_PATH))
    return Response(made, content_type="text/html; charset=utf-8", headers={"Content-Security-Policy": ITSELF_ONLY})


@page.route("/<name>", methods=["GET"])
def file(name: str) -> Response:
    """Returns a file of the page. Raises ``ProblemError`` (404)."""
    if name == "docs.mjs":
        data = OWN.joinpath(name).read_bytes()
    elif name in NAMES:
        data = FILES.joinpath(name).read_bytes()
    else:
        raise ProblemError("not_found", "The page has no such file.")
    made = Response(data, content_type=_TYPES[name.rpartition(".")[2]])
    made.set_etag(hashlib.sha256(data).hexdigest()[:16])
    made.headers["Cache-Control"] = "public, max-age=3600"
    made.make_conditional(request)
    return made


_TYPES = {"css": "text/css; charset=utf-8", "png": "image/png"} | dict.fromkeys(
    ("js", "mjs"), "text/javascript; charset=utf-8"
)


@blueprint.route("/problems")
@blueprint.response(200, ProblemsBody)
@blueprint.problems()
def problems() -> Response:
    """Lists all problems with code, status and title."""
    return respond(ProblemsBody(problems=[problem_page(code, address("")) for code in CODES]))


@blueprint.route("/problems/<code>")
@blueprint.response(200, ProblemPage)
@blueprint.problems("not_found")
def problem(code: str) -> Response:
    """Returns one problem. The `type` of a problem links here."""
    if code not in CODES:
        raise ProblemError("not_found", "No problem has this code.")
    return respond(problem_page(code, address("")))


def description() -> Response:
    """Returns the description of the API, which is built with the first request for it."""
    made: dict[str, Any] = current_app.extensions["foldtable-openapi"]()
    prefix = address("")
    return respond(made | {"servers": [{"url": prefix}]} if prefix else made)
