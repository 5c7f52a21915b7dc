"""The report of one version, for the audit and for disputes."""

from __future__ import annotations

from domain import wire
from domain.changeover import decidable
from domain.hidden import Sees
from domain.match import Match
from domain.store import Entry, Seal, Stored
from replay.audit import Fault, first_fault
from replay.verify import Again, decided_again
from service.integrity.audit import Checked, digest
from service.web.background import pause
from service.web.bodies.report import ReportBody, damaged_report, report_body
from service.web.context import names_at, service, steps


def report_of(match: Match, number: int, sees: Sees) -> ReportBody:
    """Returns the report of a version for a viewer that knows ``sees``; a report of the damage if the log has a fault.

    Reads the log up to that version, and verifies it unless it has: about 5 µs and 40 µs for each commit.
    """
    parts = service()
    entries, seed = parts.matches.entries(match.id, 0, number), parts.matches.seed(match.id)
    checked = _checked(match, number, entries, seed)
    if checked.fault is not None:
        parts.matches.quarantine(match.id, checked.fault)
        return damaged_report(match.id, number, checked.fault)
    (step,) = steps(match, entries[-1:], sees)
    if checked.again is not None and not checked.again.same:
        parts.matches.quarantine(match.id, Fault(number, "illegal", "Deciding it again gives something else."))
    known = names_at(match)
    return report_body(match, step, entries[-2:], sees, checked.again, names=known, seed=seed, signer=parts.signer)


def _checked(match: Match, number: int, entries: list[Entry], seed: bytes) -> Checked:
    """Returns what does not depend on the viewer, and is linear in the match: once for the same stored bytes."""
    parts = service()
    key = digest(match.id, Stored(entries, seed, Seal(), None), pause)
    if (kept := parts.checked.get(key)) is not None:
        return kept
    with parts.turns.turn(number):
        if (kept := parts.checked.get(key)) is not None:
            return kept
        fault = first_fault(match.id, match.game_at(0), entries, seed, number, pause)
        made = Checked(fault, None if fault is not None else _again(match, entries[-1], seed))
        parts.checked.put(key, made)
    return made


def _again(match: Match, entry: Entry, seed: bytes) -> Again | None:
    """Decides the command of the entry again; ``None`` if the rules that decided it are not here."""
    game = match.game_at(entry.version - 1)
    commit = wire.decode(game, entry)
    before = service().matches.at(match, entry.version - 1) if entry.version > 1 else None
    if not (match.table.at(0).has_rules if before is None else decidable(before, commit)):
        return None
    return decided_again(match.id, game, before, commit, seed)
