"""Records: a match as one document, and imported records, which can be replayed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from flask import Response, request

from domain.hidden import ALL
from domain.match import Match, Refused
from domain.rulebook import folded, game_of
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
from service.web.encoding import JSON_TYPE, address, raw_body, respond, respond_versioned, sent_type
from service.web.limits.limits import Kind
from service.web.limits.routes import LIMITED, limited
from service.web.schemas import Component

blueprint = Blueprint("records", __name__, description="Matches as signed documents that anybody can verify")

MAX_RECORD = 8 * 1024 * 1024
ID_CHARACTERS = 32
"""The length of a record's id: the first 128 bits of its SHA-256. Finding two records with one id takes about 2^64 tries."""


@blueprint.route("/matches/<match_id>/record")
@blueprint.response(200, RecordBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*SEEING, LIMITED)
@limited(Kind.EVIDENCE)
def record(match_id: str) -> Response:
    """Returns the match as a signed document with the secrets that you may know; after its end with all, and the seed."""
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
        "description": "A complete record, byte for byte as the server gave it.",
        "content": {JSON_TYPE: {"schema": Component(RecordBody)}},
    }
)
@blueprint.response(201, ImportedBody)
@blueprint.problems(
    *("unreadable", "body_too_slow", "body_too_large", "unsupported_type", "unauthenticated"),
    *("record_refused", "record_incomplete", "game_not_found"),
    LIMITED,
)
@limited(Kind.RECORDS)
def bring() -> Response:
    """Imports the record of an ended match for replay. It is never rated. Refused if anything in it does not verify."""
    by = caller()
    raw = raw_body(request.environ, MAX_RECORD)
    given = _read(raw, "json" if sent_type(request.environ) == JSON_TYPE else "msgpack")
    _check(given)
    text = canonical(given.plain)
    record_id = hashlib.sha256(text).hexdigest()[:ID_CHARACTERS]
    kept = service().records.put(Imported(record_id, text, service().matches.now(), by.player))
    location = address(f"/api/v1/records/{kept.id}")
    return respond(_facts(kept, given, _folded(given)), 201, {"Location": location})


def _read(raw: bytes, form: Form) -> Record:
    try:
        return read_record(raw, form)
    except RecordFormatError as fault:
        raise ProblemError("unreadable", f"This is not a record: {fault}.") from fault


def _check(given: Record) -> None:
    """Verifies a record. Raises ``ProblemError`` (404, 422), which names the first bad version. Linear in its length."""
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
    try:
        match = folded(given.match_id, game_of(service().games, given.entries[0]), given.entries)
        assert match is not None
        if match.node is not None:
            match.game.view(match.state)
    except Exception as fault:
        # A record by older rules is verified without deciding its commands again, so its events may make no sense.
        raise ProblemError(
            "record_refused", "The match was played by another version of the rules and cannot be replayed here."
        ) from fault
    return match


def _facts(kept: Imported, given: Record, match: Match) -> ImportedBody:
    ours = given.public_key.hex() in {key.public for key in service().signer.published}
    return imported_body(kept, given, match, "this" if ours else "unknown")


def _find(record_id: str) -> tuple[Imported, Record, Match]:
    """Returns an imported record. Raises ``ProblemError`` (404)."""
    well_formed = len(record_id) == ID_CHARACTERS and record_id.isascii() and record_id.isalnum()
    kept = service().records.get(record_id) if well_formed else None
    if kept is None:
        raise ProblemError("record_not_found")
    given = read_record(kept.raw)
    return kept, given, _folded(given)


WATCHING = ("record_not_found", "unreadable")


@blueprint.route("/records/<record_id>")
@blueprint.response(200, ImportedBody)
@blueprint.problems("record_not_found", LIMITED)
@limited(Kind.EVIDENCE)
def imported(record_id: str) -> Response:
    """Returns facts about an imported record: its match, the outcome, and whether a key of this server signed it."""
    return respond(_facts(*_find(record_id)))


@blueprint.route("/records/<record_id>/record")
@blueprint.response(200, RecordBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems("record_not_found", LIMITED)
@limited(Kind.EVIDENCE)
def document(record_id: str) -> Response:
    """Returns an imported record itself."""
    _stored, given, _match = _find(record_id)
    return respond_versioned(given.plain, given.version)


@blueprint.route("/records/<record_id>/replay")
@blueprint.arguments(ReplayQuery, location="query")
@blueprint.response(200, ReplayBody)
@blueprint.problems(*WATCHING, LIMITED)
@limited(Kind.EVIDENCE)
def watch(query: dict[str, Any], record_id: str) -> Response:
    """Lists the steps of an imported record, like those of a match. Players are named by their seats."""
    _stored, given, match = _find(record_id)
    path = Path(match)
    later = range(query["after"] + 1, match.version + 1)
    wanted = [number for number in later if query["mode"] == "played" or path.in_force(number)]
    versions = wanted[: query["limit"]]
    rows = [replay_row(step, path) for step in _steps(match, given, versions)]
    return respond(ReplayBody(version=match.version, steps=rows, more=len(wanted) > len(versions)))


def _steps(match: Match, given: Record, versions: Sequence[int]) -> list[steps.Step]:
    entries = [given.lines[version - 1].entry for version in versions]
    return steps.steps_of(match, entries, ALL, lambda _players: {})


@blueprint.route("/records/<record_id>/replay/<version>")
@blueprint.arguments(MomentQuery, location="query")
@blueprint.response(200, WatchedBody)
@blueprint.problems(*WATCHING, "version_not_found", "forbidden", LIMITED)
@limited(Kind.EVIDENCE)
def watch_version(query: dict[str, Any], record_id: str, version: str) -> Response:
    """Returns the match of an imported record right after a version, with all secrets or as one viewer saw it."""
    _stored, given, match = _find(record_id)
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
