"""Verifies a record offline, without a server: chain, secrets, seed, draws, decisions, receipts, signature.

The checks run in this order, so that a fault in a commit is reported with its version.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domain import wire
from domain.errors import FoldtableError, NewerReleaseError
from domain.game import AnyGame, NewerRulesError
from replay.audit import Fault, chain_fault
from replay.record import Record
from replay.verify import Judge, verify_record
from service.integrity.keys import PublicKey, key_id, public_key
from service.integrity.receipts import signed_bytes


class UnknownGameError(FoldtableError):
    """The record's game, or the version of its rules, is not installed."""


class InputError(FoldtableError, ValueError):
    """A receipt or a list of keys cannot be read."""


class OtherMatchError(FoldtableError, ValueError):
    """A receipt belongs to another match than the record."""


class OtherKeyError(FoldtableError, ValueError):
    """A receipt is signed by another key than the record: only a list of the server's keys can show whether it is valid."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A server's signed statement of the head hash of one version."""

    match_id: str
    version: int
    head: bytes
    key: str
    signature: bytes


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of verifying a record."""

    fault: Fault | None
    complete: bool
    """True if the record contains the seed, so that draws and decisions could be checked."""
    decided_again: bool
    """True if they were; false if some rules that decided them are not installed."""


def verify_signed_record(
    record: Record,
    games: Mapping[str, AnyGame],
    *,
    receipts: Sequence[Receipt] = (),
    keys: Sequence[PublicKey] | None = None,
    pause: Callable[[], None] = lambda: None,
) -> Verification:
    """Verifies a record with its receipts. About 100 µs a commit, after each of which it calls ``pause``.

    ``keys``: those of the server that must have signed; without them the record's own key is used. Raises
    ``UnknownGameError``, ``OtherMatchError`` for a receipt of another match, and ``OtherKeyError`` for a receipt that only
    ``keys`` could verify.
    """
    if record.game not in games:
        raise UnknownGameError(record.game)
    complete = record.seed is not None
    try:
        fault, decides = _played_fault(record, _first_rules(record, games[record.game]), pause)
    except NewerReleaseError as newer:
        fault, decides = chain_fault(record.match_id, record.entries), False
        if fault is None:
            by = f"version {newer.version} of its rules" if isinstance(newer, NewerRulesError) else "a newer protocol"
            raise UnknownGameError(f"{record.game} by {by}") from newer
    fault = fault or _receipts_fault(record, receipts, keys)
    fault = fault or _signature_fault(record, keys)
    return Verification(fault, complete, complete and decides)


def _first_rules(record: Record, newest: AnyGame) -> AnyGame:
    """Returns the rules that the record's first entry is read by. Raises ``NewerReleaseError``."""
    try:
        return newest.reader(wire.game_of(record.entries[0])[1])
    except wire.UnreadableError:
        return newest  # The checks name the fault.


def _played_fault(record: Record, game: AnyGame, pause: Callable[[], None]) -> tuple[Fault | None, bool]:
    """Returns the first fault of the content of a record, and whether its rules are all here."""
    judge, fault = Judge(record.match_id, game, record.seed or b""), None
    for found in verify_record(record, game, judge):
        fault = found
        pause()
    return fault, judge.decides


def _receipts_fault(record: Record, receipts: Sequence[Receipt], keys: Sequence[PublicKey] | None) -> Fault | None:
    for receipt in sorted(receipts, key=lambda receipt: receipt.version):
        if receipt.match_id != record.match_id:
            raise OtherMatchError(f"the receipt belongs to match {receipt.match_id}")
        if (fault := _receipt_fault(record, receipt, keys)) is not None:
            return fault
    return None


def _receipt_fault(record: Record, receipt: Receipt, keys: Sequence[PublicKey] | None) -> Fault | None:
    message = signed_bytes(receipt.match_id, receipt.version, receipt.head)
    if keys is None and receipt.key != record.key:
        raise OtherKeyError(
            f"the receipt of version {receipt.version} is signed by {receipt.key}, the record by {record.key}"
        )
    known = (public_key(record.public_key),) if keys is None else keys
    if not any(key.id == receipt.key and key.signed(message, receipt.signature) for key in known):
        whose = "the key of the record" if keys is None else "a key of the given server"
        return Fault(None, "wrong_signature", f"The receipt of version {receipt.version} is not signed by {whose}.")
    if receipt.version > len(record.lines):
        missing = len(record.lines) + 1
        return Fault(missing, "truncated", f"There is a receipt of version {receipt.version}, which the record lacks.")
    if record.lines[receipt.version - 1].hash != receipt.head:
        return Fault(receipt.version, "forked", "Its hash differs from the one in the receipt.")
    return None


def _signature_fault(record: Record, keys: Sequence[PublicKey] | None) -> Fault | None:
    if record.key != key_id(record.public_key):
        return Fault(None, "wrong_signature", "The key id does not match the key.")
    if keys is not None and record.public_key.hex() not in {key.public for key in keys}:
        return Fault(None, "wrong_signature", "The record is signed by another server.")
    if not public_key(record.public_key).signed(record.signed, record.signature):
        return Fault(None, "wrong_signature", "The signature does not match the record.")
    return None


# -- reading what comes with a record ---------------------------------------------------------------------------------


def read_receipt(raw: bytes) -> Receipt:
    """Reads a receipt, alone or inside the response body that contained it. Raises ``InputError``."""
    try:
        plain: Any = json.loads(raw)
        plain = plain.get("receipt", plain)
        match_id, version, key = plain["match"], plain["version"], plain["key"]
        if type(version) is not int or not 1 <= version < 2**53 or {type(match_id), type(key)} != {str}:
            raise ValueError("a version is a whole number, a match and a key are texts")
        head, signature = _digits(plain["head"], 32), _digits(plain["signature"], 64)
        return Receipt(match_id, version, head, key, signature)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
        raise InputError("the file is not a receipt") from fault


def _digits(text: Any, count: int) -> bytes:
    """Reads so many bytes in lower-case hexadecimal digits. Raises ``ValueError`` and ``TypeError``."""
    raw = bytes.fromhex(text)
    if raw.hex() != text or len(raw) != count:
        raise ValueError("other digits, or more or fewer of them")
    return raw


def read_keys(raw: bytes) -> tuple[PublicKey, ...]:
    """Reads the body of ``GET /keys``. Raises ``InputError``."""
    try:
        rows = json.loads(raw)["keys"]
        return tuple(public_key(_digits(row["public"], 32)) for row in rows)
    except (ValueError, TypeError, KeyError, RecursionError) as fault:
        raise InputError("the file is not a list of keys as GET /api/v1/keys returns it") from fault
