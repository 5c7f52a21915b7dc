"""``foldtable verify``: verifies a record without a server.

Exits with 0 if everything holds, 1 if something is violated, 2 for wrong arguments, 3 for what cannot be read.
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
    verifying = commands.add_parser("verify", help="verify a record, without a server")
    verifying.add_argument("record", type=Path, help="the body of GET /api/v1/matches/…/record, JSON or msgpack")
    verifying.add_argument(
        "--receipt", type=Path, action="append", default=[], help="a receipt of the match; repeatable"
    )
    verifying.add_argument("--keys", type=Path, help="the body of GET /api/v1/keys of the house that must have signed")
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
        return say(USAGE, f"usage: {fault}; --keys tells which keys are the house's")
    except (OSError, RecordFormatError, UnknownGameError, InputError) as fault:
        return say(UNREADABLE, f"unreadable: {_told(fault)}")
    if verdict.fault is not None:
        return say(VIOLATED, violation(verdict))
    return say(GOOD, praise(record, verdict, len(receipts), vouched=keys is not None))


def _record(raw: bytes) -> Record:
    packed = raw[:1] and (0x80 <= raw[0] <= 0x8F or raw[0] in (0xDE, 0xDF))
    return read_record(raw, "msgpack" if packed else "json")


def _told(fault: Exception) -> str:
    if isinstance(fault, UnknownGameError):
        return f"the game {fault} is not known here"
    return f"{fault.filename}: {fault.strerror}" if isinstance(fault, OSError) else str(fault)


def violation(verdict: Verification) -> str:
    fault = verdict.fault
    assert fault is not None
    where = "" if fault.version is None else f" at version {fault.version}"
    return f"violated{where}: {fault.kind.replace('_', ' ')}. {fault.message}"


def praise(record: Record, verdict: Verification, receipts: int, *, vouched: bool) -> str:
    told = [f"good: match {record.match_id}, {len(record.lines)} versions; every link and every secret told holds"]
    if verdict.decided_again:
        told.append("every draw follows from the seed; every decision is the one that the rules give")
    elif verdict.complete:
        told.append(f"not decided again: it was played by version {record.rules} of the rules")
    else:
        told.append("the match is not over, so draws and decisions cannot be checked yet")
    house = "a key of the given house" if vouched else "a key that only the record vouches for"
    if receipts:
        told.append("the receipt fits" if receipts == 1 else f"all {receipts} receipts fit")
    return f"{'; '.join(told)}; signed with {record.key}, {house}."
