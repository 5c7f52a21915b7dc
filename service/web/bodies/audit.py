"""The audit of a whole log, and the explanation of a move."""

from __future__ import annotations

from typing import Annotated, Any

from marshmallow import Schema, fields

from domain.game import AnyGame
from domain.match import Match
from domain.store import Stored
from replay import report
from service.integrity.audit import Audited
from service.web.bodies.body import Body, Plain, about, body
from service.web.bodies.inputs import Whole, described
from service.web.bodies.report import CitedRule, cited

# -- the audit of a whole log -----------------------------------------------------------------------------------------


@body
class AuditBody(Body):
    match_id: str
    ok: Annotated[bool, about("True only if there is no fault and no alarm, and every command was decided again.")]
    version: Annotated[int, about("The number of versions in the log.")]
    head: str | None
    seed_commitment: str | None
    seed: Annotated[str | None, about("Null until the match has ended.")]
    decided_again: Annotated[
        bool,
        about("True if every command was decided again; false where rules that decided it are not installed here."),
    ]
    first_bad_version: int | None
    fault: str | None
    message: str
    quarantined: Annotated[bool, about("True while the match takes no actions because damage was found.")]
    alarm: Annotated[
        str | None,
        about("What the log does not bear out, although this server has signed it: a receipt that somebody has shown."),
    ]


def audit_body(
    match_id: str, match: Match | None, stored: Stored, found: Audited, alarm: str | None = None
) -> AuditBody:
    """Returns the audit of a whole log. ``match`` is folded from as much of the log as can be read."""
    fault, newest, seed = found.fault, stored.entries[-1], stored.seed or b""
    return AuditBody(
        match_id=match_id,
        ok=found.ok and alarm is None,
        version=newest.version,
        head=newest.hash.hex(),
        seed_commitment=None if match is None else match.table.seed_commitment,
        seed=seed.hex() if match is not None and match.ended else None,
        decided_again=found.decided_again,
        first_bad_version=None if fault is None else fault.version,
        fault=None if fault is None else fault.kind,
        message=_message(found, len(stored.entries)) + ("" if alarm is None else f" But there is a {alarm}"),
        quarantined=fault is not None or stored.quarantine is not None,
        alarm=alarm,
    )


def _message(found: Audited, count: int) -> str:
    if found.fault is not None:
        return f"Version {found.fault.version}: {found.fault.message}"
    held = "The one version is as it was written" if count == 1 else f"All {count} versions are as they were written"
    if not found.decided_again:
        return f"{held}, but its version of the rules is not known here, so nothing was decided again."
    return f"{held}."


# -- why a move is or was legal or not --------------------------------------------------------------------------------


class ExplainMove(Schema):
    version = Whole(
        required=True, metadata=described("The move is judged in the state right after this version.", examples=[7])
    )
    seat = Whole(
        required=True, metadata=described("The seat that would make the move. While the match runs, only your own.")
    )
    move = fields.Raw(
        required=True,
        metadata=described(
            "A move object of the game.", type="object", examples=[{"type": "place", "tile": "5", "at": "C5"}]
        ),
    )


@body
class ExplanationBody(Body):
    version: int
    seat: int
    move: Plain
    legal: bool
    code: str | None
    rule: Annotated[str | None, about("The number of the rule that refuses the move.")]
    message: str
    rules: list[CitedRule]


def explanation_body(game: AnyGame, version: int, seat: int, move: Any, found: report.Explanation) -> ExplanationBody:
    return ExplanationBody(
        version=version,
        seat=seat,
        move=game.plain_move(move),
        legal=found.legal,
        code=found.code,
        rule=found.rules[0].number if not found.legal and found.rules else None,
        message=found.message,
        rules=cited(found.rules),
    )
