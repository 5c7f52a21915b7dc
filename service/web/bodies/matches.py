"""Matches: opening one, taking a seat, a match as it is now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from marshmallow import Schema, fields, validate

from domain import validation
from domain.commands import UNDO_POLICIES, UndoPolicy
from domain.match import Match, Status
from service.web.bodies.body import Body, Plain, Time, about, body, time
from service.web.bodies.inputs import Flag, Whole, described, entropy
from service.web.bodies.outcomes import OutcomeBody, outcome_body
from service.web.bodies.undo import RequestBody, UndoBody, request_body, usual_undo
from service.web.bodies.views import state_seen

# -- requests ---------------------------------------------------------------------------------------------------------


class NewMatch(Schema):
    game = fields.String(required=True, metadata=described("A game of the catalogue."))
    seats = Whole(required=True, metadata=described("How many seats."))
    options = fields.Dict(keys=fields.String(), load_default=dict, metadata=described("See the catalogue."))
    undo = fields.String(load_default="consent", validate=validate.OneOf(UNDO_POLICIES))
    private = Flag(load_default=False, metadata=described("Only who has the invite may know of it."))
    position = fields.Raw(
        load_default=None,
        allow_none=True,
        metadata=described(
            "A full state to start from instead of the deal, as a finished match's replay shows it.",
            type="object",
        ),
    )
    arbiter = fields.String(
        load_default=None,
        allow_none=True,
        metadata=described("The id of a player who rules on disputes and does not sit at the match."),
    )
    entropy = entropy()


class TakeSeat(Schema):
    seat = Whole(load_default=None, allow_none=True, metadata=described("The first free one if left out.", minimum=0))
    entropy = entropy()


class NewFork(Schema):
    version = Whole(required=True, metadata=described("The version to start from.", minimum=1))
    undo = fields.String(load_default="consent", validate=validate.OneOf(UNDO_POLICIES))
    private = Flag(
        load_default=None, allow_none=True, metadata=described("As the match that it is forked from, if left out.")
    )
    entropy = entropy()


# -- responses --------------------------------------------------------------------------------------------------------


@body
class Seat(Body):
    seat: int
    player_id: str | None
    name: str | None


@body
class MatchRow(Body):
    match_id: str
    game: str
    version: int
    status: Status
    private: bool
    host: Annotated[str, about("A player id.")]
    seats: list[Seat]
    to_move: list[int]
    opened_at: Time
    changed_at: Time


@body
class OriginBody(Body):
    match: str
    version: int


@body
class MatchBody(MatchRow):
    options: Plain
    rated: bool
    arbiter: Annotated[str | None, about("Who rules on disputes: a player id.")]
    dispute: Annotated[int | None, about("The number of the open dispute.")]
    undo_policy: UndoPolicy
    your_seat: int | None
    state: Annotated[Plain | None, about("As you may see it; null before the start.")]
    outcome: OutcomeBody | None
    undo: Annotated[UndoBody | None, about("Of your newest move; null if none.")]
    request: Annotated[RequestBody | None, about("The return that is asked for.")]
    origin: Annotated[OriginBody | None, about("What it was forked from.")]


def match_body(match: Match, player: str | None, names: Mapping[str, str]) -> MatchBody:
    """A match as this player may see it now."""
    table = match.table
    return MatchBody(
        match_id=match.id,
        game=match.game.id,
        version=match.version,
        status=match.status,
        private=table.private,
        host=table.host,
        seats=_seats(match, names),
        to_move=sorted(match.to_move),
        opened_at=time(table.opened_at),
        changed_at=time(match.at),
        options=validation.plain(table.options),
        rated=match.rated,
        arbiter=table.arbiter,
        dispute=None if match.case is None else match.case.number,
        undo_policy=table.undo,
        your_seat=table.seat_of(player),
        state=state_seen(match.game, match.state, match.sees(player)),
        outcome=outcome_body(match.outcome),
        undo=usual_undo(match, player),
        request=request_body(match),
        origin=None if table.origin is None else OriginBody(match=table.origin.match, version=table.origin.version),
    )


def _seats(match: Match, names: Mapping[str, str]) -> list[Seat]:
    players = [None if seated is None else seated.player for seated in match.table.seats]
    return [
        Seat(seat=seat, player_id=player, name=None if player is None else names.get(player))
        for seat, player in enumerate(players)
    ]
