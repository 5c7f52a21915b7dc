"""Ratings and leaderboards."""

from __future__ import annotations

from typing import Annotated, ClassVar

from marshmallow import validate

from projections.ratings import ordinal
from service.readmodels.leaderboards import Standing
from service.web.bodies.body import Body, about, body
from service.web.bodies.inputs import Digits, described
from service.web.bodies.pages import KnownBody, KnownQuery


class BoardQuery(KnownQuery):
    after = Digits(load_default=0, validate=validate.Range(0, 10**6), metadata=described("Continue after this place."))
    limit = Digits(load_default=50, validate=validate.Range(1, 100))


@body
class RatingBody(Body):
    game: str
    place: Annotated[int, about("The place on the leaderboard, from 1.")]
    rating: Annotated[float, about("A lower bound of the player's strength: mean − 3 deviations.")]
    mean: float
    deviation: float
    matches: Annotated[int, about("The number of rated matches.")]


@body
class BoardRow(RatingBody):
    player_id: str
    name: str | None

    SENT_LAST: ClassVar[tuple[str, ...]] = ("game", "place", "rating", "mean", "deviation", "matches")


@body
class BoardBody(KnownBody):
    game: str
    players: list[BoardRow]
    more: bool


def rating_body(of: Standing) -> RatingBody:
    mean, deviation = of.rating
    return RatingBody(
        game=of.game,
        place=of.place,
        rating=round(ordinal(of.rating), 2),
        mean=round(mean, 2),
        deviation=round(deviation, 2),
        matches=of.matches,
    )


def board_row(of: Standing, name: str | None) -> BoardRow:
    rating = rating_body(of)
    return BoardRow(
        player_id=of.player,
        name=name,
        game=rating.game,
        place=rating.place,
        rating=rating.rating,
        mean=rating.mean,
        deviation=rating.deviation,
        matches=rating.matches,
    )
