"""The shapes of the API's bodies and queries. What belongs to a game is derived from the game, not written here."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from domain.commands import UNDO_POLICIES

STATUSES = ("open", "live", "frozen", "finished", "void")
MAX_PAGE = 500
PAGE = 100


class Whole(fields.Integer):
    """An integer that is one in JSON too: not ``"3"``, ``3.0`` or ``true``."""

    def _validated(self, value: Any) -> Any:
        if type(value) is not int:
            raise self.make_error("invalid")
        return super()._validated(value)


class Digits(fields.Integer):
    """A whole number of a query: digits, and not what else Python takes for one."""

    def _validated(self, value: Any) -> Any:
        if not (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 16):
            raise self.make_error("invalid")
        return super()._validated(value)


class Flag(fields.Boolean):
    """``true`` or ``false`` and nothing that is merely like them."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


def _about(text: str, **more: Any) -> dict[str, Any]:
    return {"description": text} | more


def _entropy() -> fields.String:
    about = "Your own contribution to the match's chance: up to 64 printable ASCII characters."
    return fields.String(load_default="", validate=_printable, metadata=_about(about, pattern="^[!-~]{0,64}$"))


def _sentence(text: str) -> None:
    if len(text) > 200 or not text.isprintable():
        raise ValidationError("Must be up to 200 printable characters.")


def _printable(text: str) -> None:
    if len(text) > 64 or not all("!" <= character <= "~" for character in text):
        raise ValidationError("Must be up to 64 printable ASCII characters.")


# -- what is sent -----------------------------------------------------------------------------------------------------


class NewPlayer(Schema):
    name = fields.String(required=True, metadata=_about("1 to 40 characters."))


class NewMatch(Schema):
    game = fields.String(required=True, metadata=_about("A game of the catalogue."))
    seats = Whole(required=True, metadata=_about("How many seats."))
    options = fields.Dict(keys=fields.String(), load_default=dict, metadata=_about("See the catalogue."))
    undo = fields.String(load_default="consent", validate=validate.OneOf(UNDO_POLICIES))
    private = Flag(load_default=False, metadata=_about("Only who has the invite may know of it."))
    position = fields.Raw(
        load_default=None,
        allow_none=True,
        metadata=_about(
            "A full state to start from instead of the deal, as a finished match's replay shows it.",
            type="object",
        ),
    )
    arbiter = fields.String(
        load_default=None,
        allow_none=True,
        metadata=_about("The id of a player who rules on disputes and does not sit at the match."),
    )
    entropy = _entropy()


class TakeSeat(Schema):
    seat = Whole(load_default=None, allow_none=True, metadata=_about("The first free one if left out.", minimum=0))
    entropy = _entropy()


class MakeMove(Schema):
    move = fields.Raw(
        required=True,
        metadata=_about(
            "A move object of the game, as listed under moves.",
            type="object",
        ),
    )


class ReturnTo(Schema):
    to = Whole(
        load_default=None,
        allow_none=True,
        metadata=_about("A version: the match is as right after that commit. The usual one if left out.", minimum=1),
    )
    reason = fields.String(load_default="", validate=_sentence, metadata=_about("For those who are asked."))


class AnswerReturn(Schema):
    accept = Flag(required=True)
    block = Flag(load_default=False, metadata=_about("With the second refusal in a row: take no more such requests."))
    request = Whole(
        load_default=None,
        allow_none=True,
        metadata=_about("The version of the asking commit that you mean.", minimum=1),
    )


class NewFork(Schema):
    version = Whole(required=True, metadata=_about("The version to start from.", minimum=1))
    undo = fields.String(load_default="consent", validate=validate.OneOf(UNDO_POLICIES))
    private = Flag(
        load_default=None, allow_none=True, metadata=_about("As the match that it is forked from, if left out.")
    )
    entropy = _entropy()


class Nothing(Schema):
    """An empty body."""


# -- queries ----------------------------------------------------------------------------------------------------------


class LogQuery(Schema):
    after = Digits(load_default=0, validate=validate.Range(0, 2**53 - 1))
    limit = Digits(load_default=PAGE, validate=validate.Range(1, MAX_PAGE))


