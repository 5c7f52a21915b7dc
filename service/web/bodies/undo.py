"""Undo and redo: the request for a return, the answers of other seats, and the preview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from marshmallow import Schema, ValidationError, fields, validate

from domain.commands import Direction
from domain.hidden import Seats
from domain.match import Match, Refused
from domain.undo import Consent, Free, UndoVerdict, last_own, undo_verdict
from replay.steps import Step
from service.web.bodies.body import Body, about, body
from service.web.bodies.inputs import Digits, Flag, Whole, described

# -- requests ---------------------------------------------------------------------------------------------------------


def _sentence(text: str) -> None:
    if len(text) > 200 or not text.isprintable():
        raise ValidationError("Must be up to 200 printable characters.")


class ReturnTo(Schema):
    to = Whole(
        load_default=None,
        allow_none=True,
        metadata=described(
            "The version whose state holds again. If left out: for an undo the version before your newest move, for a"
            " redo the newest undone move.",
            minimum=1,
        ),
    )
    reason = fields.String(
        load_default="", validate=_sentence, metadata=described("A reason for the seats that are asked.")
    )


class AnswerReturn(Schema):
    accept = Flag(required=True)
    block = Flag(
        load_default=False,
        metadata=described("Refuse all further requests of this seat. Possible with the second refusal in a row."),
    )
    request = Whole(required=True, metadata=described("The version of the request that you answer.", minimum=1))


class UndoQuery(Schema):
    to = Digits(load_default=None, allow_none=True, validate=validate.Range(0, 2**53 - 1))


# -- responses --------------------------------------------------------------------------------------------------------


@body
class UndoBody(Body):
    verdict: Literal["free", "consent", "refused"]
    reason: str
    to: Annotated[int | None, about("The version that the match would return to.")]
    asks: Annotated[list[int], about("The seats whose consent is needed.")]


@body
class UndoneRow(Body):
    version: int
    seat: int | None
    sentence: str


@body
class LearnedRow(Body):
    seat: int
    version: int
    sentence: str


@body
class UndoPreview(UndoBody):
    version: int
    undone: Annotated[list[UndoneRow], about("The moves that would be undone.")]
    restored: Annotated[
        list[UndoneRow], about("The moves that would come back into force, if a seat asks for a redo to this version.")
    ]
    learned: Annotated[
        list[LearnedRow], about("The seats that learned something by these moves, described as far as you may know it.")
    ]

    SENT_LAST: ClassVar[tuple[str, ...]] = ("verdict", "reason", "to", "asks", "undone", "restored", "learned")


@body
class RequestBody(Body):
    version: Annotated[int, about("The version of the commit that asks.")]
    seat: int
    direction: Direction
    to: int
    asks: Annotated[list[int], about("The seats that have still to accept.")]
    accepted: list[int]
    reason: str


def undo_body(verdict: UndoVerdict, to: int | None) -> UndoBody:
    """Returns the verdict on a return to a version: free, consent needed, or refused."""
    match verdict:
        case Free(reason):
            return UndoBody(verdict="free", reason=reason, to=to, asks=[])
        case Consent(reason, asks):
            return UndoBody(verdict="consent", reason=reason, to=to, asks=list(asks))
        case Refused():
            return UndoBody(verdict="refused", reason=verdict.message, to=to, asks=[])


def usual_undo(match: Match, player: str | None) -> UndoBody | None:
    """Returns the undo of the player's newest move; ``None`` without such a move, a seat, or a running match."""
    seat = match.side_of(player)
    if seat is None or player is None or match.status != "live" or not match.table.has_rules:
        return None
    to = last_own(match, seat)
    return None if to is None else undo_body(undo_verdict(match, seat, player, to), to)


def request_body(match: Match) -> RequestBody | None:
    """Returns the open request for a return, ``None`` if there is none."""
    request = match.request
    if request is None:
        return None
    return RequestBody(
        version=request.version,
        seat=request.seat,
        direction=request.direction,
        to=request.to,
        asks=sorted(request.asks),
        accepted=sorted(request.accepted),
        reason=request.reason,
    )


@dataclass(frozen=True, slots=True)
class Lost:
    """A move that a return would undo or bring back."""

    step: Step
    """The move as the reader may see it."""
    public: str
    """The sentence as everybody saw it."""
    learners: Seats
    """The seats that learned something by it."""


def undo_preview(
    match: Match, verdict: UndoVerdict, to: int, lost: Sequence[Lost], again: Sequence[Lost], reader: int
) -> UndoPreview:
    """Returns the preview of a return: the moves that are lost and that come back, and which seats keep knowledge."""
    found = undo_body(verdict, to)
    return UndoPreview(
        version=match.version,
        verdict=found.verdict,
        reason=found.reason,
        to=found.to,
        asks=found.asks,
        undone=_rows(lost),
        restored=_rows(again),
        learned=[
            LearnedRow(
                seat=seat,
                version=move.step.version,
                sentence=move.step.sentence if seat == reader else move.public,
            )
            for move in lost
            for seat in sorted(move.learners)
        ],
    )


def _rows(moves: Sequence[Lost]) -> list[UndoneRow]:
    return [UndoneRow(version=move.step.version, seat=move.step.seat, sentence=move.step.sentence) for move in moves]
