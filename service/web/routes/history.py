"""The history of a match: its log, its replay, one version of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from flask import Response

from domain.hidden import Sees
from domain.match import Match, Refused
from domain.store import Entry
from replay.moment import Path, changes_at, moves_at
from replay.moment import moment as moment_at
from replay.record import paced
from replay.viewpoint import viewpoint_of
from service.problems import refusal
from service.web.actions import SEEING
from service.web.background import pause
from service.web.blueprint import Blueprint
from service.web.bodies.history import (
    LogBody,
    LogQuery,
    MomentBody,
    MomentQuery,
    ReplayBody,
    ReplayQuery,
    SeatMoves,
    log_row,
    replay_row,
)
from service.web.bodies.outcomes import outcome_body
from service.web.context import invite, service, steps, version_of, viewer
from service.web.encoding import respond_versioned

GAP = 50
"""To read so many more versions takes about as long as one more round trip."""

blueprint = Blueprint("history", __name__, description="Log and replay")


@blueprint.route("/matches/<match_id>/log")
@blueprint.arguments(LogQuery, location="query")
@blueprint.response(200, LogBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*SEEING, "unreadable")
def log(query: dict[str, Any], match_id: str) -> Response:
    """Lists the commits after a version, as you may see them, each with a sentence."""
    player = viewer()
    match = service().matches.current(match_id, player, invite())
    entries = service().matches.entries(match_id, query["after"], query["limit"])
    seen = steps(match, entries, match.sees(player))
    more = bool(seen) and seen[-1].version < match.version
    commits = [log_row(step, match.game_at(step.version)) for step in seen]
    return respond_versioned(LogBody(commits=commits, more=more), match.version)


@blueprint.route("/matches/<match_id>/replay")
@blueprint.arguments(ReplayQuery, location="query")
@blueprint.response(200, ReplayBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*SEEING, "unreadable")
def replay(query: dict[str, Any], match_id: str) -> Response:
    """Lists the steps of a match in order. `effective` leaves out what was undone, `played` marks it.

    With `until`, the replay is as it was at that version, without anything later.
    """
    player = viewer()
    match = service().matches.current(match_id, player, invite())
    end = match.version if query["until"] is None else min(query["until"], match.version)
    path = Path(match, end)
    rows, more = _listed(match, path, query, end)
    entries = _entries(match, rows)
    seen = steps(match, entries, match.sees(player))
    body = ReplayBody(
        version=match.version if query["until"] is None else None,
        steps=[replay_row(step, path) for step in seen],
        more=more,
    )
    return respond_versioned(body, end)


def _listed(match: Match, path: Path, query: dict[str, Any], end: int) -> tuple[Sequence[int], bool]:
    """Returns the versions of a page of the replay, and whether there are more."""
    later = paced(range(query["after"] + 1, end + 1), pause)
    wanted = later if query["mode"] == "played" else filter(path.in_force, later)
    found = list(islice(wanted, query["limit"] + 1))
    return found[: query["limit"]], len(found) > query["limit"]


def _entries(match: Match, versions: Sequence[int]) -> list[Entry]:
    if not versions:
        return []
    matches, found, chosen = service().matches, [], frozenset(versions)
    # Between two versions in force there may be thousands that were undone: those are not read.
    for first, last in _runs(versions):
        found += matches.entries(match.id, first - 1, last - first + 1)
    return [entry for entry in found if entry.version in chosen]


def _runs(versions: Sequence[int]) -> list[tuple[int, int]]:
    """Returns ranges that hold all these versions, and few others: a gap of up to ``GAP`` is read along."""
    runs: list[tuple[int, int]] = []
    for version in versions:
        if runs and version - runs[-1][1] <= GAP:
            runs[-1] = (runs[-1][0], version)
        else:
            runs.append((version, version))
    return runs


@blueprint.route("/matches/<match_id>/replay/<version>")
@blueprint.arguments(MomentQuery, location="query")
@blueprint.response(200, MomentBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*SEEING, "unreadable", "version_not_found", "forbidden")
def moment(query: dict[str, Any], match_id: str, version: str) -> Response:
    """Returns the match right after a version, from your own viewpoint or another one that you may use."""
    player = viewer()
    match = service().matches.current(match_id, player, invite())
    number = version_of(version, match.version)
    sees, shown = _viewpoint(query.get("viewer"), match, player)
    seen = moment_at(match, number, sees)
    (step,) = steps(match, service().matches.entries(match_id, number - 1, 1), sees)
    body = MomentBody(
        match_id=match.id,
        version=number,
        as_=shown,
        step=replay_row(step, Path(match)),
        state=seen.state,
        to_move=sorted(seen.to_move),
        moves=[SeatMoves(seat=seat, moves=moves) for seat, moves in moves_at(match, number, sees)],
        changes=list(changes_at(match, number, sees)),
        outcome=outcome_body(seen.outcome),
    )
    return respond_versioned(body, number)


def _viewpoint(asked: str | None, match: Match, player: str | None) -> tuple[Sees, str]:
    """Returns a viewpoint and its name. Raises ``ProblemError`` (403) for another seat's while the match is live."""
    found = viewpoint_of(match, asked, match.side_of(player))
    if isinstance(found, Refused):
        raise refusal(found)
    return found
