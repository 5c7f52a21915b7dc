"""Players: creating and deleting an account, a player's ratings and history."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from marshmallow import Schema, ValidationError, fields, validate

from domain.match import Status
from domain.players import is_bot, level_of
from domain.rating import WhyUnrated
from projections.projection import Row
from service.players.accounts import Issued
from service.ports.players import Account
from service.web.bodies.body import Body, Time, about, body, maybe_time, time
from service.web.bodies.inputs import described
from service.web.bodies.leaderboards import RatingBody
from service.web.bodies.lobby import STATUSES
from service.web.bodies.matches import Seat
from service.web.bodies.pages import KnownBody, PageBody, PageQuery

# -- requests ---------------------------------------------------------------------------------------------------------


NAME = (
    "1 to 40 letters, digits, symbols, spaces, dashes and apostrophes. No two accounts have names that look the same, "
    "or differ in case only."
)
LABEL = 40


def _label(text: str) -> None:
    if len(text) > LABEL or not (text.isprintable() and text == text.strip()):
        raise ValidationError(f"Must be up to {LABEL} printable characters, without spaces around.")


class NewPlayer(Schema):
    name = fields.String(required=True, metadata=described(NAME))


class Rename(Schema):
    name = fields.String(required=True, metadata=described(NAME))


class NewToken(Schema):
    label = fields.String(
        load_default="",
        validate=_label,
        metadata=described("Tells the token from your others, such as `phone`: up to 40 characters.", maxLength=LABEL),
    )


class Recovery(Schema):
    code = fields.String(
        required=True, metadata=described("The recovery code. Case, spaces and hyphens do not matter.")
    )
    revoke = fields.List(
        fields.String(),
        load_default=None,
        allow_none=True,
        metadata=described("The ids of the tokens to revoke; all of them if left out."),
    )


class HistoryQuery(PageQuery):
    status = fields.String(validate=validate.OneOf(STATUSES))
    game = fields.String()


TOKEN = "Shown only once. Send it as `Authorization: Bearer <token>`."
CODE = "Shown only once. Keep it apart from the token: it is the way back into the account if all tokens are lost."

# -- responses --------------------------------------------------------------------------------------------------------


@body
class PlayerMade(Body):
    player_id: str
    name: str
    token: Annotated[str, about(TOKEN)]
    recovery_code: Annotated[str, about(CODE)]


@body
class AccountBody(Body):
    player_id: str
    name: str
    created_at: Time
    recovery_code_at: Annotated[Time | None, about("The time at which the recovery code was made; null without one.")]


@body
class TokenBody(Body):
    token_id: Annotated[str, about("Names the token. It is not the token itself.")]
    label: str
    created_at: Time
    current: Annotated[bool, about("True for the token of this request.")]


@body
class TokensBody(Body):
    tokens: list[TokenBody]


@body
class TokenMade(Body):
    player_id: str
    name: str
    token_id: str
    label: str
    token: Annotated[str, about(TOKEN)]


@body
class TokenRevoked(Body):
    token_id: str


@body
class CodeMade(Body):
    recovery_code: Annotated[str, about(CODE)]


@body
class Forgotten(Body):
    player_id: Annotated[str, about("The id stays in the log, which holds no names.")]


@body
class PlayerBody(KnownBody):
    player_id: str
    name: Annotated[str | None, about("Null if the account was deleted.")]
    ratings: list[RatingBody]


@body
class AskedBody(Body):
    asked: int
    granted: int
    declined: int
    free: Annotated[int, about("Undone without having to ask.")]


@body
class PlayedSeat(Seat):
    result: Literal["won", "lost"] | None
    score: int | None
    undo: AskedBody

    SENT_LAST: ClassVar[tuple[str, ...]] = ("name", "bot", "retired")


@body
class PlayedMatch(Body):
    match_id: str
    game: str
    version: int
    status: Status
    private: bool
    rated: bool
    unrated_because: Annotated[WhyUnrated | None, about("Why its result counts for no rating; null if it counts.")]
    from_position: Annotated[bool, about("True if it started from a position instead of the deal of the game.")]
    started_at: Time
    ended_at: Time | None
    turns: int
    reason: Annotated[str | None, about("The reason why the match ended.")]
    seats: list[PlayedSeat]


@body
class HistoryBody(PageBody):
    matches: list[PlayedMatch]


def account_body(account: Account) -> AccountBody:
    return AccountBody(
        player_id=account.player.id,
        name=account.player.name,
        created_at=time(account.player.at),
        recovery_code_at=maybe_time(None if account.recovery is None else account.recovery.at),
    )


def tokens_body(account: Account, current: str) -> TokensBody:
    """Returns the tokens of an account. ``current`` is the id of the one that the request carries."""
    rows = [
        TokenBody(token_id=row.id, label=row.label, created_at=time(row.at), current=row.id == current)
        for row in account.tokens
    ]
    return TokensBody(tokens=rows)


def token_made(issued: Issued) -> TokenMade:
    player, record = issued.player, issued.record
    return TokenMade(player_id=player.id, name=player.name, token_id=record.id, label=record.label, token=issued.token)


def played_match(row: Row, names: Mapping[str, str]) -> PlayedMatch:
    """Returns a match as a player's history shows it. Names are looked up, never stored in a row."""
    return PlayedMatch(
        match_id=row["match_id"],
        game=row["game"],
        version=row["version"],
        status=row["status"],
        private=row["private"],
        rated=row["unrated"] is None,
        unrated_because=row["unrated"],
        from_position=row["from_position"],
        started_at=time(row["started_at"]),
        ended_at=maybe_time(row["ended_at"]),
        turns=row["turns"],
        reason=row["reason"],
        seats=[_played_seat(seat, names) for seat in row["seats"]],
    )


def _played_seat(row: Mapping[str, Any], names: Mapping[str, str]) -> PlayedSeat:
    undo = row["undo"]
    return PlayedSeat(
        seat=row["seat"],
        player_id=row["player_id"],
        name=names.get(row["player_id"] or ""),
        bot=level_of(row["player_id"]) if is_bot(row["player_id"] or "") else None,
        retired=row["retired"],
        result=row["result"],
        score=row["score"],
        undo=AskedBody(asked=undo["asked"], granted=undo["granted"], declined=undo["declined"], free=undo["free"]),
    )
