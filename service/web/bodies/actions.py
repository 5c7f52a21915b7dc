"""The response body of every accepted action."""

from __future__ import annotations

from typing import Annotated

from marshmallow import Schema

from domain.commit import Commit
from domain.match import Match, Status, seen_event
from service.web.bodies.body import Body, Plain, about, body
from service.web.bodies.outcomes import OutcomeBody, outcome_body
from service.web.bodies.receipts import Receipt
from service.web.bodies.views import event_data, state_seen


class Nothing(Schema):
    """An empty request body."""


@body
class Accepted(Body):
    match_id: str
    version: int
    status: Status
    events: list[Plain]
    state: Plain | None
    to_move: list[int]
    outcome: OutcomeBody | None
    receipt: Receipt
    invite: Annotated[
        str | None, about("Lets others into a new private match. They send it as `Foldtable-Invite`.")
    ] = None


def accepted(match: Match, commit: Commit, proof: Receipt, invite: str | None = None) -> Accepted:
    """Returns an action as its player may see it. ``match`` is the match right after ``commit``."""
    sees = match.sees(commit.player)
    return Accepted(
        match_id=match.id,
        version=match.version,
        status=match.status,
        events=[event_data(match.game, seen_event(happened, sees)) for happened in commit.events],
        state=state_seen(match.game, match.state, sees),
        to_move=sorted(match.to_move),
        outcome=outcome_body(match.outcome),
        receipt=proof,
        invite=invite,
    )
