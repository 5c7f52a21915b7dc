"""Reads across matches in general: pages of them, and how new they are."""

from __future__ import annotations

from typing import Annotated, ClassVar

from marshmallow import Schema, fields, validate

from service.web.bodies.body import Body, about, body
from service.web.bodies.inputs import Digits, described


class KnownQuery(Schema):
    min_version = fields.String(
        metadata=described(
            "`<match id>:<version>` as an action answered them: wait, not for ever, until that is in what is answered."
        )
    )


class PageQuery(KnownQuery):
    limit = Digits(load_default=50, validate=validate.Range(1, 100))
    cursor = fields.String(metadata=described("What the page before gave as `next`."))


@body
class KnownBody(Body):
    fresh: Annotated[bool, about("Whether `min_version` is in it; true if none was asked for.")]

    SENT_LAST: ClassVar[tuple[str, ...]] = ("fresh",)


@body
class PageBody(KnownBody):
    more: bool
    next: Annotated[str | None, about("The `cursor` of the next page.")]

    SENT_LAST: ClassVar[tuple[str, ...]] = ("more", "next", "fresh")
