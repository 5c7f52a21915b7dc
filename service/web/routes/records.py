"""Records: a match as one document, and imported records, which can be replayed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from flask import Response, request

from domain.hidden import ALL, Sees
from domain.match import Match, Refused
from replay import steps
from replay.moment import Path, moment
from replay.record import FORMAT, Form, Record, RecordFormatError, paced, packed, sight_name
from replay.record import document as written_record
from replay.record import read as read_record
from replay.viewpoint import viewpoint_of
from service.integrity.imports import Loaded
from service.problems import ProblemError, refusal
from service.web.actions import SEEING
from service.web.background import pause
from service.web.blueprint import Blueprint
from service.web.bodies.history import MomentQuery, ReplayBody, ReplayQuery, ReplayRow, replay_row
from service.web.bodies.outcomes import outcome_body
from service.web.bodies.records import ImportedBody, RecordBody, WatchedBody, imported_body
from service.web.context import caller, invite, service, version_of, viewer
from service.web.encoding import (
    JSON_TYPE,
    accepted,
    address,
    raw_body,
    respond,
    respond_made,
    respond_versioned,
    sent_type,
)
from service.web.limits.limits import Kind
from service.web.limits.routes import limited
from service.web.schemas import Component

blueprint = Blueprint("records", __name__, description="Matches as signed documents that anybody can verify")

MAX_RECORD = 8 * 1024 * 1024
BYTES_A_COMMIT = 300
"""A commit takes about so many bytes of a record, or more."""


@blueprint.route("/matches/<match_id>/record")
@blueprint.response(200, RecordBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*SEEING)
@limited(Kind.EVIDENCE)
def record(match_id: str) -> Response:
    """Returns the match as a signed document with the secrets that you may know; after its end with all, and the seed."""
    parts, player = service(), viewer()
    match = parts.matches.current(match_id, player, invite())
    sees, form = match.sees(player), _form(accepted())
    # All that a record depends on, so a client that has it is told so without making it again.
    made_of = (FORMAT, match.id, match.head.hex(), str(match.ended), sight_name(sees), parts.signer.key_id, form)
    tag = hashlib.sha256(" ".join(made_of).encode()).hexdigest()[:16]
    return respond_made(f"{match.version}-{tag}", lambda: _written(match, sees, form, tag))


def _form(media_type: str) -> Form:
    return "json" if media_type == JSON_TYPE else "msgpack"


def _written(match: Match, sees: Sees, form: Form, tag: str) -> bytes:
    """Returns the record of a match in this form, made once for all who ask under the same tag."""
    parts = service()
    if (kept := parts.documents.get(tag)) is not None:
        return kept
    with parts.turns.turn(match.version):
        if (kept := parts.documents.get(tag)) is not None:
            return kept
        entries = parts.matches.entries(match.id, limit=match.version)
        made = written_record(match, entries, parts.matches.seed(match.id), sees, parts.signer, pause, form)
        parts.documents.put(tag, made)
    return made


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
    *("record_refused", "record_incomplete", "game_not_found", "too_many_records"),
)
@limited(Kind.RECORDS)
def bring() -> Response:
    """Imports the record of an ended match for replay. It is never rated. Refused if anything in it does not verify."""
    by, parts = caller(), service()
    raw = raw_body(request.environ, MAX_RECORD)
    with parts.turns.turn(len(raw) // BYTES_A_COMMIT):
        given = _read(raw, _form(sent_type(request.environ)))
        kept = parts.imports.bring(given, by.player, parts.matches.now())
    return respond(imported_body(kept), 201, {"Location": address(f"/api/v1/records/{kept.id}")})


def _read(raw: bytes, form: Form) -> Record:
    try:
        return read_record(raw, form, pause)
    except RecordFormatError as fault:
        raise ProblemError("unreadable", f"This is not a record: {fault}.") from fault


FINDING = ("record_not_found", "record_damaged")
WATCHING = (*FINDING, "unreadable")


@blueprint.route("/records/<record_id>")
@blueprint.response(200, ImportedBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*FINDING)
@limited(Kind.EVIDENCE)
def imported(record_id: str) -> Response:
    """Returns facts about an imported record: its match, the outcome, and whether a key of this server signed it."""
    found = service().imports.find(record_id)
    return respond_versioned(imported_body(found), found.record.version)


@blueprint.route("/records/<record_id>/record")
@blueprint.response(200, RecordBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*FINDING)
@limited(Kind.EVIDENCE)
def document(record_id: str) -> Response:
    """Returns an imported record itself."""
    found = service().imports.find(record_id)
    given, form = found.record, _form(accepted())
    tag = f"{given.version}-{found.digest}{'' if form == 'json' else '-m'}"
    return respond_made(tag, lambda: given.text if form == "json" else _packed(given, tag))


def _packed(given: Record, tag: str) -> bytes:
    documents = service().documents
    made = documents.get(tag)
    if made is None:
        made = packed(given.text, pause)
        documents.put(tag, made)
    return made


@blueprint.route("/records/<record_id>/replay")
@blueprint.arguments(ReplayQuery, location="query")
@blueprint.response(200, ReplayBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*WATCHING)
@limited(Kind.EVIDENCE)
def watch(query: dict[str, Any], record_id: str) -> Response:
    """Lists the steps of an imported record, like those of a match. Players are named by their seats."""
    found = service().imports.find(record_id)
    match, path = found.match, Path(found.match)
    later = paced(range(query["after"] + 1, match.version + 1), pause)
    wanted = later if query["mode"] == "played" else filter(path.in_force, later)
    versions = list(islice(wanted, query["limit"] + 1))
    rows = [_row(found, step, path) for step in _steps(found, versions[: query["limit"]])]
    body = ReplayBody(version=match.version, steps=rows, more=len(versions) > query["limit"])
    return respond_versioned(body, match.version)


def _steps(found: Loaded, versions: Sequence[int]) -> list[steps.Step]:
    entries = paced([found.record.entries[version - 1] for version in versions], pause)
    return steps.steps_of(found.match, entries, ALL, lambda _players: {})


def _row(found: Loaded, step: steps.Step, path: Path) -> ReplayRow:
    # Anybody can write a match under the ids of others and sign it with a key of his own.
    row = replay_row(step, path)
    return row if found.ours else replace(row, player_id=None)


@blueprint.route("/records/<record_id>/replay/<version>")
@blueprint.arguments(MomentQuery, location="query")
@blueprint.response(200, WatchedBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*WATCHING, "version_not_found", "forbidden")
@limited(Kind.EVIDENCE)
def watch_version(query: dict[str, Any], record_id: str, version: str) -> Response:
    """Returns the match of an imported record right after a version, with all secrets or as one viewer saw it."""
    found = service().imports.find(record_id)
    match = found.match
    number = version_of(version, match.version)
    viewpoint = viewpoint_of(match, query.get("viewer"), None)
    if isinstance(viewpoint, Refused):
        raise refusal(viewpoint)
    sees, shown = viewpoint
    (step,) = _steps(found, [number])
    seen = moment(match, number, sees)
    body = WatchedBody(
        version=number,
        as_=shown,
        step=_row(found, step, Path(match)),
        state=seen.state,
        to_move=sorted(seen.to_move),
        outcome=outcome_body(seen.outcome),
    )
    return respond_versioned(body, number)
