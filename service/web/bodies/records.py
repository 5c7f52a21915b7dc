"""Records: a match as one document, and imported records."""

from __future__ import annotations

from typing import Annotated, ClassVar

from service.integrity.imports import Loaded
from service.web.bodies.body import Body, Plain, Time, about, body, time
from service.web.bodies.history import ReplayRow
from service.web.bodies.outcomes import OutcomeBody, outcome_body


@body
class RecordLine(Body):
    version: int
    public: Annotated[str, about("The stored bytes of the public part, in hexadecimal.")]
    hash: str
    secrets: Annotated[
        list[list[str] | None],
        about("Salt and value of each secret, in hexadecimal; null for a secret that you may not know."),
    ]

    SENT_LAST: ClassVar[tuple[str, ...]] = ("hash", "public", "secrets", "version")


@body
class RecordBody(Body):
    """A record. ``docs/records.md`` and ``docs/record.schema.json`` specify the format."""

    entries: list[RecordLine]
    format: str
    game: str
    head: Annotated[str, about("The hash of the newest version.")]
    key: Annotated[str, about("The id of the signing key.")]
    match_id: str
    public_key: str
    rules: Annotated[int, about("The version of the game's rules.")]
    seed: Annotated[str | None, about("Null until the match has ended.")]
    sees: Annotated[str, about("The viewpoint whose secrets it holds: `all`, `spectator` or a seat.")]
    signature: Annotated[str, about("Ed25519 signature over the SHA-256 of all other fields.")]
    version: int


@body
class ImportedBody(Body):
    record_id: str
    match_id: str
    game: str
    rules_version: int
    version: int
    status: str
    seats: int
    outcome: OutcomeBody | None
    house: Annotated[str, about("`this` if a key of this server signed it, otherwise `unknown`.")]
    key: str
    rated: Annotated[bool, about("Always false.")]
    from_position: Annotated[bool, about("True if it started from a position instead of the deal of the game.")]
    imported_at: Time


@body
class WatchedBody(Body):
    version: int
    as_: str
    step: ReplayRow
    state: Plain | None
    to_move: list[int]
    outcome: OutcomeBody | None


def imported_body(found: Loaded) -> ImportedBody:
    """Returns what the API says about an imported record."""
    given, match = found.record, found.match
    return ImportedBody(
        record_id=found.id,
        match_id=given.match_id,
        game=given.game,
        rules_version=given.rules,
        version=given.version,
        status=match.status,
        seats=len(match.table.seats),
        outcome=outcome_body(match.outcome),
        house="this" if found.ours else "unknown",
        key=given.key,
        rated=False,
        from_position=match.table.from_position,
        imported_at=time(found.facts.at),
    )
