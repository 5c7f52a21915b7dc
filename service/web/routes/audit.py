"""Evidence: the audit of a whole match, the report of one version, the explanation of a move."""

from __future__ import annotations

from typing import Any

from flask import Response

from domain import wire
from domain.dispute import sees_at
from domain.store import DamagedError
from replay.audit import first_fault
from replay.report import explain as explanation
from service.integrity.quarantine import fault_of
from service.problems import ProblemError
from service.web.actions import READING, SEEING
from service.web.background import pause
from service.web.blueprint import Blueprint
from service.web.bodies.audit import (
    AuditBody,
    ExplainMove,
    ExplanationBody,
    audit_body,
    explanation_body,
)
from service.web.bodies.report import ReportBody, damaged_report
from service.web.context import invite, service, version_of, viewer
from service.web.encoding import respond, respond_versioned
from service.web.limits.limits import Kind
from service.web.limits.routes import limited
from service.web.reports import report_of

blueprint = Blueprint("audit", __name__, description="Evidence about what was done")


@blueprint.route("/matches/<match_id>/audit")
@blueprint.response(200, AuditBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*SEEING)
@limited(Kind.EVIDENCE)
def audit(match_id: str) -> Response:
    """Verifies the whole log: hash chain, commitments and seed. Decides every command again."""
    parts = service()
    # Asked before the log is read: the log may grow in between, and then it would seem to have lost its end.
    known = 0 if parts.views is None else parts.views.known_version(match_id)
    stored, game, match = parts.matches.for_audit(match_id, viewer(), invite())
    # Two requests for the same audit do not do the work twice: the second finds its result when its turn comes.
    with parts.turns.turn(len(stored.entries)):
        found = parts.audits.audit(match_id, game, stored, pause, known)
    # A game that only another release knows is no damage.
    if found.fault is not None and (game is not None or parts.matches.damage(match_id, stored) is not None):
        parts.matches.quarantine(match_id, found.fault)
    alarm = None if parts.views is None else parts.views.alarms().get(match_id)
    return respond_versioned(audit_body(match_id, match, stored, found, alarm), stored.entries[-1].version)


@blueprint.route("/matches/<match_id>/audit/<version>")
@blueprint.response(200, ReportBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*SEEING, "version_not_found")
@limited(Kind.EVIDENCE)
def report(match_id: str, version: str) -> Response:
    """Reports one version: who did it, on what knowledge, by which rules and chance, and whether deciding again agrees."""
    player = viewer()
    try:
        match = service().matches.current(match_id, player, invite())
    except (wire.UnreadableError, DamagedError):
        return _report_of_damage(match_id, version)
    number = version_of(version, match.version)
    made = report_of(match, number, sees_at(match, player, number))
    return respond_versioned(made, match.version) if made.fault is None else respond(made)


def _report_of_damage(match_id: str, version: str) -> Response:
    """Reports a match that cannot be folded to its end: only that the log is damaged, and from which version on."""
    stored, game, _match = service().matches.for_audit(match_id, viewer(), invite())
    number = version_of(version, max(entry.version for entry in stored.entries))
    fault = first_fault(match_id, game, stored.entries[:number], stored.seed or b"", number, pause)
    if fault is None and stored.quarantine is not None:
        known = fault_of(stored.quarantine)
        fault = known if known.version is not None and known.version <= number else None
    if fault is None:
        raise ProblemError("log_damaged", "A later version of this match cannot be read. The audit names it.")
    return respond(damaged_report(match_id, number, fault))


@blueprint.route("/matches/<match_id>/audit/explain", methods=["POST"])
@blueprint.arguments(ExplainMove)
@blueprint.response(200, ExplanationBody)
@blueprint.problems(*READING, *SEEING, "version_not_found", "forbidden")
@limited(Kind.EXPLANATIONS)
def explain(body: dict[str, Any], match_id: str) -> Response:
    """Explains whether a move was legal for a seat in the state after a version, and by which rule. Changes nothing."""
    player = viewer()
    match = service().matches.current(match_id, player, invite())
    number, seat = version_of(str(body["version"]), match.version), body["seat"]
    if not 0 <= seat < len(match.table.seats):
        raise ProblemError("invalid", f"The match has seats 0 to {len(match.table.seats) - 1}.", field="seat")
    if not (match.ended or match.side_of(player) == seat):
        raise ProblemError("forbidden", "While the match runs, only the seat itself may have its moves explained.")
    table = match.table.at(number)
    if not table.has_rules:
        raise ProblemError("rules_missing", f"Version {table.rules} of the rules is not installed here.")
    move = table.game.read_move(body["move"])
    return respond(explanation_body(table.game, number, seat, move, explanation(match, number, seat, move)))
