"""Reading what happened: log, replay."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from flask import Response

from domain import wire
from domain.hidden import ALL, Sees
from domain.match import Match, Refused
from domain.store import Entry
from replay import steps
from replay.changes import changes
from replay.viewpoint import sight
from service.problems import Problem, refusal
from service.web.blueprint import Blueprint, invite, service, viewer
from service.web.bodies import matches as answers
from service.web.bodies.schemas import LogBody, LogQuery, MomentBody, MomentQuery, ReplayBody, ReplayQuery
from service.web.encoding import respond_versioned

blueprint = Blueprint("history", __name__, description="Log and replay")

SEEING = ("unauthenticated", "match_not_found", "archived", "log_damaged")


def steps_of(match: Match, entries: Sequence[Entry], sees: Sees) -> list[steps.Step]:
    """Stored entries, of versions that the match has, as steps that ``sees`` may see."""
    seats = [None if seated is None else seated.player for seated in match.table.seats]
    commits = [wire.decode(match.game, entry, sees) for entry in entries if entry.version <= match.version]
    # Also of those who are not at the table: they left before the start, or forked the match.
    acting = {commit.player for commit in commits}
    narrator = steps.Narrator(match.game, service().names.of(sorted(acting.union(filter(None, seats)))))
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
    told = steps_of(match, entries, match.sees(player))
    more = bool(told) and told[-1].version < match.version
    commits = [answers.logged(step, match.game) for step in told]
    return respond_versioned({"commits": commits, "more": more}, match.version)


@blueprint.route("/matches/<match_id>/replay")
@blueprint.arguments(ReplayQuery, location="query")
@blueprint.response(200, ReplayBody)
@blueprint.alt_response(304, description="It is still what your ETag names")
@blueprint.problems(*SEEING, "unreadable")
def replay(query: dict[str, Any], match_id: str) -> Response:
    """The steps of the match in order. ``effective`` leaves out what was undone, ``played`` marks it.

    With ``until`` it is told as the match stood at that version, and nothing of what came later.
    """
    player = viewer()
    match = service().matches.current(match_id, player, invite())
    end = match.version if query["until"] is None else min(query["until"], match.version)
    path = steps.Path(match, end)
    rows, more = _listed(match, path, query, end)
    entries = _entries(match, rows)
    body: dict[str, Any] = {"version": match.version} if query["until"] is None else {}
    told = steps_of(match, entries, match.sees(player))
    return respond_versioned(body | {"steps": [answers.replayed(step, path) for step in told], "more": more}, end)


def _listed(match: Match, path: steps.Path, query: dict[str, Any], end: int) -> tuple[Sequence[int], bool]:
    """The versions of a page of the replay, and whether there are more."""
    behind = range(query["after"] + 1, end + 1)
    wanted = behind if query["mode"] == "played" else filter(path.in_force, behind)
    return answers.page(list(islice(wanted, query["limit"] + 1)), query["limit"])


def _entries(match: Match, versions: Sequence[int]) -> list[Entry]:
    if not versions:
        return []
    first, last = versions[0], versions[-1]
    chosen = frozenset(versions)
    return [e for e in service().matches.entries(match.id, first - 1, last - first + 1) if e.version in chosen]


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
    full, state = _state(match, number, sees)
    _full, before = _state(match, number - 1, sees)
    to_move = match.to_move_at(number)
    (step,) = steps_of(match, service().matches.entries(match_id, number - 1, 1), sees)
    watched = to_move if sees is ALL else sees
    body = {
        "match_id": match.id,
        "version": number,
        "as": shown,
        "step": answers.replayed(step, steps.Path(match)),
        "state": state,
        "to_move": sorted(to_move),
        "moves": answers.moves_by_seat(match.game, full, to_move, watched),
        "changes": [] if before is None else list(changes(before, state)),
        "outcome": answers.outcome(match.outcome_at(number)),
    }
    return respond_versioned(body, number)


def _state(match: Match, version: int, sees: Sees) -> tuple[Any, dict[str, Any] | None]:
    """The full state at a version, and the body in which these seats see it; ``None`` before the start of play."""
    node = match.node_at(version)
    full = None if node is None else node.state
    return full, answers.state(match.game, full, sees)


def version_of(version: str, match: Match) -> int:
    """The version that a path names. Raises ``Problem`` (404)."""
    return numbered(version, match.version)


def numbered(version: str, newest: int) -> int:
    """The version that a path names, of those up to the newest. Raises ``Problem`` (404)."""
    if not (version.isascii() and version.isdigit() and len(version) < 16 and 1 <= int(version) <= newest):
        raise Problem("version_not_found", f"The match has versions 1 to {newest}.")
    return int(version)


def _sight(asked: str | None, match: Match, player: str | None) -> tuple[Sees, str]:
    """What may be seen under the name that was asked for. Raises ``Problem`` (403) for what others know of a live match."""
    found = sight(match, asked, match.table.seat_of(player))
    if isinstance(found, Refused):
        raise refusal(found)
    return found
