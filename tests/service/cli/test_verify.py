"""``foldtable verify`` in a folder without a server, and its exit codes; a new signing key."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from domain.games import all_games
from replay.record import canonical, written
from service.cli.main import main
from service.cli.serve import ROOT
from service.integrity.receipts import Signer, ensure_key, read_key, take_next_key
from tests.support.playing import Playing
from tests.support.records import FORGER, HOUSE, plain_receipt, plain_record, rechained, short, signed

BLOCKERS = all_games()["blockers"]


@pytest.fixture(scope="module")
def playing() -> Playing:
    return short(BLOCKERS)


@pytest.fixture
def folder(tmp_path: Path, playing: Playing) -> Path:
    """With a record, all its receipts and the keys of its house."""
    put(tmp_path / "record.json", canonical(plain_record(playing)))
    put(tmp_path / "record.msgpack", written(plain_record(playing), "msgpack"))
    for entry in playing.entries:
        receipt = plain_receipt(HOUSE, playing.match_id, entry.version, entry.hash)
        put(tmp_path / f"r{entry.version}.json", json.dumps(receipt).encode())
    put(tmp_path / "keys.json", keys(HOUSE.public))
    return tmp_path


def put(path: Path, raw: bytes) -> None:
    path.write_bytes(raw)


def keys(public: bytes) -> bytes:
    return json.dumps({"keys": [{"id": "x", "public": public.hex()}]}).encode()


def verified(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["verify", *(str(folder / name) if not name.startswith("-") else name for name in arguments)])
    return code, capsys.readouterr().out


def test_a_good_record_is_praised_and_exits_with_0(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("record.json", "record.msgpack"):
        code, told = verified(folder, capsys, name)
        assert code == 0
        assert told.startswith("good: match ")
        assert "a key that only the record itself names" in told
    receipts = [
        part for path in sorted(folder.glob("r*.json")) if path.stem != "record" for part in ("--receipt", path.name)
    ]
    code, told = verified(folder, capsys, "record.json", *receipts, "--keys", "keys.json")
    assert (code, "a key of the given server" in told) == (0, True)


def test_one_changed_card_is_named_with_its_version_without_a_server(folder: Path, playing: Playing) -> None:
    """In an empty folder, with nothing of the service's settings."""
    plain = plain_record(playing)
    line = plain["entries"][3]
    (salt, card) = line["secrets"][0]
    line["secrets"][0] = [salt, "a135" if card != "a135" else "a136"]
    put(folder / "record.json", canonical(plain))
    assert run(folder, "record.json") == (
        1,
        "violated at version 4: secret altered. Secret 0 is not the one that was committed to.\n",
    )


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
    command = [sys.executable, "-m", "service.cli.main", "verify", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["record.json", "--receipt", "forged.json", "--keys", "keys.json"], "wrong signature"),
        (["record.json", "--keys", "others.json"], "signed by another server"),
        (["short.json", "--receipt", "r5.json"], "violated at version 5: truncated"),
        (["forked.json", "--receipt", "r4.json"], "violated at version 4: forked"),
    ],
)
def test_what_is_violated_exits_with_1(
    folder: Path, capsys: pytest.CaptureFixture[str], playing: Playing, arguments: Sequence[str], told: str
) -> None:
    plain = plain_record(playing)
    head = playing.entries[3].hash
    put(folder / "forged.json", json.dumps(plain_receipt(FORGER, playing.match_id, 4, head)).encode())
    put(folder / "others.json", keys(FORGER.public))
    put(folder / "short.json", canonical(cut(plain, 4)))
    other = plain_receipt(HOUSE, playing.match_id, 4, bytes(32))
    if arguments[0] == "forked.json":
        put(folder / "r4.json", json.dumps(other).encode())
        put(folder / "forked.json", canonical(plain))
    code, text = verified(folder, capsys, *arguments)
    assert code == 1
    assert told in text


def cut(plain: dict[str, Any], versions: int) -> dict[str, Any]:
    """The record that the house would have given out then, had the match ended there."""
    return signed(rechained(plain | {"entries": plain["entries"][:versions]}), HOUSE)


@pytest.mark.parametrize("arguments", [[], ["record.json", "--what"], ["a.json", "b.json"]])
def test_wrong_arguments_exit_with_2(folder: Path, arguments: Sequence[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["verify", *arguments])
    assert left.value.code == 2


def test_a_receipt_of_another_match_is_a_wrong_argument(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(folder / "other.json", json.dumps(plain_receipt(HOUSE, "00other", 1, bytes(32))).encode())
    assert verified(folder, capsys, "record.json", "--receipt", "other.json")[0] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["missing.json"],
        ["nonsense.json"],
        ["keys.json"],
        ["record.json", "--receipt", "keys.json"],
        ["record.json", "--receipt", "nonsense.json"],
        ["record.json", "--keys", "record.json"],
    ],
)
def test_what_cannot_be_read_exits_with_3(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: Sequence[str]
) -> None:
    put(folder / "nonsense.json", b"\xff[")
    code, told = verified(folder, capsys, *arguments)
    assert (code, told.split(":")[0]) == (3, "unreadable")


def test_a_game_that_is_not_known_cannot_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = (folder / "record.json").read_bytes()
    put(folder / "record.json", raw.replace(b'"game":"blockers"', b'"game":"chess"'))
    assert verified(folder, capsys, "record.json") == (3, "unreadable: the game chess is not installed\n")


def test_a_new_signing_key_takes_effect_with_the_next_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDTABLE_DATA", str(tmp_path))
    assert main(["rotate-key"]) == 3
    assert list(tmp_path.iterdir()) == []
    ensure_key(path := tmp_path / "signing.key")
    first = path.read_text()
    assert main(["rotate-key"]) == 0
    assert path.read_text() == first
    take_next_key(path)
    second = path.read_text()
    assert second != first
    told = capsys.readouterr().out
    assert Signer(read_key(second)).key_id in told
    assert first.strip() not in told
    assert second.strip() not in told
