"""Matches: opening one, taking a seat, a match as it is now, forks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from marshmallow import Schema, fields, validate

from domain import validation
from domain.commands import UNDO_POLICIES, UndoPolicy
from domain.match import Match, Status, VoidReason
from service.web.bodies.body import Body, Plain, Time, about, body, time
from service.web.bodies.inputs import Flag, Whole, described, entropy
from service.web.bodies.outcomes import OutcomeBody, outcome_body
from service.web.bodies.rules import MatchRules, match_rules
from service.web.bodies.undo import RequestBody, UndoBody, request_body, usual_undo
from service.web.bodies.views import state_seen

# -- requests ---------------------------------------------------------------------------------------------------------


class NewMatch(Schema):
    game = fields.String(required=True, metadata=described("A game of the catalogue."))
    seats = Whole(required=True, metadata=described("The number of seats."))
    options = fields.Dict(
        keys=fields.String(), load_default=dict, metadata=described("Options of the game; see the catalogue.")
    )
    undo = fields.String(load_default="consent", validate=validate.OneOf(UNDO_POLICIES))
    private = Flag(load_default=False, metadata=described("Only players with the invite may know of the match."))
    position = fields.Raw(
        load_default=None,
        allow_none=True,
        metadata=described(
            "A full state to start from instead of the deal, in the format of a finished match's replay.",
            type="object",
        ),
    )
    arbiter = fields.String(
        load_default=None,
        allow_none=True,
        metadata=described(
            "The id of a player who is asked to rule on disputes and takes no seat. It must accept before the start."
        ),
    )
    entropy = entropy()


class TakeSeat(Schema):
    seat = Whole(
        load_default=None,
        allow_none=True,
        metadata=described("The seat to take; the first free one if left out.", minimum=0),
    )
    arbiter = fields.String(
        load_default=None,
        allow_none=True,
        metadata=described("The id of the arbiter that you agree to. Required for a rated match that names one."),
    )
    entropy = entropy()


class NewFork(Schema):
    version = Whole(required=True, metadata=described("The version to start from.", minimum=1))
    undo = fields.String(load_default="consent", validate=validate.OneOf(UNDO_POLICIES))
    private = Flag(
        load_default=None,
        allow_none=True,
        metadata=described("If left out, the same as the match that it is forked from."),
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
    arbiter: Annotated[
        str | None, about("The id of the player who rules on disputes, or is asked to before the start.")
    ]
    arbiter_accepted: Annotated[bool, about("True once that player has accepted. It rules only then.")]
    seats: list[Seat]
    to_move: list[int]
    from_position: Annotated[bool, about("True if it starts from a position instead of the deal of the game.")]
    opened_at: Time
    changed_at: Time


@body
class OriginBody(Body):
    match: str
    version: int


@body
class MatchBody(MatchRow):
    options: Plain
    rated: Annotated[bool, about("False if its result counts for no rating, also after a look of the arbiter.")]
    dispute: Annotated[int | None, about("The number of the open dispute.")]
    undo_policy: UndoPolicy
    your_seat: int | None
    state: Annotated[Plain | None, about("The state as you may see it; null before the start.")]
    outcome: OutcomeBody | None
    void_reason: Annotated[VoidReason | None, about("Why the match is void; null if it is not.")]
    undo: Annotated[UndoBody | None, about("The undo of your newest move; null if you have none.")]
    request: Annotated[RequestBody | None, about("The open request for an undo or redo.")]
    origin: Annotated[OriginBody | None, about("The match and version that it was forked from.")]
    rules: MatchRules


def match_body(match: Match, player: str | None, names: Mapping[str, str]) -> MatchBody:
    """Returns a match as this player may see it now; ``None`` is a viewer without an account."""
    table = match.table
    return MatchBody(
        match_id=match.id,
        game=match.game.id,
        version=match.version,
        status=match.status,
        private=table.private,
        host=table.host,
        arbiter=table.named_arbiter,
        arbiter_accepted=table.arbiter is not None,
        seats=_seats(match, names),
        to_move=sorted(match.to_move),
        from_position=table.from_position,
        opened_at=time(table.opened_at),
        changed_at=time(match.at),
        options=validation.plain(table.options),
        rated=match.rated,
        dispute=None if match.case is None else match.case.number,
        undo_policy=table.undo,
        your_seat=table.seat_of(player),
        state=state_seen(match.game, match.state, match.sees(player)),
        outcome=outcome_body(match.outcome),
        void_reason=match.void_reason,
        undo=usual_undo(match, player),
        request=request_body(match),
        origin=None if table.origin is None else OriginBody(match=table.origin.match, version=table.origin.version),
        rules=match_rules(match),
    )


def _seats(match: Match, names: Mapping[str, str]) -> list[Seat]:
    players = [None if seated is None else seated.player for seated in match.table.seats]
    return [
        Seat(seat=seat, player_id=player, name=None if player is None else names.get(player))
        for seat, player in enumerate(players)
    ]
