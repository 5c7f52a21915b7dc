"""Limits of routes: a mark on a view names its kind, and an app with limits guards all marked views."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import Flask

from domain.store import UnavailableError
from service.problems import ProblemError
from service.web.context import viewer
from service.web.limits.limits import Kind, Limits

View = TypeVar("View", bound=Callable[..., Any])


def limited(kind: Kind) -> Callable[[View], View]:
    """Marks a view as limited."""

    def mark(view: View) -> View:
        view.limited = kind  # type: ignore[attr-defined]
        return view

    return mark


def guard(app: Flask, limits: Limits) -> None:
    """Makes an app hold its callers to the limits: all requests to their rate, and marked views to that of their kind."""
    app.before_request(lambda: limits.pace(_player()))
    # Each view is wrapped once, here. A hook would look up the kind at every request; Flask-Limiter's hooks cost 90 µs.
    for endpoint, view in app.view_functions.items():
        kind = getattr(view, "limited", None)
        if kind is not None:
            app.view_functions[endpoint] = _guarded(view, kind, limits)


def _guarded(view: Callable[..., Any], kind: Kind, limits: Limits) -> Callable[..., Any]:
    @wraps(view)
    def guarding(**given: Any) -> Any:
        limits.check(kind, _player())
        return view(**given)

    return guarding


def _player() -> str | None:
    """Returns the caller's player id. A token that is wrong, or cannot be looked up, counts as none; the view refuses it."""
    try:
        return viewer()
    except (ProblemError, UnavailableError):
        return None
