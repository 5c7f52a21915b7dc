"""The shapes of everything that proves something: keys, audits, reports, explanations."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from domain.commands import RULINGS
from service.web.bodies.schemas import OutcomeBody, Receipt, ReplayRow, Whole


def about(text: str, **more: Any) -> dict[str, Any]:
    return {"description": text} | more


class ExplainMove(Schema):
    version = Whole(required=True, metadata=about("The move is judged by the state right after it.", examples=[7]))
    seat = Whole(required=True, metadata=about("Who would make the move; while the match runs, your own seat."))
    move = fields.Raw(
        required=True,
        metadata=about(
            "A move object of the game.", type="object", examples=[{"type": "place", "tile": "5", "at": "C5"}]
        ),
    )


class PublishedKey(Schema):
    id = fields.String(required=True, metadata=about("What receipts and records call it."))
    algorithm = fields.String(required=True, metadata=about("Ed25519 (RFC 8032)."))
    public = fields.String(required=True, metadata=about("In hexadecimal."))
    since = fields.DateTime(required=True, allow_none=True)
    until = fields.DateTime(required=True, allow_none=True, metadata=about("Null: in use."))


class KeysBody(Schema):
    keys = fields.List(fields.Nested(PublishedKey), required=True)


class AuditBody(Schema):
    match_id = fields.String(required=True)
    ok = fields.Boolean(required=True)
    version = fields.Integer(required=True, metadata=about("How many versions the log has."))
    head = fields.String(required=True, allow_none=True)
    seed_commitment = fields.String(required=True, allow_none=True)
    seed = fields.String(required=True, allow_none=True, metadata=about("Once the match has ended."))
    decided_again = fields.Boolean(
        required=True, metadata=about("Whether every command was decided again; not if the rules have changed since.")
    )
    first_bad_version = fields.Integer(required=True, allow_none=True)
    fault = fields.String(required=True, allow_none=True)
    message = fields.String(required=True)


class CitedRule(Schema):
    number = fields.String(required=True)
    text = fields.String(required=True)
    basis = fields.List(fields.String(), required=True)


class KnowledgeBody(Schema):
    version = fields.Integer(required=True)
    viewer = fields.String(required=True, data_key="as", metadata=about("A seat, or `spectator`: whose view this is."))
    state = fields.Dict(required=True, allow_none=True)
    to_move = fields.List(fields.Integer(), required=True)
    moves = fields.List(
        fields.Dict(),
        required=True,
        allow_none=True,
        metadata=about("What the acting seat could do; null where you may not know it or no move was to be made."),
    )


class DrawBody(Schema):
    below = fields.Integer(required=True)
    gave = fields.Integer(required=True)


class ChanceBody(Schema):
    draws = fields.Integer(required=True, metadata=about("How many words the dice gave."))
    entropy = fields.List(fields.String(), required=True, metadata=about("What each seat brought, in order."))
    seed_commitment = fields.String(required=True)
    seed = fields.String(required=True, allow_none=True, metadata=about("Once the match has ended."))
    numbers = fields.List(
        fields.Nested(DrawBody),
        required=True,
        allow_none=True,
        metadata=about("Every number drawn, and below what; null while the seed is not public."),
    )


class DecidedAgain(Schema):
    possible = fields.Boolean(required=True, metadata=about("Not if the rules have changed since."))
    same = fields.Boolean(required=True, allow_none=True)


class LogFault(Schema):
    version = fields.Integer(required=True)
    kind = fields.String(required=True)
    message = fields.String(required=True)


class ReportBody(Schema):
    match_id = fields.String(required=True)
    version = fields.Integer(required=True)
    at = fields.DateTime(required=True, allow_none=True)
    kind = fields.String(required=True, allow_none=True)
    seat = fields.Integer(required=True, allow_none=True)
    player_id = fields.String(required=True, allow_none=True)
    name = fields.String(required=True, allow_none=True)
    token_id = fields.String(required=True, allow_none=True, metadata=about("Which token was used; not the token."))
    command_id = fields.String(required=True, allow_none=True)
    command = fields.Dict(required=True, allow_none=True, metadata=about("As it was given, as far as you may know it."))
    events = fields.List(fields.Dict(), required=True, allow_none=True)
    sentence = fields.String(required=True, allow_none=True)
    before = fields.Nested(KnowledgeBody, required=True, allow_none=True)
    rules_version = fields.Integer(required=True, allow_none=True)
    rules = fields.List(fields.Nested(CitedRule), required=True, allow_none=True)
    chance = fields.Nested(ChanceBody, required=True, allow_none=True)
    decided_again = fields.Nested(DecidedAgain, required=True, allow_none=True)
    previous = fields.String(required=True, allow_none=True)
    hash = fields.String(required=True, allow_none=True)
    receipt = fields.Nested(Receipt, required=True, allow_none=True)
    in_force = fields.Boolean(required=True, allow_none=True, metadata=about("Whether it leads to the present state."))
    fault = fields.Nested(
        LogFault,
        required=True,
        allow_none=True,
        metadata=about("Where the log does not hold, up to this version; then all but the verdict is null."),
    )
    verdict = fields.String(required=True)


class ExplanationBody(Schema):
    version = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    move = fields.Dict(required=True)
    legal = fields.Boolean(required=True)
    code = fields.String(required=True, allow_none=True)
    rule = fields.String(required=True, allow_none=True, metadata=about("The number of the rule that refuses it."))
    message = fields.String(required=True)
    rules = fields.List(fields.Nested(CitedRule), required=True)


class RecordLine(Schema):
    version = fields.Integer(required=True)
    public = fields.String(required=True, metadata=about("The public part, as it is stored, in hexadecimal."))
    hash = fields.String(required=True)
    secrets = fields.List(
        fields.List(fields.String(), allow_none=True),
        required=True,
        metadata=about("For each secret its salt and its value in hexadecimal; null where it is not yours to know."),
    )


class RecordBody(Schema):
    """See the page on records."""

    entries = fields.List(fields.Nested(RecordLine), required=True)
    format = fields.String(required=True)
    game = fields.String(required=True)
    head = fields.String(required=True, metadata=about("The hash of the newest version."))
    key = fields.String(required=True, metadata=about("The id of the key."))
    match_id = fields.String(required=True)
    public_key = fields.String(required=True)
    rules = fields.Integer(required=True, metadata=about("The version of the game's rules."))
    seed = fields.String(required=True, allow_none=True, metadata=about("Once the match has ended."))
    sees = fields.String(required=True, metadata=about("Whose knowledge it holds: `all`, `spectator` or a seat."))
    signature = fields.String(required=True, metadata=about("Ed25519 over the SHA-256 of all the rest."))
    version = fields.Integer(required=True)


class ImportedBody(Schema):
    record_id = fields.String(required=True)
    match_id = fields.String(required=True)
    game = fields.String(required=True)
    rules_version = fields.Integer(required=True)
    version = fields.Integer(required=True)
    status = fields.String(required=True)
    seats = fields.Integer(required=True)
    outcome = fields.Nested(OutcomeBody, required=True, allow_none=True)
    house = fields.String(
        required=True, metadata=about("`this` if a key of this house signed it, otherwise `unknown`.")
    )
    key = fields.String(required=True)
    rated = fields.Boolean(required=True, metadata=about("Never."))
    imported_at = fields.DateTime(required=True)


class WatchedBody(Schema):
    version = fields.Integer(required=True)
    viewer = fields.String(required=True, data_key="as")
    step = fields.Nested(ReplayRow, required=True)
    state = fields.Dict(required=True, allow_none=True)
    to_move = fields.List(fields.Integer(), required=True)
    outcome = fields.Nested(OutcomeBody, required=True, allow_none=True)


def _reason() -> fields.String:
    return fields.String(
        required=True, validate=_sentence, metadata=about("A sentence for everybody at the table, and for ever.")
    )


def _sentence(text: str) -> None:
    if not 1 <= len(text.strip()) <= 500 or not text.isprintable():
        raise ValidationError("Must be a sentence of up to 500 printable characters.")


class RaiseDispute(Schema):
    version = Whole(required=True, metadata=about("What should not be as it is.", minimum=1))
    reason = _reason()


class MakeRuling(Schema):
    ruling = fields.String(required=True, validate=validate.OneOf(RULINGS))
    reason = _reason()


class ProposalBody(Schema):
    ruling = fields.String(required=True, validate=validate.OneOf(RULINGS))
    reason = fields.String(required=True)
    backed_by = fields.List(fields.Integer(), required=True)
    waits_for = fields.List(fields.Integer(), required=True, metadata=about("The seats that have not agreed yet."))


class DisputeBody(Schema):
    dispute = fields.Integer(required=True, metadata=about("Its number, from 1."))
    version = fields.Integer(required=True)
    seat = fields.Integer(required=True, metadata=about("Who raised it."))
    reason = fields.String(required=True)
    raised_by_version = fields.Integer(required=True)
    raised_at = fields.DateTime(required=True)
    lapses_at = fields.DateTime(required=True, metadata=about("Unless it is settled before, the version stands then."))
    arbiter = fields.String(required=True, allow_none=True, metadata=about("A player id."))
    looked = fields.Boolean(required=True, metadata=about("Whether the arbiter has looked at what is hidden."))
    proposal = fields.Nested(ProposalBody, required=True, allow_none=True)
    open = fields.Boolean(required=True)
    ruling = fields.String(required=True, allow_none=True, validate=validate.OneOf(RULINGS))
    ruling_reason = fields.String(required=True, allow_none=True)
    lapsed = fields.Boolean(required=True)


class DisputesBody(Schema):
    version = fields.Integer(required=True)
    disputes = fields.List(fields.Nested(DisputeBody), required=True)


class EvidenceBody(DisputeBody):
    report = fields.Nested(ReportBody, required=True)
    before = fields.Dict(required=True, allow_none=True)
    after = fields.Dict(required=True, allow_none=True)
