"""``foldtable audit``: verifies the whole log of every match, or of the given ones.

Works whether the server is running or not. Prints a line for each match that fails, which is then in quarantine, and for
each alarm. Exits with 0 if everything was verified and is valid, 1 if anything fails, 2 for wrong arguments, 3 if the log
cannot be read or something could not be verified.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from domain.errors import NewerReleaseError
from domain.games import all_games
from domain.store import SHARDS, Store, UnavailableError
from projections import REVISIONS
from replay.audit import Fault
from service import config
from service.adapters.redis.client import connect
from service.adapters.redis.readmodels import RedisReadModels
from service.adapters.redis.store import RedisStore
from service.cli.console import GOOD, UNREADABLE, USAGE, VIOLATED, counted, say
from service.cli.replay import ReplayError, open_log
from service.config import SettingError, Settings
from service.integrity.audit import Audited, audit_stored
from service.integrity.heads import NOTE, Sealer, SealsRequired, SealVerifier
from service.integrity.keys import HISTORY, read_history
from service.integrity.quarantine import quarantine, release
from service.integrity.signers import signer_of
from service.matches import ids
from service.ports.readmodels import ReadModels

UNKNOWN = Audited(Fault(1, "gap", "There is no match with this id."), decided_again=False)


@dataclass(frozen=True, slots=True)
class AuditedMatch:
    """The result of the audit of one match."""

    match_id: str
    versions: int
    """The number of versions verified: all, or those up to the fault."""
    result: Audited
    is_known: bool
    """True if the log or the read models have it."""

    @property
    def fault(self) -> Fault | None:
        return self.result.fault


def add_command(commands: Any) -> None:
    auditing = commands.add_parser("audit", help="verify the log of every match, or of the given ones")
    which = auditing.add_mutually_exclusive_group(required=True)
    which.add_argument("--all", action="store_true", help="verify every match")
    which.add_argument("matches", nargs="*", default=[], metavar="match", help="the id of a match")
    auditing.add_argument(
        "--release", action="store_true", help="release what is valid from quarantine, and clear the alarms about it"
    )
    auditing.add_argument(
        "--seal", action="store_true", help="sign the newest version of each log that is valid but for its signature"
    )
    auditing.set_defaults(run=run, failure=UNREADABLE)


def run(given: argparse.Namespace) -> int:
    if wrong := [match_id for match_id in given.matches if not ids.is_match_id(match_id)]:
        return say(USAGE, f"usage: {wrong[0]} is not a match id")
    settings = config.read(os.environ)
    try:
        with open_log(settings) as url:
            client = connect(url)
            return _run(given, settings, RedisStore(client), RedisReadModels(client, REVISIONS))
    except (ReplayError, UnavailableError, NewerReleaseError) as fault:
        return say(UNREADABLE, f"unreadable: {fault}")


def _run(given: argparse.Namespace, settings: Settings, store: Store, views: ReadModels) -> int:
    sealer = _sealer(settings, store)
    seals = None if given.seal else sealer or _verifier(settings, store)
    if given.seal and sealer is None:
        return say(UNREADABLE, f"unreadable: there is no signing key at {settings.signing_key}")
    match_ids = [*every_match(store), *lost_matches(store, views)] if given.all else given.matches
    results = sweep(store, match_ids, views.known_version, seals)
    code = report(_acted_on(results, store, sealer if given.seal else None, given.release))
    if given.all and given.seal and sealer is not None and code == GOOD:
        store.set_sealers({sealer.key_id})
    alarms = _alarms(views, None if given.all else given.matches)
    if given.release:
        views.clear_alarms(alarms)
    elif alarms:
        sys.stdout.writelines(f"alarm: {subject}: {text}\n" for subject, text in sorted(alarms.items()))
        code = VIOLATED
    if seals is None and not given.seal:
        sys.stdout.write(f"signatures were not verified: there are no keys in {settings.data}\n")
        code = code or UNREADABLE
    return code


def _sealer(settings: Settings, store: Store) -> Sealer | None:
    try:
        return Sealer(signer_of(settings), SealsRequired(store, settings.data / NOTE))
    except SettingError:
        return None


def _verifier(settings: Settings, store: Store) -> SealVerifier | None:
    """Returns a verifier without a private key, as far as public keys are here."""
    history = read_history(settings.data / HISTORY)
    return SealVerifier(history, SealsRequired(store, settings.data / NOTE)) if history else None


def _alarms(views: ReadModels, match_ids: list[str] | None) -> dict[str, str]:
    """Returns the alarms about some matches, or all."""
    found = views.alarms()
    return found if match_ids is None else {subject: found[subject] for subject in match_ids if subject in found}


def every_match(store: Store) -> Iterator[str]:
    """Yields the ids of all matches, shard by shard, as the change index has them now."""
    for shard in range(SHARDS):
        yield from [row.match_id for row in store.changes(shard)]


def lost_matches(store: Store, views: ReadModels) -> list[str]:
    """Returns the matches that the read models know and the change index does not."""
    target = views.serving("summary")
    if target is None:
        return []
    known = {match_id for match_id, _seen in views.all_stored(target, "seen")}
    return sorted(filter(ids.is_match_id, known.difference(every_match(store))))


def sweep(
    store: Store,
    match_ids: Iterable[str],
    known: Callable[[str], int] = lambda _match_id: 0,
    seals: SealVerifier | None = None,
) -> Iterator[AuditedMatch]:
    """Audits match after match. About 100 µs a commit and a few round trips a match.

    ``known`` returns how many versions of a match were read before. Raises ``UnavailableError``.
    """
    for match_id in match_ids:
        found: list[Audited | None] = [UNKNOWN]
        before = 0
        if ids.is_match_id(match_id):
            before = known(match_id)
            found = list(audit_stored(store, all_games(), seals, match_id, before))
        *versions, result = found
        assert result is not None
        yield AuditedMatch(match_id, len(versions), result, bool(versions) or before > 0)


def _acted_on(
    results: Iterable[AuditedMatch], store: Store, sealer: Sealer | None, released: bool
) -> Iterator[AuditedMatch]:
    """Puts what fails into quarantine; seals and releases what is valid, as asked."""
    for found in results:
        if found.fault is not None:
            if found.is_known:
                quarantine(store, found.match_id, found.fault)
        else:
            if sealer is not None:
                (newest,) = store.read(found.match_id, found.versions - 1, 1)
                store.seal(found.match_id, newest.hash, sealer.seal(found.match_id, newest.version, newest.hash))
            if released:
                release(store, found.match_id)
        yield found


def report(results: Iterable[AuditedMatch]) -> int:
    """Prints the failed matches and a summary; returns the exit code."""
    matches = versions = failed = undecided = 0
    for found in results:
        matches, versions = matches + 1, versions + found.versions
        fault = found.fault
        if fault is not None:
            failed += 1
            sys.stdout.write(f"{found.match_id}: version {fault.version}: {fault.kind}. {fault.message}\n")
        elif not found.result.decided_again:
            undecided += 1
            sys.stdout.write(f"{found.match_id}: not decided again: its version of the rules is not known here\n")
    verified = f"verified {counted(matches, 'match', 'matches')}, {counted(versions, 'version', 'versions')}"
    if failed or undecided:
        also = f", {undecided} not decided again" if undecided else ""
        return say(VIOLATED if failed else UNREADABLE, f"{verified}: {failed} failed{also}")
    return say(GOOD, f"{verified}: all are valid")
