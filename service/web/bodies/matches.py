"""Matches: opening one, taking a seat, a match as it is now, forks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from marshmallow import Schema, fields, validate

from domain import validation
from domain.commands import STARTS, UNDO_POLICIES, Start, UndoPolicy
from domain.events import RetirementReason
from domain.match import Match, Status, VoidReason
from domain.players import is_bot, level_of
from domain.rating import WhyUnrated, why_unrated
from service.web.bodies.body import Body, Plain, Time, about, body, time
from service.web.bodies.clocks import (
    CLOCK,
    ClockBody,
    ReadyCheckBody,
    SeatClock,
    clock_body,
    ready_check,
    seat_clocks,
)
from service.web.bodies.inputs import Flag, Whole, described, entropy
from service.web.bodies.outcomes import OutcomeBody, outcome_body
from service.web.bodies.rules import MatchRules, match_rules
from service.web.bodies.undo import RequestBody, UndoBody, request_body, usual_undo
from service.web.bodies.views import state_seen

LEVELS = ("random", "greedy")
"""The levels of bots that hosts may seat. A planner thinks for most of a second, so first its seats have to be limited."""

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
    clock = fields.Raw(allow_none=True, metadata=CLOCK)
    start = fields.String(
        load_default="full",
        validate=validate.OneOf(STARTS),
        metadata=described(
            "`full`: the match starts with the last seat that is taken. `ready`: all seats are asked first whether they are"
            " ready; one that is not in time is freed, and its player cannot sit at this match again."
        ),
    )
    bots = fields.Dict(
        keys=fields.String(),
        values=fields.String(validate=validate.OneOf(LEVELS)),
        load_default=dict,
        metadata=described("Bots for some seats: the number of the seat → the level.", examples=[{"1": "greedy"}]),
    )
    entropy = entropy()


class NewBot(Schema):
    seat = Whole(required=True, metadata=described("A free seat.", minimum=0))
    level = fields.String(required=True, validate=validate.OneOf(LEVELS))


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
    player_id: Annotated[str | None, about("A bot's begins with `bot:`.")]
    name: str | None
    bot: Annotated[str | None, about("The level of the bot that sits here; null for a person.")]
    retired: Annotated[
        RetirementReason | None,
        about("The reason why the player plays no more; a stand-in plays on. Null while it plays."),
    ]


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
    unrated_because: Annotated[WhyUnrated | None, about("Why its result counts for no rating; null if it counts.")]
    clock: Annotated[ClockBody | None, about("The time that seats have; null for a match without clocks.")]
    clocks: Annotated[list[SeatClock], about("The time of each seat that plays, while the match runs.")]
    start: Start
    ready_check: Annotated[ReadyCheckBody | None, about("The open ready check.")]
    failed_ready_checks: Annotated[int, about("The number of ready checks that some seat let run out.")]
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
        rated=why_unrated(match) is None,
        unrated_because=why_unrated(match),
        clock=clock_body(table.clock),
        clocks=seat_clocks(match),
        start=table.start,
        ready_check=ready_check(match),
        failed_ready_checks=table.failed_checks,
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
    return seats_of(players, {each.seat: each.reason for each in match.retired}, names)


def seats_of(
    players: Sequence[str | None], retired: Mapping[int, RetirementReason], names: Mapping[str, str]
) -> list[Seat]:
    """Returns the seats with the players on them."""
    return [
        Seat(
            seat=seat,
            player_id=player,
            name=None if player is None else names.get(player),
            bot=level_of(player) if player is not None and is_bot(player) else None,
            retired=retired.get(seat),
        )
        for seat, player in enumerate(players)
    ]
