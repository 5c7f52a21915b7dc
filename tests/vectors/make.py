"""Makes the vectors: ``python -m tests.vectors.make``. A file that is there is never written again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from domain import hashchain
from domain.chance import SeededDice, seed_commitment
from domain.hidden import NOBODY
from replay.record import Plain, canonical
from service.integrity.records import Receipt
from tests.support import forged_records, toy
from tests.support.records import FORGER, HOUSE, changed, plain_record, receipt, rechained, short, signed

FILE = Path(__file__).parent / "verify.json"
SEED = bytes(range(32))
MATCH = "00vectors"


def seals() -> list[dict[str, Any]]:
    rows = []
    for version, index, value in ((1, 0, b"\xa15"), (2, 3, b""), (300, 70_000, b"x" * 300)):
        salt = hashchain.salt(SEED, version, index)
        link = hashchain.link(MATCH, version, bytes(32), value)
        opened = hashchain.commitment(salt, MATCH, version, index, value)
        row = {"version": version, "index": index, "value": value.hex(), "salt": salt.hex()}
        rows.append(row | {"commitment": opened.hex(), "link": link.hex()})
    return rows


def draws() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for version, command, entropy in ((3, "c3", ["", "mine"]), (90, "x" * 64, [])):
        dice = SeededDice(SEED, MATCH, version, command, entropy)
        words = [str(dice._word()) for _ in range(3)]
        rows.append({"version": version, "command_id": command, "entropy": entropy, "words": words})
    return rows


# RFC 4231, test cases 1, 2, 6.
HMACS = [
    ["0b" * 20, b"Hi There".hex(), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
    [
        b"Jefe".hex(),
        b"what do ya want for nothing?".hex(),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ],
    [
        "aa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First".hex(),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ],
]


def row(name: str, plain: Plain, fault: list[Any] | None, *receipts: Receipt, rules: bool = False) -> dict[str, Any]:
    told = [
        {"match": r.match_id, "version": r.version, "head": r.head.hex(), "key": r.key, "signature": r.signature.hex()}
        for r in receipts
    ]
    return {"name": name, "record": canonical(plain).decode(), "receipts": told, "fault": fault, "rules": rules}


def records() -> Iterator[dict[str, Any]]:
    playing = short(toy.GAME, seed=3, moves=3)
    plain, last = plain_record(playing), len(playing.entries)
    newest = receipt(playing, last)
    lines = plain["entries"]
    yield row("good", plain, None, receipt(playing, 1), newest)
    yield row("dropped", plain | {"entries": [*lines[:2], *lines[3:]]}, [3, "gap"])
    yield row("doubled", plain | {"entries": [*lines[:3], *lines[2:]]}, [4, "reordered"])
    yield row("swapped", plain | {"entries": [*lines[:2], lines[3], lines[2], *lines[4:]]}, [3, "reordered"])
    yield row("cut", plain | {"entries": lines[:-1]}, [last, "truncated"])
    other = plain_record(short(toy.GAME, seed=4, moves=3))["entries"]
    yield row("spliced", plain | {"entries": [*lines[:2], other[2], *lines[3:]]}, [3, "altered"])
    places = {"last": last, "behind": last + 1}
    for name, (change, (version, kind)) in forged_records.CHANGES.items():
        yield row(name, changed(plain, change), [places.get(version, version), kind])
    late = rechained(plain | {"entries": [*lines[:2], forged_records.later(lines[2]), *lines[3:]]})
    yield row("recomputed without the key", late, [None, "wrong_signature"])
    yield row("recomputed, and signed by another", signed(late, FORGER), [None, "wrong_signature"])
    yield row("forked", signed(late, HOUSE), [last, "forked"], newest)
    short_of_one = signed(rechained(plain | {"entries": lines[:-1]}), HOUSE)
    yield row("shorter than its receipt", short_of_one, [last, "truncated"], newest)
    yield row("a receipt of another", plain, [None, "wrong_signature"], receipt(playing, 2, FORGER))
    yield row("chance of its own", forged_records.other_chance(playing), [2, "wrong_chance"], rules=True)
    yield row("against the rules", forged_records.other_player(playing), [3, "illegal"], rules=True)
    yield from running_records()


def running_records() -> Iterator[dict[str, Any]]:
    """Of matches that are not over, all signed by the house itself, which can be wrong about what it tells whom."""
    playing = short(toy.GAME, seed=3, moves=3)
    playing.entries, playing.matches = playing.entries[:-1], playing.matches[:-1]
    stranger, seat = plain_record(playing, NOBODY), plain_record(playing, frozenset({0}))
    yield row("running, for a stranger", stranger, None)
    yield row("running, for a seat", seat, None)
    start = next(number for number, line in enumerate(seat["entries"], 1) if any(line["secrets"]))
    for name, plain, sees in (("told too much", seat, "spectator"), ("told too little", stranger, "0")):
        yield row(name, signed(plain | {"sees": sees}, HOUSE), [start, "secret_altered"])
    yield row("told to the wrong seat", signed(seat | {"sees": "1"}, HOUSE), [start, "secret_altered"])
    yield row("told to nobody at the table", signed(stranger | {"sees": "7"}, HOUSE), [None, "altered"])
    over = short(toy.GAME, seed=3, moves=3)
    withheld = plain_record(over, NOBODY) | {"seed": None}
    yield row("over, and the seed withheld", signed(withheld, HOUSE), [None, "wrong_seed"])


def vectors() -> dict[str, Any]:
    return {
        "seed": SEED.hex(),
        "seed_commitment": seed_commitment(SEED).hex(),
        "match_id": MATCH,
        "hmac": HMACS,
        "seal": seals(),
        "draws": draws(),
        "keys": {"keys": [{"public": HOUSE.public.hex()}]},
        "records": list(records()),
    }


if __name__ == "__main__":
    with FILE.open("x", encoding="utf-8") as file:
        file.write(json.dumps(vectors(), indent=1) + "\n")
