"""The report of one version, for the audit and for disputes."""

from __future__ import annotations

from domain import wire
from domain.hidden import Sees
from domain.match import Match
from domain.store import Entry
from replay.audit import first_fault
from replay.verify import Again, decided_again
from service.web.bodies.report import ReportBody, damaged_report, report_body
from service.web.context import names_at, service, steps


def report_of(match: Match, number: int, sees: Sees) -> ReportBody:
    """The report of a version that the match has, for this sight; of damage, if the log does not hold up to there.

    Reads and verifies the log up to the version, some 20 µs a commit.
    """
    parts = service()
    entries, seed = parts.matches.entries(match.id, 0, number), parts.matches.seed(match.id)
    if (fault := first_fault(match.id, match.game, entries, seed, number)) is not None:
        return damaged_report(match.id, number, fault)
    (step,) = steps(match, entries[-1:], sees)
    again = _again(match, entries[-1], seed)
    known = names_at(match)
    return report_body(match, step, entries[-2:], sees, again, names=known, seed=seed, signer=parts.signer)


def _again(match: Match, entry: Entry, seed: bytes) -> Again | None:
    """The command of the entry decided once more; ``None`` if the rules have changed since."""
    if match.table.rules != match.game.version:
        return None
    before = service().matches.at(match, entry.version - 1) if entry.version > 1 else None
    return decided_again(match.id, match.game, before, wire.decode(match.game, entry), seed)
