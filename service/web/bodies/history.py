"""The log and the replay of a match."""

from __future__ import annotations

from typing import Annotated

from marshmallow import Schema, fields, validate

from domain.game import AnyGame
from domain.match import Match
from replay.moment import Path
from replay.steps import Step
from service.web.bodies.body import Body, Plain, Time, about, body, time
from service.web.bodies.inputs import Digits, described
from service.web.bodies.outcomes import OutcomeBody, outcome_body
from service.web.bodies.views import event_data

MAX_PAGE = 500
PAGE = 100

# -- requests ---------------------------------------------------------------------------------------------------------


class LogQuery(Schema):
    after = Digits(load_default=0, validate=validate.Range(0, 2**53 - 1))
    limit = Digits(load_default=PAGE, validate=validate.Range(1, MAX_PAGE))


class ReplayQuery(LogQuery):
    mode = fields.String(load_default="effective", validate=validate.OneOf(("effective", "played")))
    until = Digits(
        load_default=None,
        validate=validate.Range(1, 2**53 - 1),
        metadata=described("Show the replay as it was at this version."),
    )


class MomentQuery(Schema):
    viewer = fields.String(
        data_key="as",
        metadata=described(
            "The viewpoint: `all`, `spectator` or a seat. By default your own while the match runs, `all` after its end.",
            pattern="^(all|spectator|[0-9])$",
        ),
    )


# -- responses --------------------------------------------------------------------------------------------------------


@body
class StepRow(Body):
    version: int
    at: Time
    kind: str
    seat: int | None
    player_id: str
    sentence: str


@body
class LogRow(StepRow):
    events: list[Plain]


@body
class LogBody(Body):
    commits: list[LogRow]
    more: bool


@body
class CommitEvent(LogRow):
    """A commit in a match's stream, with the seats to move and the outcome right after it."""

    to_move: list[int]
    outcome: OutcomeBody | None


@body
class ReplayRow(StepRow):
    player_id: Annotated[  # type: ignore[assignment]
        str | None,
        about("Null in an imported record that no key of this server signed: it proves nothing about accounts."),
    ]
    turn: Annotated[int, about("The number of moves that led here, this one included.")]
    in_force: bool
    branch: Annotated[int, about("0 for the first line of play, then one more for each undo.")]


@body
class ReplayBody(Body):
    version: Annotated[int | None, about("The newest version; left out with `until`.")] = None
    steps: list[ReplayRow]
    more: bool


@body
class SeatMoves(Body):
    seat: int
    moves: list[Plain]


@body
class MomentBody(Body):
    match_id: str
    version: int
    as_: str
    step: ReplayRow
    state: Plain | None
    to_move: list[int]
    moves: list[SeatMoves]
    changes: Annotated[list[Plain], about("JSON Patch from the state one version before; empty at version 1.")]
    outcome: OutcomeBody | None


def log_row(step: Step, game: AnyGame) -> LogRow:
    return LogRow(
        version=step.version,
        at=time(step.at),
        kind=step.kind,
        seat=step.seat,
        player_id=step.player,
        sentence=step.sentence,
        events=events_of(step, game),
    )


def events_of(step: Step, game: AnyGame) -> list[Plain]:
    return [event_data(game, happened) for happened in step.commit.events]


def commit_event(step: Step, match: Match) -> CommitEvent:
    return CommitEvent(
        version=step.version,
        at=time(step.at),
        kind=step.kind,
        seat=step.seat,
        player_id=step.player,
        sentence=step.sentence,
        events=events_of(step, match.game_at(step.version)),
        to_move=sorted(match.to_move_at(step.version)),
        outcome=outcome_body(match.outcome_at(step.version)),
    )


def replay_row(step: Step, path: Path) -> ReplayRow:
    turn, branch = path.place(step.version)
    return ReplayRow(
        version=step.version,
        at=time(step.at),
        kind=step.kind,
        seat=step.seat,
        player_id=step.player,
        sentence=step.sentence,
        turn=turn,
        in_force=path.in_force(step.version),
        branch=branch,
    )
