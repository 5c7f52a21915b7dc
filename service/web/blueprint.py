"""The blueprint of this API: flask-smorest for the description, our own reading of input.

Schemas of input are declared with ``arguments`` as usual, bodies of answers with ``response``, so that OpenAPI is derived
from them. But input is read by ``encoding`` and a schema's complaint becomes a ``ProblemError``; and every answer is made by
``encoding.respond``.
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
    """The argument parser that flask-smorest asks for, over ``read_body``."""

    DEFAULT_VALIDATION_STATUS = 422

    def use_args(
        self, schema: type[Schema] | Schema, *, location: str = "json", error_status_code: int = 0
    ) -> Callable[[View], View]:
        """``error_status_code`` is for the description only; see ``loaded``."""
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
    """The query, of which no parameter stands twice or is unknown. Raises ``ProblemError`` (400)."""
    if any(len(values) > 1 for values in request.args.listvalues()):
        raise ProblemError("unreadable", "A query parameter stands twice.")
    known = _parameters(shape)
    if not request.args.keys() <= set(known):
        # The unknown one is not named: it may be a token, wrongly put there.
        raise ProblemError("unreadable", f"The query parameters here are {', '.join(known)}.")
    return request.args.to_dict()


def _parameters(shape: Schema) -> list[str]:
    return [field.data_key or name for name, field in shape.fields.items()]


def _check_query() -> None:
    """Refuses (400) a query where none is read: who sends one expects something of it."""
    if request.environ.get("QUERY_STRING") and request.endpoint is not None:
        view = current_app.view_functions[request.endpoint]
        if not getattr(view, "takes_query", ()):
            raise ProblemError("unreadable", "There are no query parameters here.")


def loaded(shape: Schema, given: Any, location: str) -> dict[str, Any]:
    """The input as the schema reads it. Raises ``ProblemError`` (422 for a body, 400 for a query) naming the first field."""
    if not isinstance(given, dict):
        raise ProblemError("invalid", "The body must be an object.")
    try:
        return cast(dict[str, Any], shape.load(given, unknown=RAISE))
    except ValidationError as fault:
        field, message = _first(fault.messages)
        code = "invalid" if location == "json" else "unreadable"
        raise ProblemError(code, f"{field}: {message}", field=field) from fault


def _first(messages: Any, path: str = "") -> tuple[str, str]:
    """The first complaint of a schema: dotted path and sentence. Names that a stranger chose are cut short."""
    if isinstance(messages, Mapping):
        name, inner = next(iter(messages.items()))
        part = str(name)[:60]
        return _first(inner, f"{path}.{part}" if path else part)
    return path, str(messages[0] if isinstance(messages, list) else messages)


def _check_accept(kinds: tuple[str, ...]) -> None:
    """Refuses (406) who takes no type of answer that there is, before anything is done for the request."""
    if request.method != "OPTIONS":
        accepted(kinds)


# -- description ------------------------------------------------------------------------------------------------------


class Blueprint(SmorestBlueprint):  # type: ignore[misc]
    """A blueprint whose input is read by ``Inputs``, and whose descriptions cost a request nothing.

    flask-smorest's decorators wrap a view to make answers of what it returns. Ours returns answers, so only what they
    wrote down about it is taken over.
    """

    ARGUMENTS_PARSER = Inputs()

    def __init__(self, *args: Any, answers: tuple[str, ...] = TYPES, any_query: bool = False, **kwargs: Any) -> None:
        """``answers`` are the media types of its answers. ``any_query``: a query that nobody reads is left alone."""
        super().__init__(*args, **kwargs)
        self.before_request(lambda: _check_accept(answers))
        if not any_query:
            self.before_request(_check_query)

    def arguments(self, schema: Any, *, location: str = "json", **about: Any) -> Callable[[View], View]:
        """Describes and reads input, as in flask-smorest; describes the status that ``loaded`` answers."""
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
        """Describes the problems that an endpoint answers, besides those that every endpoint may answer."""
        by_status: dict[int, list[str]] = {}
        for code in (*codes, "not_acceptable", "internal", "unavailable"):
            by_status.setdefault(CODES[code][0], []).append(code)
        describe = self.doc(responses={str(status): _described(names) for status, names in by_status.items()})
        return lambda view: _described_by(describe, view)


def _described_by(describe: Callable[[View], Any], view: View) -> View:
    """The view itself, with the description that a decorator would have put on its wrapper."""
    view._apidoc = describe(view)._apidoc  # type: ignore[attr-defined]
    return view


def _described(codes: list[str]) -> dict[str, Any]:
    return {
        "description": "; ".join(f"`{code}`: {CODES[code][1]}" for code in codes),
        "content": {PROBLEM_TYPE: {"schema": Component(ProblemBody)}},
        "x-codes": codes,
    }
