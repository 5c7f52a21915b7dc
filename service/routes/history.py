"""Reading what happened: log, replay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response

from domain import wire
from domain.hidden import ALL, NOBODY, Sees
from domain.match import Match
from domain.store import Entry
from replay import steps
from service import answers
from service.api import Blueprint, invite, service, viewer
from service.bodies import respond_versioned
from service.errors import Problem
from service.routes.matches import names
from service.schemas import LogBody, LogQuery, MomentBody, MomentQuery, ReplayBody, ReplayQuery

blueprint = Blueprint("history", __name__, description="Log and replay")

SEEING = ("unauthenticated", "match_not_found", "log_damaged")


def _steps(match: Match, entries: Sequence[Entry], sees: Sees) -> list[steps.Step]:
    """Stored entries, of versions that the match has, as steps that ``sees`` may see."""
    narrator = steps.Narrator(match.game, names(match))
    seats = [None if seated is None else seated.player for seated in match.table.seats]
    commits = [wire.decode(match.game, entry, sees) for entry in entries if entry.version <= match.version]
    return [narrator.step(commit, seats) for commit in commits]


@blueprint.route("/matches/<match_id>/log")
@blueprint.arguments(LogQuery, location="query")
@blueprint.response(200, LogBody)
@blueprint.alt_response(304, description="It is still what your ETag names")
@blueprint.problems(*SEEING, "unreadable")
def log(query: dict[str, Any], match_id: str) -> Response:
    """The commits behind a version, as you may see them, each with a sentence."""
    player = viewer()
    match = service().matches.current(match_id, player, invite())
    entries = service().matches.entries(match_id, query["after"], query["limit"])
    told = _steps(match, entries, match.sees(player))
    more = bool(told) and told[-1].version < match.version
    commits = [answers.logged(step, match.game) for step in told]
    return respond_versioned({"commits": commits, "more": more}, match.version)


@blueprint.route("/matches/<match_id>/replay")
@blueprint.arguments(ReplayQuery, location="query")
@blueprint.response(200, ReplayBody)
@blueprint.alt_response(304, description="It is still what your ETag names")
@blueprint.problems(*SEEING, "unreadable")
def replay(query: dict[str, Any], match_id: str) -> Response:
    """The steps of the match in order. ``effective`` leaves out what was undone, ``played`` marks it."""
    player = viewer()
    match = service().matches.current(match_id, player, invite())
    path = steps.Path(match)
    wanted = [v for v in range(query["after"] + 1, match.version + 1) if query["mode"] == "played" or path.in_force(v)]
    versions, more = answers.page(wanted, query["limit"])
    rows = []
    if versions:
        entries = service().matches.entries(match_id, versions[0] - 1, versions[-1] - versions[0] + 1)
        chosen = set(versions)
        told = _steps(match, [entry for entry in entries if entry.version in chosen], match.sees(player))
        rows = [answers.replayed(step, path) for step in told]
    return respond_versioned({"version": match.version, "steps": rows, "more": more}, match.version)


@blueprint.route("/matches/<match_id>/replay/<version>")
@blueprint.arguments(MomentQuery, location="query")
@blueprint.response(200, MomentBody)
@blueprint.alt_response(304, description="It is still what your ETag names")
@blueprint.problems(*SEEING, "unreadable", "version_not_found", "forbidden")
def moment(query: dict[str, Any], match_id: str, version: str) -> Response:
    """The match as it stood right after a version, as you, or whom you may look over the shoulder of, saw it."""
    player = viewer()
    match = service().matches.current(match_id, player, invite())
    number = version_of(version, match)
    sees, shown = _sight(query.get("viewer"), match, player)
    node = match.node_at(number)
    full = None if node is None else node.state
    to_move = match.to_move_at(number)
    (step,) = _steps(match, service().matches.entries(match_id, number - 1, 1), sees)
    watched = to_move if sees is ALL else sees
    body = {
        "match_id": match.id,
        "version": number,
        "as": shown,
        "step": answers.replayed(step, steps.Path(match)),
        "state": answers.state(match.game, full, sees),
        "to_move": sorted(to_move),
        "moves": answers.moves_by_seat(match.game, full, to_move, watched),
        "outcome": answers.outcome(match.outcome_at(number)),
    }
    return respond_versioned(body, match.version)


def version_of(version: str, match: Match) -> int:
    """The version that a path names. Raises ``Problem`` (404)."""
    if not (version.isascii() and version.isdigit() and len(version) < 16 and 1 <= int(version) <= match.version):
        raise Problem("version_not_found", f"The match has versions 1 to {match.version}.")
    return int(version)


def _sight(asked: str | None, match: Match, player: str | None) -> tuple[Sees, str]:
    """What may be seen under the name that was asked for. Raises ``Problem`` (403) for what others know of a live match."""
    own = match.table.seat_of(player)
    if asked is None:
        asked = "all" if match.ended else "spectator" if own is None else str(own)
    if asked == "spectator":
        return NOBODY, asked
    if asked == "all" and match.ended:
        return ALL, asked
    seats = range(len(match.table.seats))
    if asked != "all" and asked not in {str(seat) for seat in seats}:
        raise Problem("unreadable", f"as is all, spectator or a seat from 0 to {len(seats) - 1}.", field="as")
    if asked == "all" or not (match.ended or int(asked) == own):
        raise Problem("forbidden", "While the match runs you see your own seat's side only.")
    return frozenset({int(asked)}), asked
