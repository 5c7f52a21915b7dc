"""The report of one version: who did what, on what knowledge, by which rules and with what chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from domain import commands, validation
from domain.commit import Commit
from domain.game import AnyGame, Rule
from domain.hashchain import GENESIS
from domain.hidden import Sees
from domain.match import Match
from domain.store import Entry
from replay import report
from replay.audit import Fault
from replay.moment import Path
from replay.steps import Step
from replay.verify import Again
from service.integrity.receipts import Signer
from service.web.bodies.body import Body, Plain, Time, about, body, time
from service.web.bodies.history import events_of
from service.web.bodies.receipts import Receipt, receipt


@body
class CitedRule(Body):
    number: str
    text: str
    basis: list[str]


@body
class KnowledgeBody(Body):
    version: int
    as_: Annotated[str, about("The viewpoint: a seat or `spectator`.")]
    state: Plain | None
    to_move: list[int]
    moves: Annotated[
        list[Plain] | None,
        about("The moves that the acting seat could make; null if you may not know them or it had no move to make."),
    ]


@body
class DrawBody(Body):
    below: int
    gave: int


@body
class ChanceBody(Body):
    draws: Annotated[int, about("The number of words taken from the dice.")]
    entropy: Annotated[list[str], about("The contribution of each seat, in order.")]
    seed_commitment: str
    seed: Annotated[str | None, about("Null until the match has ended.")]
    numbers: Annotated[
        list[DrawBody] | None, about("Every number drawn, with its bound; null until the seed is public.")
    ]


@body
class DecidedAgain(Body):
    possible: Annotated[bool, about("False if the rules that decided it are not installed here.")]
    same: bool | None


@body
class LogFault(Body):
    version: int
    kind: str
    message: str


@body
class ReportBody(Body):
    match_id: str
    version: int
    at: Time | None
    kind: str | None
    seat: int | None
    player_id: str | None
    name: str | None
    token_id: Annotated[str | None, about("Names the token that was used. It is not the token itself.")]
    command_id: str | None
    command: Annotated[Plain | None, about("The command as it was sent, as far as you may know it.")]
    events: list[Plain] | None
    sentence: str | None
    before: KnowledgeBody | None
    rated: Annotated[bool | None, about("False if the result of the match counts for no rating, as of now.")]
    rules_version: int | None
    rules: list[CitedRule] | None
    chance: ChanceBody | None
    decided_again: DecidedAgain | None
    previous: str | None
    hash: str | None
    receipt: Receipt | None
    in_force: Annotated[bool | None, about("True if the version is on the current branch.")]
    fault: Annotated[
        LogFault | None,
        about("The first fault of the log up to this version. If there is one, only it and the verdict are reported."),
    ]
    verdict: str

    SENT_LAST: ClassVar[tuple[str, ...]] = (
        *("sentence", "events", "match_id", "name", "token_id", "command_id", "command", "before", "rated"),
        *("rules_version", "rules", "chance", "decided_again", "previous", "hash", "receipt", "fault", "in_force"),
        "verdict",
    )


@body
class DamagedReport(ReportBody):
    """The report of a version up to which the log is damaged. It reports no contents, because none can be trusted."""

    SENT_LAST: ClassVar[tuple[str, ...]] = ()


def report_body(
    match: Match,
    step: Step,
    entries: Sequence[Entry],
    sees: Sees,
    again: Again | None,
    *,
    names: Mapping[str, str],
    seed: bytes,
    signer: Signer,
) -> ReportBody:
    """Returns the report of a version for a viewer that knows ``sees``.

    ``entries`` are the entry before, if there is one, and the version's own. Signs a receipt: about 30 µs.
    """
    commit, entry, game = step.commit, entries[-1], match.game_at(step.version)
    outcome = match.outcome_at(commit.version)
    return ReportBody(
        match_id=match.id,
        version=step.version,
        at=time(step.at),
        kind=step.kind,
        seat=step.seat,
        player_id=step.player,
        name=names.get(commit.player),
        token_id=commit.token,
        command_id=commit.command_id,
        command=_command(game, commit.command),
        events=events_of(step, game),
        sentence=step.sentence,
        before=_before(match, step, sees),
        rated=match.rated,
        rules_version=match.table.at(step.version - 1).rules,
        rules=cited(report.rules_involved(game, commit, None if outcome is None else outcome.rule)),
        chance=_chance(match, commit, again, seed),
        decided_again=DecidedAgain(possible=again is not None, same=None if again is None else again.same),
        previous=(entries[0].hash if len(entries) > 1 else GENESIS).hex(),
        hash=entry.hash.hex(),
        receipt=receipt(signer, match.id, commit.version, entry.hash),
        in_force=Path(match).in_force(commit.version),
        fault=None,
        verdict=report.verdict(match, commit, again),
    )


def damaged_report(match_id: str, version: int, fault: Fault) -> ReportBody:
    where = "does" if fault.version == version else f"rests on version {fault.version}, which does"
    assert fault.version is not None  # A fault in a stored log is always found at one of its versions.
    return DamagedReport(
        match_id=match_id,
        version=version,
        at=None,
        kind=None,
        seat=None,
        player_id=None,
        name=None,
        token_id=None,
        command_id=None,
        command=None,
        events=None,
        sentence=None,
        before=None,
        rated=None,
        rules_version=None,
        rules=None,
        chance=None,
        decided_again=None,
        previous=None,
        hash=None,
        receipt=None,
        in_force=None,
        fault=LogFault(version=fault.version, kind=fault.kind, message=fault.message),
        verdict=f"Version {version} {where} not hold ({fault.kind}). {fault.message}",
    )


def _command(game: AnyGame, asked: Any) -> Plain:
    """Returns a redacted command as JSON data."""
    if isinstance(asked, commands.Move):
        return {"type": "move", "seat": asked.seat, "move": game.plain_move(asked.move)}
    return {"type": commands.NAMES[type(asked)], **validation.plain(asked)}


def _before(match: Match, step: Step, sees: Sees) -> KnowledgeBody:
    game = match.game_at(step.version - 1)
    known = report.known_before(match, step.version, step.seat, sees)
    return KnowledgeBody(
        version=step.version - 1,
        as_="spectator" if known.seat is None else str(known.seat),
        state=None if known.state is None else dict(game.view(known.state)),
        to_move=sorted(known.to_move),
        moves=None if known.moves is None else [game.plain_move(move) for move in known.moves],
    )


def _chance(match: Match, commit: Commit, again: Again | None, seed: bytes) -> ChanceBody:
    numbers = report.numbers_shown(match, again)
    return ChanceBody(
        draws=commit.draws,
        entropy=list(match.table.entropy),
        seed_commitment=match.table.seed_commitment,
        seed=seed.hex() if match.ended else None,
        numbers=None if numbers is None else [DrawBody(below=draw.below, gave=draw.gave) for draw in numbers],
    )


def cited(rules: Sequence[Rule]) -> list[CitedRule]:
    return [CitedRule(number=rule.number, text=rule.text, basis=list(rule.basis)) for rule in rules]
