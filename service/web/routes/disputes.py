"""Disputes: raising one, the evidence, the arbiter's look, the ruling."""

from __future__ import annotations

from typing import Any

from flask import Response

from domain import commands
from domain.dispute import sees_at
from domain.dispute_state import Case
from domain.drafts import draft
from domain.match import Match
from replay.moment import state_at
from service.problems import ProblemError
from service.web.actions import ACTING, READING, SEEING, act
from service.web.blueprint import Blueprint
from service.web.bodies.actions import Accepted, Nothing
from service.web.bodies.disputes import (
    DisputesBody,
    EvidenceBody,
    MakeRuling,
    RaiseDispute,
    dispute_body,
    evidence_body,
)
from service.web.context import invite, service, viewer
from service.web.encoding import respond_versioned
from service.web.reports import report_of

blueprint = Blueprint("disputes", __name__, description="Disputed moves: evidence and rulings")

SETTLING = ("dispute_not_found", "dispute_closed", "not_arbiter")


@blueprint.route("/matches/<match_id>/disputes")
@blueprint.response(200, DisputesBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*SEEING)
def disputes(match_id: str) -> Response:
    """Lists the disputes of a match, the oldest first."""
    match = service().matches.current(match_id, viewer(), invite())
    rows = [dispute_body(case, match) for case in match.cases]
    return respond_versioned(DisputesBody(version=match.version, disputes=rows), match.version)


@blueprint.route("/matches/<match_id>/disputes/<dispute>")
@blueprint.response(200, EvidenceBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*SEEING, "dispute_not_found")
def evidence(match_id: str, dispute: str) -> Response:
    """Returns a dispute with its evidence as you may see it now: the report of the version, the states before and after."""
    player = viewer()
    match = service().matches.current(match_id, player, invite())
    case = _case(match, dispute)
    sees = sees_at(match, player, case.version)
    before, after = [state_at(match, version, sees) for version in (case.version - 1, case.version)]
    report = report_of(match, case.version, sees)
    return respond_versioned(evidence_body(case, match, report, before, after), match.version)


def _number(dispute: str) -> int:
    if not (dispute.isascii() and dispute.isdigit() and len(dispute) < 6):
        raise ProblemError("dispute_not_found")
    return int(dispute)


def _case(match: Match, dispute: str) -> Case:
    number = _number(dispute)
    if not 1 <= number <= len(match.cases):
        raise ProblemError("dispute_not_found")
    return match.cases[number - 1]


@blueprint.route("/matches/<match_id>/disputes", methods=["POST"])
@blueprint.arguments(RaiseDispute)
@blueprint.response(201, Accepted)
@blueprint.problems(
    *READING,
    *ACTING,
    "retired",
    "not_seated",
    "not_live",
    "final",
    "dispute_open",
    "too_many_disputes",
    "version_not_found",
    "dispute_too_late",
)
def dispute(body: dict[str, Any], match_id: str) -> Response:
    """Raises a dispute about a version. A running match is frozen until the dispute is settled, at most 24 hours.

    A match that has ended can be disputed, and ruled on, until 72 hours after its end.
    """
    return act(match_id, draft(commands.Dispute, version=body["version"], reason=body["reason"]))


@blueprint.route("/matches/<match_id>/disputes/<dispute>/look", methods=["POST"])
@blueprint.arguments(Nothing, required=False)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, *SETTLING, "already_looked")
def look(_body: dict[str, Any], match_id: str, dispute: str) -> Response:
    """Shows the arbiter what is hidden of the disputed version. All seats see that the arbiter looked, not what it saw.

    From then on the match is not rated, and no ruling of it can be `rewind`.
    """
    return act(match_id, commands.Look(_number(dispute)))


@blueprint.route("/matches/<match_id>/disputes/<dispute>/ruling", methods=["POST"])
@blueprint.arguments(MakeRuling)
@blueprint.response(201, Accepted)
@blueprint.alt_response(202, Accepted, description="Accepted: other seats are asked")
@blueprint.problems(
    *(*READING, *ACTING, *SETTLING, "not_seated", "retired"),
    *("already_backed", "ruling_impossible", "dispute_too_late"),
)
def ruling(body: dict[str, Any], match_id: str, dispute: str) -> Response:
    """Rules on a dispute. Without an arbiter, a seat supports a ruling, which is made once all seats support it."""
    return act(match_id, commands.GiveRuling(_number(dispute), body["ruling"], body["reason"]))
