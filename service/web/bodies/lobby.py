"""The lobby: the list of matches, and its stream."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, ClassVar, get_args

from marshmallow import Schema, fields, validate

from domain.commands import Clock
from domain.match import Status, VoidReason
from domain.rating import WhyUnrated
from projections.projection import Row
from service.web.bodies.body import Body, about, body, time
from service.web.bodies.clocks import ClockBody, clock_body
from service.web.bodies.inputs import described
from service.web.bodies.matches import MatchRow, seats_of
from service.web.bodies.outcomes import OutcomeBody, outcome_of_row
from service.web.bodies.pages import PageBody, PageQuery, page_cursor, page_limit

STATUSES: tuple[Status, ...] = get_args(Status)

# -- requests ---------------------------------------------------------------------------------------------------------


class MatchesQuery(PageQuery):
    status = fields.String(validate=validate.OneOf(STATUSES))
    game = fields.String()
    player = fields.String(validate=validate.Length(1, 64), metadata=described("A player id."))


class LobbyStreamQuery(Schema):
    game = fields.String(metadata=described("Only matches of this game."))


class ArbitrationsQuery(Schema):
    limit = page_limit()
    cursor = page_cursor()


# -- responses --------------------------------------------------------------------------------------------------------


@body
class MatchCard(MatchRow):
    rated: bool
    unrated_because: Annotated[WhyUnrated | None, about("Why its result counts for no rating; null if it counts.")]
    clock: Annotated[ClockBody | None, about("The time that seats have; null for a match without clocks.")]
    turn: Annotated[int, about("The number of moves in force.")]
    outcome: OutcomeBody | None
    void_reason: Annotated[VoidReason | None, about("Why the match is void; null if it is not.")]

    SENT_LAST: ClassVar[tuple[str, ...]] = (
        "host",
        "arbiter",
        "arbiter_accepted",
        "seats",
        "to_move",
        "turn",
        "outcome",
        "opened_at",
        "changed_at",
    )


@body
class MatchesBody(PageBody):
    matches: list[MatchCard]
    counts: Annotated[
        dict[str, int] | None,
        about(
            "The number of matches of each status that you may see, for the given game and player;"
            " null while the read models are being built."
        ),
    ]


@body
class MatchesOfTheLog(MatchesBody):
    """The list of matches, read from the log while there are no read models."""

    SENT_LAST: ClassVar[tuple[str, ...]] = ("next", "more", "fresh")


@body
class ArbitrationsBody(Body):
    matches: list[MatchCard]
    more: bool
    next: Annotated[str | None, about("The `cursor` of the next page; null on the last.")]


@body
class LobbyEvent(Body):
    """The first page of the lobby, which begins its stream."""

    matches: list[MatchCard]
    counts: dict[str, int] | None
    more: bool
    next: str | None


@body
class GoneEvent(Body):
    """A match that the viewer of the lobby's stream may no longer see."""

    match_id: str


def players_of(rows: Iterable[Row]) -> set[str]:
    """Returns the ids of all players with a seat at these matches."""
    return {player for row in rows for player in row["seats"] if player is not None}


def match_card(row: Row, names: Mapping[str, str]) -> MatchCard:
    """Returns a match as a list shows it. Names are looked up, never stored in a row."""
    return MatchCard(
        match_id=row["match_id"],
        game=row["game"],
        version=row["version"],
        status=row["status"],
        private=row["private"],
        rated=row["unrated"] is None,
        unrated_because=row["unrated"],
        host=row["host"],
        arbiter=row["arbiter"],
        arbiter_accepted=row["arbiter_accepted"],
        seats=seats_of(row["seats"], dict(row["retired"]), names),
        to_move=row["to_move"],
        clock=clock_body(None if row["clock"] is None else Clock(**row["clock"])),
        turn=row["turn"],
        outcome=outcome_of_row(row["outcome"]),
        void_reason=row["void_reason"],
        from_position=row["from_position"],
        opened_at=time(row["opened_at"]),
        changed_at=time(row["changed_at"]),
    )
