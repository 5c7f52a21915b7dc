"""Disputes: raising one, its evidence, the ruling."""

from __future__ import annotations

from typing import Annotated

from marshmallow import Schema, ValidationError, fields, validate

from domain.commands import RULINGS, Ruling
from domain.dispute_state import Case
from domain.match import Match
from service.web.bodies.body import Body, Plain, Time, about, body, time
from service.web.bodies.inputs import Whole, described
from service.web.bodies.report import ReportBody

# -- requests ---------------------------------------------------------------------------------------------------------


def _reason() -> fields.String:
    return fields.String(
        required=True,
        validate=_sentence,
        metadata=described("One sentence. Everybody who may see the match can read it, for ever."),
    )


def _sentence(text: str) -> None:
    if not 1 <= len(text.strip()) <= 500 or not text.isprintable():
        raise ValidationError("Must be a sentence of up to 500 printable characters.")


class RaiseDispute(Schema):
    version = Whole(required=True, metadata=described("The version that you object to.", minimum=1))
    reason = _reason()


class MakeRuling(Schema):
    ruling = fields.String(required=True, validate=validate.OneOf(RULINGS))
    reason = _reason()


# -- responses --------------------------------------------------------------------------------------------------------


@body
class ProposalBody(Body):
    ruling: Ruling
    reason: str
    backed_by: list[int]
    waits_for: Annotated[list[int], about("The seats that have not agreed yet.")]


@body
class DisputeBody(Body):
    dispute: Annotated[int, about("The number of the dispute, from 1.")]
    version: int
    seat: Annotated[int, about("The seat that raised it.")]
    reason: str
    raised_by_version: int
    raised_at: Time
    lapses_at: Annotated[Time, about("The time at which an open dispute expires; the version stands then.")]
    arbiter: Annotated[str | None, about("The id of the player who rules; null if all seats rule together.")]
    looked: Annotated[bool, about("True if the arbiter has looked at what is hidden.")]
    proposal: ProposalBody | None
    open: bool
    ruling: Ruling | None
    ruling_reason: str | None
    lapsed: bool


@body
class DisputesBody(Body):
    version: int
    disputes: list[DisputeBody]


@body
class EvidenceBody(DisputeBody):
    report: ReportBody
    before: Plain | None
    after: Plain | None


def dispute_body(case: Case, match: Match) -> DisputeBody:
    """Returns a dispute as everybody may see it."""
    return DisputeBody(
        dispute=case.number,
        version=case.version,
        seat=case.seat,
        reason=case.reason,
        raised_by_version=case.raised,
        raised_at=time(case.at),
        lapses_at=time(case.lapses_at),
        arbiter=match.table.arbiter,
        looked=case.looked,
        proposal=_proposal(case, len(match.table.seats)),
        open=case.open,
        ruling=case.ruling,
        ruling_reason=None if case.ruling is None else case.ruled_because,
        lapsed=case.lapsed,
    )


def evidence_body(
    case: Case, match: Match, report: ReportBody, before: Plain | None, after: Plain | None
) -> EvidenceBody:
    """Returns a dispute with the report of its version and the redacted states before and after it."""
    return EvidenceBody(
        dispute=case.number,
        version=case.version,
        seat=case.seat,
        reason=case.reason,
        raised_by_version=case.raised,
        raised_at=time(case.at),
        lapses_at=time(case.lapses_at),
        arbiter=match.table.arbiter,
        looked=case.looked,
        proposal=_proposal(case, len(match.table.seats)),
        open=case.open,
        ruling=case.ruling,
        ruling_reason=None if case.ruling is None else case.ruled_because,
        lapsed=case.lapsed,
        report=report,
        before=before,
        after=after,
    )


def _proposal(case: Case, seats: int) -> ProposalBody | None:
    if case.proposal is None:
        return None
    waits_for = [seat for seat in range(seats) if seat not in case.backed_by] if case.open else []
    return ProposalBody(
        ruling=case.proposal,
        reason=case.proposed_because,
        backed_by=sorted(case.backed_by),
        waits_for=waits_for,
    )
