"""Both verifiers find the same in the same records, and hash alike. The JavaScript one runs wherever there is Node."""

from __future__ import annotations

import hmac
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain import hashchain
from domain.chance import SeededDice, seed_commitment
from domain.game import AnyGame
from replay.record import RecordFormatError, read
from service.cli.serve import ROOT
from service.integrity.records import UnknownGameError, read_keys, read_receipt, verify_signed_record
from tests.support.dice import RandomDice
from tests.support.played_games import GAMES, SOAK, each_game
from tests.support.records import ended, record_bytes, short
from tests.vectors.make import FILE

VECTORS: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
KEYS = read_keys(json.dumps(VECTORS["keys"]).encode())
NODE = shutil.which("node")

each_record = pytest.mark.parametrize("vector", VECTORS["records"], ids=lambda vector: vector["name"])


def test_the_hashes_are_those_of_the_vectors() -> None:
    seed, match_id = bytes.fromhex(VECTORS["seed"]), VECTORS["match_id"]
    assert seed_commitment(seed).hex() == VECTORS["seed_commitment"]
    for key, message, digest in VECTORS["hmac"]:
        assert hmac.digest(bytes.fromhex(key), bytes.fromhex(message), "sha256").hex() == digest
    for row in VECTORS["seal"]:
        place, value = (row["version"], row["index"]), bytes.fromhex(row["value"])
        salt = hashchain.salt(seed, *place)
        assert salt.hex() == row["salt"]
        assert hashchain.commitment(salt, match_id, *place, value).hex() == row["commitment"]
        assert hashchain.link(match_id, row["version"], hashchain.GENESIS, value).hex() == row["link"]
    for row in VECTORS["draws"]:
        dice = SeededDice(seed, match_id, row["version"], row["command_id"], row["entropy"])
        assert [dice.below(1 << 63) for _ in range(3)] == [int(word) % (1 << 63) for word in row["words"]]


@each_record
def test_the_python_verifier_finds_what_the_vectors_say(vector: Any) -> None:
    receipts = [read_receipt(json.dumps(receipt).encode()) for receipt in vector["receipts"]]
    fault = verify_signed_record(read(vector["record"].encode()), GAMES, receipts=receipts, keys=KEYS).fault
    assert (None if fault is None else [fault.version, fault.kind]) == vector["fault"]


def run(path: Path) -> Any:
    """What the JavaScript verifier makes of a file of vectors."""
    assert NODE is not None
    script = ROOT / "tests" / "vectors" / "run.mjs"
    done = subprocess.run([NODE, str(script), str(path)], capture_output=True, text=True, check=True, timeout=120)
    return json.loads(done.stdout)


@cache
def found_by_javascript() -> Any:
    return run(FILE)


def of_records(path: Path, records: list[str]) -> list[Any]:
    plain = VECTORS | {"records": [{"record": record, "receipts": []} for record in records]}
    path.write_text(json.dumps(plain), encoding="utf-8")
    found: list[Any] = run(path)["records"]
    return found


if NODE is not None:

    def test_the_javascript_verifier_hashes_alike() -> None:
        found = found_by_javascript()
        assert found["seed_commitment"] == VECTORS["seed_commitment"]
        assert found["hmac"] == [digest for _key, _message, digest in VECTORS["hmac"]]
        assert found["seal"] == [
            {name: row[name] for name in ("salt", "commitment", "link")} for row in VECTORS["seal"]
        ]
        assert found["draws"] == [row["words"] for row in VECTORS["draws"]]

    def test_the_javascript_verifier_finds_what_the_vectors_say() -> None:
        for vector, found in zip(VECTORS["records"], found_by_javascript()["records"], strict=True):
            fault = None if found["ok"] else [found["version"], found["kind"]]
            assert fault == (None if vector["rules"] else vector["fault"]), vector["name"]

    @each_game
    def test_the_javascript_verifier_takes_every_record(game: AnyGame, tmp_path: Path) -> None:
        records = [record_bytes(playing).decode() for playing in (ended(game), short(game))]
        assert [found["ok"] for found in of_records(tmp_path / "records.json", records)] == [True, True]

    @each_game
    def test_the_javascript_verifier_finds_flipped_bytes_as_the_python_one_does(game: AnyGame, tmp_path: Path) -> None:
        raw, dice = record_bytes(short(game)), RandomDice(11)
        places = dice.sample(range(len(raw)), min(len(raw), 60 * SOAK))
        flipped = [raw[:at] + bytes((raw[at] ^ (1 << dice.below(7)),)) + raw[at + 1 :] for at in places]
        found = of_records(tmp_path / "records.json", [record.decode() for record in flipped])
        for record, told in zip(flipped, found, strict=True):
            assert not told["ok"]
            assert (told["version"], told["kind"]) == by_python(record)


def by_python(record: bytes) -> tuple[int | None, str]:
    try:
        fault = verify_signed_record(read(record), GAMES, keys=KEYS).fault
    except RecordFormatError:
        return None, "unreadable"
    except UnknownGameError:
        return 1, "altered"
    assert fault is not None
    return fault.version, fault.kind
