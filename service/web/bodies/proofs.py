"""The bodies of what proves something: keys, audits, reports, explanations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domain import commands, validation
from domain.commit import Commit
from domain.dispute_state import Case
from domain.game import AnyGame, Rule
from domain.hashchain import GENESIS
from domain.hidden import Sees
from domain.match import Match
from domain.store import Entry
from replay import report
from replay.audit import Fault
from replay.moment import Path
from replay.record import Record
from replay.steps import Step
from replay.verify import Again
from service.integrity.audit import Audited
from service.integrity.keys import PublicKey
from service.integrity.receipts import Signer
from service.ports import Imported
from service.web.bodies import matches
from service.web.bodies.matches import Body, moment
from service.web.bodies.proof_schemas import ReportBody


def published_key(key: PublicKey) -> Body:
    made: Body = {"id": key.id, "algorithm": "Ed25519", "public": key.public}
    dates = {"since": key.since, "until": key.until}
    return made | {name: None if at is None else moment(at) for name, at in dates.items()}


def audited(match_id: str, match: Match | None, entries: Sequence[Entry], found: Audited, seed: str) -> Body:
    """What the verification of a whole log found. ``match`` is what can be folded of it."""
    fault, count = found.fault, len(entries)
    return {
        "match_id": match_id,
        "ok": fault is None,
        "version": entries[-1].version,
        "head": entries[-1].hash.hex(),
        "seed_commitment": None if match is None else match.table.seed_commitment,
        "seed": seed if match is not None and match.ended else None,
        "decided_again": found.decided_again,
        "first_bad_version": None if fault is None else fault.version,
        "fault": None if fault is None else fault.kind,
        "message": (
            f"All {count} versions are as they were written." if count > 1 else "The one version is as it was written."
        )
        if fault is None
        else f"Version {fault.version}: {fault.message}",
    }


def command(game: AnyGame, asked: Any) -> Body:
    """A command, already redacted, as JSON."""
    if isinstance(asked, commands.Move):
        return {"type": "move", "seat": asked.seat, "move": game.plain_move(asked.move)}
    return {"type": commands.NAMES[type(asked)], **validation.plain(asked)}


def reported(
    match: Match,
    step: Step,
    entries: Sequence[Entry],
    sees: Sees,
    again: Again | None,
    *,
    names: Mapping[str, str],
    seed: bytes,
    signer: Signer,
) -> Body:
    """The report of a version, for this sight. ``entries`` are the one before, if there is one, and its own."""
    commit, entry = step.commit, entries[-1]
    outcome = match.outcome_at(commit.version)
    rules = report.rules_involved(match.game, commit, None if outcome is None else outcome.rule)
    return matches.logged(step, match.game) | {
        "match_id": match.id,
        "name": names.get(commit.player),
        "token_id": commit.token,
        "command_id": commit.command_id,
        "command": command(match.game, commit.command),
        "before": _before(match, step, sees),
        "rules_version": match.table.rules,
        "rules": ruled(rules),
        "chance": _chance(match, commit, again, seed),
        "decided_again": {"possible": again is not None, "same": None if again is None else again.same},
        "previous": (entries[0].hash if len(entries) > 1 else GENESIS).hex(),
        "hash": entry.hash.hex(),
        "receipt": signer.receipt(match.id, commit.version, entry.hash),
        "fault": None,
        "in_force": Path(match).in_force(commit.version),
        "verdict": report.verdict(match, commit, again),
    }


def damaged(match_id: str, version: int, fault: Fault) -> Body:
    """The report of a version up to which the log does not hold: of what it says nothing can be relied on."""
    where = "does" if fault.version == version else f"rests on version {fault.version}, which does"
    return dict.fromkeys(ReportBody().fields) | {
        "match_id": match_id,
        "version": version,
        "fault": {"version": fault.version, "kind": fault.kind, "message": fault.message},
        "verdict": f"Version {version} {where} not hold ({fault.kind}). {fault.message}",
    }


def _before(match: Match, step: Step, sees: Sees) -> Body:
    game = match.game
    known = report.known_before(match, step.version, step.seat, sees)
    return {
        "version": step.version - 1,
        "as": "spectator" if known.seat is None else str(known.seat),
        "state": None if known.state is None else dict(game.view(known.state)),
        "to_move": sorted(known.to_move),
        "moves": None if known.moves is None else [game.plain_move(move) for move in known.moves],
    }


def _chance(match: Match, commit: Commit, again: Again | None, seed: bytes) -> Body:
    numbers = report.numbers_shown(match, again)
    return {
        "draws": commit.draws,
        "entropy": list(match.table.entropy),
        "seed_commitment": match.table.seed_commitment,
        "seed": seed.hex() if match.ended else None,
        "numbers": None if numbers is None else [validation.plain(draw) for draw in numbers],
    }


def ruled(rules: Sequence[Rule]) -> list[Body]:
    return [dict(validation.plain(rule)) for rule in rules]


def explained(game: AnyGame, version: int, seat: int, move: Any, found: report.Explanation) -> Body:
    refusing = found.rules[0].number if not found.legal and found.rules else None
    return {
        "version": version,
        "seat": seat,
        "move": game.plain_move(move),
        "legal": found.legal,
        "code": found.code,
        "rule": refusing,
        "message": found.message,
        "rules": ruled(found.rules),
    }


def imported(kept: Imported, given: Record, match: Match, house: str) -> Body:
    """A record that was brought in."""
    return {
        "record_id": kept.id,
        "match_id": given.match_id,
        "game": given.game,
        "rules_version": given.rules,
        "version": given.version,
        "status": match.status,
        "seats": len(match.table.seats),
        "outcome": matches.outcome(match.outcome),
        "house": house,
        "key": given.key,
        "rated": False,
        "imported_at": moment(kept.at),
    }


def disputed(case: Case, match: Match) -> Body:
    """A dispute as everybody may see it."""
    return {
        "dispute": case.number,
        "version": case.version,
        "seat": case.seat,
        "reason": case.reason,
        "raised_by_version": case.raised,
        "raised_at": moment(case.at),
        "lapses_at": moment(case.lapses_at),
        "arbiter": match.table.arbiter,
        "looked": case.looked,
        "proposal": _proposal(case, len(match.table.seats)),
        "open": case.open,
        "ruling": case.ruling,
        "ruling_reason": None if case.ruling is None else case.ruled_because,
        "lapsed": case.lapsed,
    }


def _proposal(case: Case, seats: int) -> Body | None:
    if case.proposal is None:
        return None
    waits_for = [seat for seat in range(seats) if seat not in case.backed_by]
    made = {"ruling": case.proposal, "reason": case.proposed_because}
    return made | {"backed_by": sorted(case.backed_by), "waits_for": waits_for if case.open else []}
