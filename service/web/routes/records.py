"""Records: a match as one document to keep, and records brought in to be watched."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from flask import Response, request

from domain import wire
from domain.hidden import ALL
from domain.match import Match, Refused, fold
from replay import steps
from replay.audit import Fault
from replay.moment import Path, moment
from replay.record import Form, Record, RecordFormatError, canonical, message, unsigned
from replay.record import read as read_record
from replay.viewpoint import viewpoint_of
from service.integrity.records import UnknownGameError, verify_signed_record
from service.ports import Imported
from service.problems import ProblemError, refusal
from service.web.actions import SEEING
from service.web.background import pause
from service.web.blueprint import Blueprint
from service.web.bodies.history import MomentQuery, ReplayBody, ReplayQuery, replay_row
from service.web.bodies.outcomes import outcome_body
from service.web.bodies.records import ImportedBody, RecordBody, WatchedBody, imported_body, record_body
from service.web.context import caller, invite, service, version_of, viewer
from service.web.encoding import JSON_TYPE, raw_body, respond, respond_versioned, sent_type
from service.web.schemas import Component

blueprint = Blueprint("records", __name__, description="Matches as documents that anybody can verify")

MAX_RECORD = 8 * 1024 * 1024
ID_CHARACTERS = 32
"""Of the record's SHA-256 in hexadecimal: enough that nobody finds two records with the same."""


@blueprint.route("/matches/<match_id>/record")
@blueprint.response(200, RecordBody)
@blueprint.alt_response(304, description="It is still what your ETag names")
@blueprint.problems(*SEEING)
def record(match_id: str) -> Response:
    """The match as a signed document, with the secrets that are yours; all of them, and the seed, once it has ended."""
    parts, player = service(), viewer()
    match = parts.matches.current(match_id, player, invite())
    entries = parts.matches.entries(match_id, limit=match.version)
    signer, seed = parts.signer, parts.matches.seed(match_id)
    plain = unsigned(match, entries, seed, match.sees(player), signer.key_id, signer.public)
    return respond_versioned(record_body(plain, signer.sign(message(plain))), match.version)


@blueprint.route("/records", methods=["POST"])
@blueprint.doc(
    requestBody={
        "required": True,
        "description": "A complete record, byte for byte as it was given out.",
        "content": {JSON_TYPE: {"schema": Component(RecordBody)}},
    }
)
@blueprint.response(201, ImportedBody)
@blueprint.problems(
    *("unreadable", "body_too_large", "unsupported_type", "unauthenticated"),
    *("record_refused", "record_incomplete", "game_not_found"),
)
def bring() -> Response:
    """Takes in the record of an ended match, to be watched; it is rated nowhere. Refused if anything does not verify."""
    by = caller()
    raw = raw_body(request.environ, MAX_RECORD)
    given = _read(raw, "json" if sent_type(request.environ) == JSON_TYPE else "msgpack")
    _check(given)
    text = canonical(given.plain)
    made = Imported(hashlib.sha256(text).hexdigest()[:ID_CHARACTERS], text, service().matches.now(), by.player)
    kept = service().records.put(made)
    where = f"/api/v1/records/{kept.id}"
    return respond(_told(kept, given, _folded(given)), 201, {"Location": where})


def _read(raw: bytes, form: Form) -> Record:
    try:
        return read_record(raw, form)
    except RecordFormatError as fault:
        raise ProblemError("unreadable", f"This is not a record: {fault}.") from fault


def _check(given: Record) -> None:
    """Raises ``ProblemError`` (404, 422), naming the first bad version, if anything about the record does not hold."""
    if given.seed is None:
        raise ProblemError("record_incomplete")
    try:
        fault: Fault | None = verify_signed_record(given, service().games, pause=pause).fault
    except UnknownGameError as unknown:
        raise ProblemError("game_not_found", f"The game {str(unknown)[:60]} is not known here.") from unknown
    if fault is not None:
        where = "The record" if fault.version is None else f"Version {fault.version}"
        detail = f"{where} ({fault.kind}): {fault.message}"
        raise ProblemError("record_refused", detail, version=fault.version, fault=fault.kind)


