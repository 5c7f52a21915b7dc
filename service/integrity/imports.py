"""Imported records: verified when they are imported, verified again when they are loaded, and then kept in memory.

The id of a record is the first half of the SHA-256 of its content, which is everything but who signed it: the same record
signed by another key is the same record. Ids that release 0.1 gave are of the whole record, signature included; they stay
valid. Whichever it is, bytes that were altered in the store fit neither id nor signature.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from domain.game import AnyGame
from domain.match import Match
from domain.rulebook import folded, game_of
from replay.record import Record, RecordFormatError, paced, read
from service.cache import Cache
from service.integrity.keys import PublicKey, key_id, public_key
from service.integrity.records import UnknownGameError, verify_signed_record
from service.ports import Imported, ImportFacts, Records
from service.problems import ProblemError

ID_CHARACTERS = 32
"""The length of a record's id: 128 bits. Finding two records with one id takes about 2^64 tries."""
KEPT_COMMITS = 40_000
"""The most commits of records in memory, over all records: about 3 KB each."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Loaded:
    """An imported record with its folded match. ``ours``: a key of this server signed it."""

    id: str
    facts: ImportFacts
    record: Record
    match: Match
    ours: bool
    digest: str
    """Sixteen hexadecimal digits of the SHA-256 of the record's text."""


class Imports:
    """Imports and loads records. One for each process; safe to use from several greenlets.

    ``most``: the bytes that a player may import. ``turn(commits)`` is held during work on a record of that length, and
    ``pause`` is called in between.
    """

    def __init__(
        self,
        records: Records,
        games: Mapping[str, AnyGame],
        keys: tuple[PublicKey, ...],
        *,
        most: int,
        pause: Callable[[], None],
        turn: Callable[[int], AbstractContextManager[None]],
    ) -> None:
        self._records = records
        self._games = games
        self._keys = frozenset(key.public for key in keys)
        self._most = most
        self._pause = pause
        self._turn = turn
        self._loaded: Cache[str, Loaded] = Cache(KEPT_COMMITS, weigh=lambda loaded: loaded.record.version)

    # -- importing ----------------------------------------------------------------------------------------------------

    def bring(self, given: Record, player: str, now: int) -> Loaded:
        """Imports a record, or returns the one with the same content. Raises ``ProblemError`` (404, 409, 422).

        If this server signed the new one and not the one that is stored, the new one takes its place. The caller holds a
        turn. About 100 µs a commit.
        """
        ours = given.public_key.hex() in self._keys
        self._check(given, ours=ours)
        match = self._folded(given)
        record_id = _id(given.content)
        for known in (record_id, _id(hashlib.sha256(given.text).digest())):
            kept = self._known(known)
            if kept is not None and (kept.ours or not ours):
                return kept
        imported = Imported(record_id, given.text, ImportFacts(now, player, given.public_key.hex()))
        if self._records.facts(record_id) is not None:
            self._records.replace(imported)
        elif not self._records.put(imported, self._most):
            raise ProblemError("too_many_records", f"An account may import records of {self._most} bytes together.")
        facts = self._records.facts(record_id) or imported.facts
        if facts.key != imported.facts.key:  # Another process was faster.
            return self._known(record_id) or self._keep(record_id, imported.facts, given, match)
        return self._keep(record_id, facts, given, match)

    def _known(self, record_id: str) -> Loaded | None:
        """Returns a record that is stored already; ``None`` for none, and for one that was altered in the store."""
        try:
            return self._find(record_id)
        except ProblemError:
            return None

    def _check(self, given: Record, *, ours: bool) -> None:
        """Verifies a record. Raises ``ProblemError`` (404, 422), which names the first bad version. Linear in its length."""
        if given.seed is None:
            raise ProblemError("record_incomplete")
        try:
            found = verify_signed_record(given, self._games, pause=self._pause)
        except UnknownGameError as unknown:
            raise ProblemError("game_not_found", f"The game {str(unknown)[:60]} is not known here.") from unknown
        if (fault := found.fault) is not None:
            where = "The record" if fault.version is None else f"Version {fault.version}"
            detail = f"{where} ({fault.kind}): {fault.message}"
            raise ProblemError("record_refused", detail, version=fault.version, fault=fault.kind)
        # Whoever forges a record may name rules that nobody can decide by any more, and then write what he likes.
        if not found.decided_again and not ours:
            detail = "Its rules are not installed here, so only records that this server signed are taken on trust."
            raise ProblemError("record_refused", detail)

    def _folded(self, given: Record) -> Match:
        """Folds the match of a record that has been verified."""
        if given.game not in self._games:
            raise ProblemError("game_not_found", f"The games are {', '.join(self._games)}.")
        try:
            entries = paced(given.entries, self._pause)
            match = folded(given.match_id, game_of(self._games, given.entries[0]), entries)
            assert match is not None
            if match.node is not None:
                match.game.view(match.state)
        except Exception as fault:
            # A record by older rules is verified without deciding its commands again, so its events may make no sense.
            detail = "The match was played by another version of the rules and cannot be replayed here."
            raise ProblemError("record_refused", detail) from fault
        return match

    # -- loading ------------------------------------------------------------------------------------------------------

    def find(self, record_id: str) -> Loaded:
        """Returns an imported record: from memory as long as the store names the same facts. Raises ``ProblemError``.

        404 if there is none, 500 if it was altered in the store. One small round trip if it is in memory.
        """
        well_formed = len(record_id) == ID_CHARACTERS and record_id.isascii() and record_id.isalnum()
        found = self._find(record_id, waits=True) if well_formed else None
        if found is None:
            raise ProblemError("record_not_found")
        return found

    def _find(self, record_id: str, *, waits: bool = False) -> Loaded | None:
        facts = self._records.facts(record_id)
        if facts is None:
            return None
        known = self._loaded.get(record_id)
        if known is not None and known.facts == facts:
            return known
        stored = self._records.get(record_id)
        if stored is None:
            return None
        if not waits:
            return self._verified(stored)
        with self._turn(len(stored.raw) // 300):
            # Somebody else may have loaded it while this request waited for its turn.
            known = self._loaded.get(record_id)
            return known if known is not None and known.facts == stored.facts else self._verified(stored)

    def _verified(self, stored: Imported) -> Loaded:
        """Verifies id and signature of stored bytes, and folds them. Raises ``ProblemError`` (500)."""
        try:
            given = read(stored.raw, pause=self._pause)
        except RecordFormatError as fault:
            raise self._altered(stored, f"it is not a record: {fault}") from fault
        if stored.id not in (_id(given.content), _id(hashlib.sha256(stored.raw).digest())):
            raise self._altered(stored, "its content does not fit its id")
        signed = public_key(given.public_key).signed(given.signed, given.signature)
        if given.key != key_id(given.public_key) or not signed:
            raise self._altered(stored, "its signature does not fit its content")
        return self._keep(stored.id, stored.facts, given, self._folded(given))

    def _altered(self, stored: Imported, reason: str) -> ProblemError:
        _log.error("imported record %s was altered in the database: %s", stored.id, reason)
        return ProblemError("record_damaged", "The stored record is not the one that was imported.")

    def _keep(self, record_id: str, facts: ImportFacts, record: Record, match: Match) -> Loaded:
        digest = hashlib.sha256(record.text).hexdigest()[:16]
        loaded = Loaded(record_id, facts, record, match, record.public_key.hex() in self._keys, digest)
        self._loaded.put(record_id, loaded)
        return loaded


def _id(digest: bytes) -> str:
    return digest.hex()[:ID_CHARACTERS]
