"""Queries across matches: their pages, and how new these are."""

from __future__ import annotations

from typing import Annotated, ClassVar

from marshmallow import Schema, fields, validate

from service.web.bodies.body import Body, about, body
from service.web.bodies.inputs import Digits, described


class KnownQuery(Schema):
    min_version = fields.String(
        metadata=described(
            "`<match id>:<version>` of an action: wait a moment, until the read model has that version. See `fresh`."
        )
    )


def page_limit() -> Digits:
    """Returns the field for the number of rows of a page."""
    return Digits(load_default=50, validate=validate.Range(1, 100))


def page_cursor() -> fields.String:
    """Returns the field for the place of a page."""
    return fields.String(metadata=described("The `next` of the page before."))


class PageQuery(KnownQuery):
    limit = page_limit()
    cursor = page_cursor()


@body
class KnownBody(Body):
    fresh: Annotated[bool, about("True if the response includes `min_version`, or if none was given.")]

    SENT_LAST: ClassVar[tuple[str, ...]] = ("fresh",)


@body
class PageBody(KnownBody):
    more: bool
    next: Annotated[str | None, about("The `cursor` of the next page; null on the last.")]

    SENT_LAST: ClassVar[tuple[str, ...]] = ("more", "next", "fresh")
