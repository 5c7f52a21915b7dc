"""``foldtable verify``: verifies a record without a server.

Exits with 0 if everything is valid, 1 if a check fails, 2 for wrong arguments, 3 if a file cannot be read.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from domain.games import all_games
from replay.record import Record, RecordFormatError
from replay.record import read as read_record
from service.cli.console import GOOD, UNREADABLE, USAGE, VIOLATED, say
from service.integrity.records import (
    InputError,
    OtherKeyError,
    OtherMatchError,
    UnknownGameError,
    Verification,
    read_keys,
    read_receipt,
    verify_signed_record,
)


def add_command(commands: Any) -> None:
    verifying = commands.add_parser("verify", help="verify a record without a server")
    verifying.add_argument("record", type=Path, help="the body of GET /api/v1/matches/…/record, JSON or msgpack")
    verifying.add_argument(
        "--receipt", type=Path, action="append", default=[], help="a receipt of the match; repeatable"
    )
    verifying.add_argument("--keys", type=Path, help="the body of GET /api/v1/keys of the server that must have signed")
    verifying.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    try:
        record = _record(given.record.read_bytes())
        receipts = [read_receipt(path.read_bytes()) for path in given.receipt]
        keys = None if given.keys is None else read_keys(given.keys.read_bytes())
        verdict = verify_signed_record(record, all_games(), receipts=receipts, keys=keys)
    except OtherMatchError as fault:
        return say(USAGE, f"usage: {fault}")
    except OtherKeyError as fault:
        return say(USAGE, f"usage: {fault}; pass the server's keys with --keys")
    except (OSError, RecordFormatError, UnknownGameError, InputError) as fault:
        return say(UNREADABLE, f"unreadable: {_reason(fault)}")
    if verdict.fault is not None:
        return say(VIOLATED, violation(verdict))
    return say(GOOD, summary(record, verdict, len(receipts), vouched=keys is not None))


def _record(raw: bytes) -> Record:
    packed = raw[:1] and (0x80 <= raw[0] <= 0x8F or raw[0] in (0xDE, 0xDF))
    return read_record(raw, "msgpack" if packed else "json")


def _reason(fault: Exception) -> str:
    if isinstance(fault, UnknownGameError):
        return f"the game {fault} is not installed"
    return f"{fault.filename}: {fault.strerror}" if isinstance(fault, OSError) else str(fault)


def violation(verdict: Verification) -> str:
    fault = verdict.fault
    assert fault is not None
    where = "" if fault.version is None else f" at version {fault.version}"
    return f"violated{where}: {fault.kind.replace('_', ' ')}. {fault.message}"


def summary(record: Record, verdict: Verification, receipts: int, *, vouched: bool) -> str:
    checks = [
        f"good: match {record.match_id}, {len(record.lines)} versions; every link and every disclosed secret is valid"
    ]
    if verdict.decided_again:
        checks.append("every draw follows from the seed; every decision follows from the rules")
    elif verdict.complete:
        checks.append(f"decisions were not checked: it was played by version {record.rules} of the rules")
    else:
        checks.append("draws and decisions cannot be checked until the match has ended")
    owner = "a key of the given server" if vouched else "a key that only the record itself names"
    if receipts:
        checks.append("the receipt matches" if receipts == 1 else f"all {receipts} receipts match")
    return f"{'; '.join(checks)}; signed with {record.key}, {owner}."
