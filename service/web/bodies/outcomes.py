"""The outcome of a match, as a body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from domain.game import Outcome
from service.web.bodies.body import Body, about, body


@body
class OutcomeBody(Body):
    winners: list[int]
    scores: Annotated[list[int], about("One for each seat; empty for a game without scores.")]
    reason: str
    rule: str | None


def outcome_body(of: Outcome | None) -> OutcomeBody | None:
    if of is None:
        return None
    return OutcomeBody(winners=list(of.winners), scores=list(of.scores), reason=of.reason, rule=of.rule)


def outcome_of_row(row: Mapping[str, Any] | None) -> OutcomeBody | None:
    """Returns an outcome from the row of a read model."""
    if row is None:
        return None
    return OutcomeBody(winners=row["winners"], scores=row["scores"], reason=row["reason"], rule=row["rule"])
