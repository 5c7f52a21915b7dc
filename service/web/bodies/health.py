"""Health checks."""

from __future__ import annotations

from typing import Annotated

from service.web.bodies.body import Body, about, body


@body
class Health(Body):
    status: str


@body
class Readiness(Body):
    status: str
    checks: Annotated[dict[str, bool] | None, about("Each part that was looked at; for operators only.")] = None
