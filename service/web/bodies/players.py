"""Players: creating and deleting an account, a player's ratings and history."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from marshmallow import Schema, fields, validate

from domain.match import Status
from projections.projection import Row
from service.web.bodies.body import Body, Time, about, body, maybe_time, time
from service.web.bodies.inputs import described
from service.web.bodies.leaderboards import RatingBody
from service.web.bodies.lobby import STATUSES
from service.web.bodies.matches import Seat
from service.web.bodies.pages import KnownBody, PageBody, PageQuery

# -- requests ---------------------------------------------------------------------------------------------------------


class NewPlayer(Schema):
    name = fields.String(required=True, metadata=described("1 to 40 characters."))


class HistoryQuery(PageQuery):
    status = fields.String(validate=validate.OneOf(STATUSES))
    game = fields.String()


# -- responses --------------------------------------------------------------------------------------------------------


@body
class PlayerMade(Body):
    player_id: str
    name: str
    token: Annotated[str, about("Shown only once. Send it as `Authorization: Bearer <token>`.")]


@body
class Forgotten(Body):
    player_id: Annotated[str, about("The id stays in the log, which holds no names.")]


@body
class PlayerBody(KnownBody):
    player_id: str
    name: Annotated[str | None, about("Null if the account was deleted.")]
    ratings: list[RatingBody]


@body
class AskedBody(Body):
    asked: int
    granted: int
    declined: int
    free: Annotated[int, about("Undone without having to ask.")]


@body
class PlayedSeat(Seat):
    result: Literal["won", "lost"] | None
    score: int | None
    undo: AskedBody

    SENT_LAST: ClassVar[tuple[str, ...]] = ("name",)


@body
class PlayedMatch(Body):
    match_id: str
    game: str
    version: int
    status: Status
    private: bool
    rated: bool
    from_position: Annotated[bool, about("True if it started from a position instead of the deal of the game.")]
    started_at: Time
    ended_at: Time | None
    turns: int
    reason: Annotated[str | None, about("The reason why the match ended.")]
    seats: list[PlayedSeat]


@body
class HistoryBody(PageBody):
    matches: list[PlayedMatch]


def played_match(row: Row, names: Mapping[str, str]) -> PlayedMatch:
    """Returns a match as a player's history shows it. Names are looked up, never stored in a row."""
    return PlayedMatch(
        match_id=row["match_id"],
        game=row["game"],
        version=row["version"],
        status=row["status"],
        private=row["private"],
        rated=row["rated"],
        from_position=row["from_position"],
        started_at=time(row["started_at"]),
        ended_at=maybe_time(row["ended_at"]),
        turns=row["turns"],
        reason=row["reason"],
        seats=[_played_seat(seat, names) for seat in row["seats"]],
    )


def _played_seat(row: Mapping[str, Any], names: Mapping[str, str]) -> PlayedSeat:
    undo = row["undo"]
    return PlayedSeat(
        seat=row["seat"],
        player_id=row["player_id"],
        name=names.get(row["player_id"] or ""),
        result=row["result"],
        score=row["score"],
        undo=AskedBody(asked=undo["asked"], granted=undo["granted"], declined=undo["declined"], free=undo["free"]),
    )
