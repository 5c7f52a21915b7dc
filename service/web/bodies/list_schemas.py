"""The shapes of what is read across matches: queries, cards, histories, leaderboards."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from service.web.bodies.schemas import STATUSES, Digits, MatchRow, OutcomeBody, Seat


def _about(text: str) -> dict[str, str]:
    return {"description": text}


# -- what is asked ----------------------------------------------------------------------------------------------------


class KnownQuery(Schema):
    min_version = fields.String(
        metadata=_about(
            "`<match id>:<version>` as an action answered them: wait, not for ever, until that is in what is answered."
        )
    )


class PageQuery(KnownQuery):
    limit = Digits(load_default=50, validate=validate.Range(1, 100))
    cursor = fields.String(metadata=_about("What the page before gave as `next`."))


class MatchesQuery(PageQuery):
    status = fields.String(validate=validate.OneOf(STATUSES))
    game = fields.String()
    player = fields.String(validate=validate.Length(1, 64), metadata=_about("A player id."))


class LobbyStreamQuery(Schema):
    game = fields.String(metadata=_about("Only matches of this game."))


class HistoryQuery(PageQuery):
    status = fields.String(validate=validate.OneOf(STATUSES))
    game = fields.String()


class BoardQuery(KnownQuery):
    after = Digits(load_default=0, validate=validate.Range(0, 10**6), metadata=_about("A place, from 1."))
    limit = Digits(load_default=50, validate=validate.Range(1, 100))


# -- what is answered -------------------------------------------------------------------------------------------------


class MatchCard(MatchRow):
    rated = fields.Boolean(required=True)
    turn = fields.Integer(required=True, metadata=_about("How many moves are in force."))
    outcome = fields.Nested(OutcomeBody, required=True, allow_none=True)


class KnownBody(Schema):
    fresh = fields.Boolean(
        required=True, metadata=_about("Whether `min_version` is in it; true if none was asked for.")
    )


class PageBody(KnownBody):
    more = fields.Boolean(required=True)
    next = fields.String(required=True, allow_none=True, metadata=_about("The `cursor` of the next page."))


class MatchesBody(PageBody):
    matches = fields.List(fields.Nested(MatchCard), required=True)
    counts = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        allow_none=True,
        metadata=_about(
            "How many matches there are of each status, as you may see them, of the game and player asked for;"
            " null while the lists are being built."
        ),
    )


class AskedBody(Schema):
    asked = fields.Integer(required=True)
    granted = fields.Integer(required=True)
    declined = fields.Integer(required=True)
    free = fields.Integer(required=True, metadata=_about("Taken back without having to ask."))


class PlayedSeat(Seat):
    result = fields.String(required=True, allow_none=True, validate=validate.OneOf(("won", "lost")))
    score = fields.Integer(required=True, allow_none=True)
    undo = fields.Nested(AskedBody, required=True)


class PlayedMatch(Schema):
    match_id = fields.String(required=True)
    game = fields.String(required=True)
    version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    private = fields.Boolean(required=True)
    rated = fields.Boolean(required=True)
    started_at = fields.DateTime(required=True)
    ended_at = fields.DateTime(required=True, allow_none=True)
    turns = fields.Integer(required=True)
    reason = fields.String(required=True, allow_none=True, metadata=_about("Why it ended."))
    seats = fields.List(fields.Nested(PlayedSeat), required=True)


class HistoryBody(PageBody):
    matches = fields.List(fields.Nested(PlayedMatch), required=True)


class RatingBody(Schema):
    game = fields.String(required=True)
    place = fields.Integer(required=True, metadata=_about("On the leaderboard, from 1."))
    rating = fields.Float(required=True, metadata=_about("What the player is worth at least: mean − 3 deviations."))
    mean = fields.Float(required=True)
    deviation = fields.Float(required=True)
    matches = fields.Integer(required=True, metadata=_about("Rated ones."))


class PlayerBody(KnownBody):
    player_id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True, metadata=_about("null: the player has left."))
    ratings = fields.List(fields.Nested(RatingBody), required=True)


class BoardRow(RatingBody):
    player_id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)


class BoardBody(KnownBody):
    game = fields.String(required=True)
    players = fields.List(fields.Nested(BoardRow), required=True)
    more = fields.Boolean(required=True)


class SeatWins(Schema):
    seat = fields.Integer(required=True)
    wins = fields.Integer(required=True)
    rate = fields.Float(
        required=True, metadata=_about("Of the matches of so many seats; a shared win counts for each.")
    )


class SeatsStatistics(Schema):
    seats = fields.Integer(required=True)
    matches = fields.Integer(required=True)
    by_seat = fields.List(fields.Nested(SeatWins), required=True)


class StatisticsBody(KnownBody):
    game = fields.String(required=True)
    matches = fields.Integer(required=True, metadata=_about("Finished ones."))
    mean_turns = fields.Float(required=True, allow_none=True)
    mean_returns = fields.Float(required=True, allow_none=True, metadata=_about("Undo and redo, a match."))
    reasons = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    by_seats = fields.List(fields.Nested(SeatsStatistics), required=True)


class Forgotten(Schema):
    player_id = fields.String(required=True, metadata=_about("Stays in the log, which holds no names."))