def _folded(given: Record) -> Match:
    """Folds the match of a record that has been verified."""
    game = service().game(given.game)
    try:
        match = fold(given.match_id, game, (wire.decode(game, entry) for entry in given.entries))
        assert match is not None
        if match.node is not None:
            game.view(match.state)
    except Exception as fault:
        # Under older rules nothing was decided again, so nobody knows yet whether its events make sense.
        raise ProblemError("record_refused", "It was played by other rules and cannot be followed here.") from fault
    return match


def _told(kept: Imported, given: Record, match: Match) -> ImportedBody:
    ours = given.public_key.hex() in {key.public for key in service().signer.published}
    return imported_body(kept, given, match, "this" if ours else "unknown")


def _kept(record_id: str) -> tuple[Imported, Record, Match]:
    """An imported record. Raises ``ProblemError`` (404)."""
    well_formed = len(record_id) == ID_CHARACTERS and record_id.isascii() and record_id.isalnum()
    kept = service().records.get(record_id) if well_formed else None
    if kept is None:
        raise ProblemError("record_not_found")
    given = read_record(kept.raw)
    return kept, given, _folded(given)


WATCHING = ("record_not_found", "unreadable")


@blueprint.route("/records/<record_id>")
@blueprint.response(200, ImportedBody)
@blueprint.problems("record_not_found")
def imported(record_id: str) -> Response:
    """Shows an imported record: its match, how it ended, and whether a key of this server signed it."""
    return respond(_told(*_kept(record_id)))


@blueprint.route("/records/<record_id>/record")
@blueprint.response(200, RecordBody)
@blueprint.alt_response(304, description="It is still what your ETag names")
@blueprint.problems("record_not_found")
def document(record_id: str) -> Response:
    """The record itself, as it was brought in."""
    _kept_as, given, _match = _kept(record_id)
    return respond_versioned(given.plain, given.version)


@blueprint.route("/records/<record_id>/replay")
@blueprint.arguments(ReplayQuery, location="query")
@blueprint.response(200, ReplayBody)
@blueprint.problems(*WATCHING)
def watch(query: dict[str, Any], record_id: str) -> Response:
    """The steps of a record, as those of a match; players are called by their seats."""
    _kept_as, given, match = _kept(record_id)
    path = Path(match)
    behind = range(query["after"] + 1, match.version + 1)
    wanted = [number for number in behind if query["mode"] == "played" or path.in_force(number)]
    versions = wanted[: query["limit"]]
    rows = [replay_row(step, path) for step in _steps(match, given, versions)]
    return respond(ReplayBody(version=match.version, steps=rows, more=len(wanted) > len(versions)))


def _steps(match: Match, given: Record, versions: Sequence[int]) -> list[steps.Step]:
    entries = [given.lines[version - 1].entry for version in versions]
    return steps.steps_of(match, entries, ALL, lambda _players: {})


@blueprint.route("/records/<record_id>/replay/<version>")
@blueprint.arguments(MomentQuery, location="query")
@blueprint.response(200, WatchedBody)
@blueprint.problems(*WATCHING, "version_not_found", "forbidden")
def watch_version(query: dict[str, Any], record_id: str, version: str) -> Response:
    """A record's match as it stood right after a version, for everybody's eyes or as one seat saw it."""
    _kept_as, given, match = _kept(record_id)
    number = version_of(version, match.version)
    found = viewpoint_of(match, query.get("viewer"), None)
    if isinstance(found, Refused):
        raise refusal(found)
    sees, shown = found
    (step,) = _steps(match, given, [number])
    seen = moment(match, number, sees)
    return respond(
        WatchedBody(
            version=number,
            as_=shown,
            step=replay_row(step, Path(match)),
            state=seen.state,
            to_move=sorted(seen.to_move),
            outcome=outcome_body(seen.outcome),
        )
    )