class ReplayQuery(LogQuery):
    mode = fields.String(load_default="effective", validate=validate.OneOf(("effective", "played")))
    until = Digits(
        load_default=None, validate=validate.Range(1, 2**53 - 1), metadata=_about("As the match stood at this version.")
    )


class MomentQuery(Schema):
    viewer = fields.String(
        data_key="as",
        metadata=_about(
            "`all`, `spectator` or a seat; your own sight while live, `all` after the end.",
            pattern="^(all|spectator|[0-9])$",
        ),
    )


class UndoQuery(Schema):
    to = Digits(load_default=None, allow_none=True, validate=validate.Range(0, 2**53 - 1))


# -- what is answered -------------------------------------------------------------------------------------------------


class ProblemBody(Schema):
    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True)
    detail = fields.String(required=True)
    rule = fields.String(metadata=_about("The number of the rule that refuses the move."))
    field = fields.String(metadata=_about("The field that is not as it should be."))
    version = fields.Integer(metadata=_about("The first bad version of a record."))
    fault = fields.String(metadata=_about("The kind of a record's fault, as `GET …/audit` names it."))


class PlayerMade(Schema):
    player_id = fields.String(required=True)
    name = fields.String(required=True)
    token = fields.String(required=True, metadata=_about("Shown this once. Send it as Authorization: Bearer."))


class Seat(Schema):
    seat = fields.Integer(required=True)
    player_id = fields.String(required=True, allow_none=True)
    name = fields.String(required=True, allow_none=True)


class OutcomeBody(Schema):
    winners = fields.List(fields.Integer(), required=True)
    scores = fields.List(fields.Integer(), required=True, metadata=_about("One a seat; empty where none are kept."))
    reason = fields.String(required=True)
    rule = fields.String(required=True, allow_none=True)


class MatchRow(Schema):
    match_id = fields.String(required=True)
    game = fields.String(required=True)
    version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    private = fields.Boolean(required=True)
    host = fields.String(required=True, metadata=_about("A player id."))
    seats = fields.List(fields.Nested(Seat), required=True)
    to_move = fields.List(fields.Integer(), required=True)
    opened_at = fields.DateTime(required=True)
    changed_at = fields.DateTime(required=True)


class UndoBody(Schema):
    verdict = fields.String(required=True, validate=validate.OneOf(("free", "consent", "refused")))
    reason = fields.String(required=True)
    to = fields.Integer(required=True, allow_none=True, metadata=_about("The version it would return to."))
    asks = fields.List(fields.Integer(), required=True, metadata=_about("The seats whose consent is needed."))


