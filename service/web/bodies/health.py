"""Health checks."""

from __future__ import annotations

from service.web.bodies.body import Body, body


@body
class Health(Body):
    status: str
