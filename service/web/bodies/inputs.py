"""Strict fields for request bodies and queries, because marshmallow converts too much by itself."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields


class Whole(fields.Integer):
    """An integer that is one in JSON too: not ``"3"``, ``3.0`` or ``true``."""

    def _validated(self, value: Any) -> Any:
        if type(value) is not int:
            raise self.make_error("invalid")
        return super()._validated(value)


class Digits(fields.Integer):
    """A whole number of a query: digits, and not what else Python takes for one."""

    def _validated(self, value: Any) -> Any:
        if not (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 16):
            raise self.make_error("invalid")
        return super()._validated(value)


class Flag(fields.Boolean):
    """``true`` or ``false`` and nothing that is merely like them."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


def described(text: str, **more: Any) -> dict[str, Any]:
    """A field's ``metadata``: its description, and whatever else its schema is to say."""
    return {"description": text} | more


def entropy() -> fields.String:
    """A seat's contribution to a match's chance."""
    text = "Your own contribution to the match's chance: up to 64 printable ASCII characters."
    return fields.String(load_default="", validate=_printable, metadata=described(text, pattern="^[!-~]{0,64}$"))


def _printable(text: str) -> None:
    if len(text) > 64 or not all("!" <= character <= "~" for character in text):
        raise ValidationError("Must be up to 64 printable ASCII characters.")
