"""Moves: listing and making them."""

from __future__ import annotations

from marshmallow import Schema, fields

from service.web.bodies.body import Body, Plain, body
from service.web.bodies.inputs import described


class MakeMove(Schema):
    move = fields.Raw(
        required=True,
        metadata=described(
            "A move object of the game, as `GET …/moves` lists it.",
            type="object",
        ),
    )


@body
class MovesBody(Body):
    version: int
    moves: list[Plain]
