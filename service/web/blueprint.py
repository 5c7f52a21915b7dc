"""The blueprint of this API: flask-smorest describes the routes, but reads no input and makes no responses.

Routes declare schemas of input with ``arguments`` and response bodies with ``response``, and OpenAPI is derived from both.
``encoding`` reads the input before any schema sees it, and writes the responses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from flask import current_app, request
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import RAISE, Schema, ValidationError

from service.problems import CODES, PROBLEM_TYPE, ProblemError
from service.web.bodies.body import Body
from service.web.bodies.problems import ProblemBody
from service.web.encoding import TYPES, accepted, read_body
from service.web.schemas import Component

View = TypeVar("View", bound=Callable[..., Any])


# -- input ------------------------------------------------------------------------------------------------------------


class Inputs:
    """The argument parser for flask-smorest, over ``read_body`` and strict queries."""

    DEFAULT_VALIDATION_STATUS = 422

    def use_args(
        self, schema: type[Schema] | Schema, *, location: str = "json", error_status_code: int = 0
    ) -> Callable[[View], View]:
        """Returns a decorator that passes the validated input to a view. ``error_status_code`` only describes."""
        shape = schema() if isinstance(schema, type) else schema

        def decorate(view: View) -> View:
            @wraps(view)
            def reading(**kwargs: Any) -> Any:
                given = read_body(request.environ) if location == "json" else _query(shape)
                return view(loaded(shape, given, location), **kwargs)

            reading.takes_query = _parameters(shape) if location == "query" else []  # type: ignore[attr-defined]
            return cast(View, reading)

        return decorate


def _query(shape: Schema) -> dict[str, str]:
    """Returns the query. Raises ``ProblemError`` (400) for a parameter that is repeated or unknown."""
    if any(len(values) > 1 for values in request.args.listvalues()):
        raise ProblemError("unreadable", "A query parameter is given twice.")
    known = _parameters(shape)
    if not request.args.keys() <= set(known):
        # Names the known parameters only: the unknown one may be a token that a client put into the URL by mistake, and
        # problems end up in logs.
        raise ProblemError("unreadable", f"Unknown query parameter. Possible here: {', '.join(known)}.")
    return request.args.to_dict()


def _parameters(shape: Schema) -> list[str]:
    return [field.data_key or name for name, field in shape.fields.items()]


def _check_query() -> None:
    """Raises ``ProblemError`` (400) for a query that no route would read: its sender expects some effect."""
    if request.environ.get("QUERY_STRING") and request.endpoint is not None:
        view = current_app.view_functions[request.endpoint]
        if not getattr(view, "takes_query", ()):
            raise ProblemError("unreadable", "This operation has no query parameters.")


def loaded(shape: Schema, given: Any, location: str) -> dict[str, Any]:
    """Validates input. Raises ``ProblemError`` (422 for a body, 400 for a query) that names the first invalid field."""
    if not isinstance(given, dict):
        raise ProblemError("invalid", "The body must be an object.")
    try:
        return cast(dict[str, Any], shape.load(given, unknown=RAISE))
    except ValidationError as fault:
        field, message = _first(fault.messages)
        code = "invalid" if location == "json" else "unreadable"
        raise ProblemError(code, f"{field}: {message}", field=field) from fault


def _first(messages: Any, path: str = "") -> tuple[str, str]:
    """Returns a schema's first error: dotted path and sentence. Cuts names of fields, which may come from a stranger."""
    if isinstance(messages, Mapping):
        name, inner = next(iter(messages.items()))
        part = str(name)[:60]
        return _first(inner, f"{path}.{part}" if path else part)
    return path, str(messages[0] if isinstance(messages, list) else messages)


def _check_accept(kinds: tuple[str, ...]) -> None:
    """Raises ``ProblemError`` (406) if the client accepts none of the types, before the request changes anything."""
    if request.method != "OPTIONS":
        accepted(kinds)


# -- description ------------------------------------------------------------------------------------------------------


class Blueprint(SmorestBlueprint):  # type: ignore[misc]
    """A blueprint whose input ``Inputs`` reads, and whose descriptions cost a request nothing."""

    # flask-smorest's decorators wrap a view several times, to turn what it returns into a response. Our views return
    # responses, so the wrappers would only cost time. We keep the description that they made, and drop them.

    ARGUMENTS_PARSER = Inputs()

    def __init__(self, *args: Any, answers: tuple[str, ...] = TYPES, any_query: bool = False, **kwargs: Any) -> None:
        """``answers`` are the media types of its responses. ``any_query`` allows queries that no route reads."""
        super().__init__(*args, **kwargs)
        self.before_request(lambda: _check_accept(answers))
        if not any_query:
            self.before_request(_check_query)

    def arguments(self, schema: Any, *, location: str = "json", **about: Any) -> Callable[[View], View]:
        """Describes and reads input, as in flask-smorest, but with the statuses of ``loaded``."""
        status = 422 if location == "json" else 400
        describe = super().arguments(schema, location=location, error_status_code=status, **about)

        def decorate(view: View) -> View:
            reading = self.ARGUMENTS_PARSER.use_args(schema, location=location)(view)
            return _described_by(describe, reading)

        return decorate

    def response(self, status_code: int, body: type[Body], **about: Any) -> Callable[[View], View]:
        describe = super().response(status_code, Component(body), **about)
        return lambda view: _described_by(describe, view)

    def alt_response(
        self, status_code: int, body: type[Body] | None = None, *, description: str
    ) -> Callable[[View], View]:
        schema = None if body is None else Component(body)
        describe = super().alt_response(status_code, schema=schema, description=description)
        return lambda view: _described_by(describe, view)

    def problems(self, *codes: str) -> Callable[[View], View]:
        """Describes the problems of a route, besides those that every route may answer with."""
        by_status: dict[int, list[str]] = {}
        for code in (*codes, "not_acceptable", "rate_limited", "internal", "unavailable"):
            by_status.setdefault(CODES[code][0], []).append(code)
        describe = self.doc(responses={str(status): _described(names) for status, names in by_status.items()})
        return lambda view: _described_by(describe, view)


def _described_by(describe: Callable[[View], Any], view: View) -> View:
    """Returns the view itself, with the description that the decorator puts on its wrapper."""
    view._apidoc = describe(view)._apidoc  # type: ignore[attr-defined]
    return view


def _described(codes: list[str]) -> dict[str, Any]:
    return {
        "description": "; ".join(f"`{code}`: {CODES[code][1]}" for code in codes),
        "content": {PROBLEM_TYPE: {"schema": Component(ProblemBody)}},
        "x-codes": codes,
    }