class UndoneRow(Schema):
    version = fields.Integer(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    sentence = fields.String(required=True)


class LearnedRow(Schema):
    seat = fields.Integer(required=True)
    version = fields.Integer(required=True)
    sentence = fields.String(required=True)


class UndoPreview(UndoBody):
    version = fields.Integer(required=True)
    undone = fields.List(
        fields.Nested(UndoneRow), required=True, metadata=_about("The moves that would go out of force.")
    )
    learned = fields.List(
        fields.Nested(LearnedRow), required=True, metadata=_about("Who keeps knowing what, told as you may know it.")
    )


class RequestBody(Schema):
    version = fields.Integer(required=True, metadata=_about("Of the commit that asks."))
    seat = fields.Integer(required=True)
    direction = fields.String(required=True, validate=validate.OneOf(("undo", "redo")))
    to = fields.Integer(required=True)
    asks = fields.List(fields.Integer(), required=True, metadata=_about("The seats that have still to accept."))
    accepted = fields.List(fields.Integer(), required=True)
    reason = fields.String(required=True)


class OriginBody(Schema):
    match = fields.String(required=True)
    version = fields.Integer(required=True)


class MatchBody(MatchRow):
    options = fields.Dict(required=True)
    rated = fields.Boolean(required=True)
    arbiter = fields.String(required=True, allow_none=True, metadata=_about("Who rules on disputes: a player id."))
    dispute = fields.Integer(required=True, allow_none=True, metadata=_about("The number of the open dispute."))
    undo_policy = fields.String(required=True, validate=validate.OneOf(UNDO_POLICIES))
    your_seat = fields.Integer(required=True, allow_none=True)
    state = fields.Dict(required=True, allow_none=True, metadata=_about("As you may see it; null before the start."))
    outcome = fields.Nested(OutcomeBody, required=True, allow_none=True)
    undo = fields.Nested(
        UndoBody, required=True, allow_none=True, metadata=_about("Of your newest move; null if none.")
    )
    request = fields.Nested(
        RequestBody, required=True, allow_none=True, metadata=_about("The return that is asked for.")
    )
    origin = fields.Nested(OriginBody, required=True, allow_none=True, metadata=_about("What it was forked from."))


class Receipt(Schema):
    match = fields.String(required=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True, metadata=_about("The hash of this commit, in hexadecimal."))
    key = fields.String(required=True)
    signature = fields.String(required=True, metadata=_about("Ed25519, in hexadecimal."))


class Accepted(Schema):
    match_id = fields.String(required=True)
    version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    events = fields.List(fields.Dict(), required=True)
    state = fields.Dict(required=True, allow_none=True)
    to_move = fields.List(fields.Integer(), required=True)
    outcome = fields.Nested(OutcomeBody, required=True, allow_none=True)
    receipt = fields.Nested(Receipt, required=True)
    invite = fields.String(metadata=_about("Of a new private match: what lets others in. Send it as Foldtable-Invite."))


class MovesBody(Schema):
    version = fields.Integer(required=True)
    moves = fields.List(fields.Dict(), required=True)


class StepRow(Schema):
    version = fields.Integer(required=True)
    at = fields.DateTime(required=True)
    kind = fields.String(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    player_id = fields.String(required=True)
    sentence = fields.String(required=True)


class LogRow(StepRow):
    events = fields.List(fields.Dict(), required=True)


class LogBody(Schema):
    commits = fields.List(fields.Nested(LogRow), required=True)
    more = fields.Boolean(required=True)


class ReplayRow(StepRow):
    turn = fields.Integer(required=True, metadata=_about("How many moves led here, this one included."))
    in_force = fields.Boolean(required=True)
    branch = fields.Integer(required=True, metadata=_about("0 for what was played first, then one more for each undo."))


class ReplayBody(Schema):
    version = fields.Integer(metadata=_about("The newest there is; not told with `until`."))
    steps = fields.List(fields.Nested(ReplayRow), required=True)
    more = fields.Boolean(required=True)


class SeatMoves(Schema):
    seat = fields.Integer(required=True)
    moves = fields.List(fields.Dict(), required=True)


class MomentBody(Schema):
    match_id = fields.String(required=True)
    version = fields.Integer(required=True)
    viewer = fields.String(required=True, data_key="as")
    step = fields.Nested(ReplayRow, required=True)
    state = fields.Dict(required=True, allow_none=True)
    to_move = fields.List(fields.Integer(), required=True)
    moves = fields.List(fields.Nested(SeatMoves), required=True)
    changes = fields.List(
        fields.Dict(),
        required=True,
        metadata=_about("JSON Patch from the state one version before; empty at the first."),
    )
    outcome = fields.Nested(OutcomeBody, required=True, allow_none=True)


class GameRow(Schema):
    game = fields.String(required=True)
    name = fields.String(required=True)
    version = fields.Integer(required=True, metadata=_about("Of its rules."))
    seats = fields.Dict(required=True)
    options = fields.Dict(required=True, metadata=_about("JSON Schema."))


class GamesBody(Schema):
    games = fields.List(fields.Nested(GameRow), required=True)


class GameBody(GameRow):
    moves = fields.Dict(required=True, metadata=_about("Move type to JSON Schema."))
    rules = fields.List(fields.Dict(), required=True, metadata=_about("Number, text and basis of each."))
    positions = fields.Dict(required=True, metadata=_about("Examples to start from."))


class ProblemPage(Schema):
    type = fields.String(required=True)
    code = fields.String(required=True)
    status = fields.Integer(required=True)
    title = fields.String(required=True)


class ProblemsBody(Schema):
    problems = fields.List(fields.Nested(ProblemPage), required=True)


class Health(Schema):
    status = fields.String(required=True)
