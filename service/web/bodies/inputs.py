"""Strict fields for request bodies and queries, because marshmallow converts too much by itself."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields


class Whole(fields.Integer):
    """An integer in JSON: not ``"3"``, ``3.0`` or ``true``."""

    def _validated(self, value: Any) -> Any:
        if type(value) is not int:
            raise self.make_error("invalid")
        return super()._validated(value)


class Digits(fields.Integer):
    """An integer in a query: ASCII digits only. Python would also take ``+3``, ``1_000`` or digits of other scripts."""

    def _validated(self, value: Any) -> Any:
        if not (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 16):
            raise self.make_error("invalid")
        return super()._validated(value)


class Flag(fields.Boolean):
    """A boolean in JSON: ``true`` or ``false``, not ``1``, ``"yes"`` or ``"on"``."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


def described(text: str, **more: Any) -> dict[str, Any]:
    """Returns the ``metadata`` of a field: its description, and more keys of its schema."""
    return {"description": text} | more


def entropy() -> fields.String:
    """Returns the field for a seat's contribution to the chance of a match."""
    text = "Your contribution to the chance of the match: up to 64 printable ASCII characters."
    return fields.String(load_default="", validate=_printable, metadata=described(text, pattern="^[!-~]{0,64}$"))


def _printable(text: str) -> None:
    if len(text) > 64 or not all("!" <= character <= "~" for character in text):
        raise ValidationError("Must be up to 64 printable ASCII characters.")
