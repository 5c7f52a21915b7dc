"""The house's keys: published with their history, so that what an old key signed can be verified for ever."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from service.integrity.keys import PublicKey, note, public_key, read_history, with_current
from service.integrity.receipts import Signer, ensure_key, prepare_key, public_bytes, read_key, take_next_key
from service.web.app import create_app
from tests.support.house import SIGNER, House
from tests.support.http import Web

FIRST, SECOND = bytes([1]) * 32, bytes([2]) * 32


def test_the_key_in_use_is_published_with_its_id(small: House) -> None:
    table = small.table("highest_card")
    (key,) = small.web.get("/keys").shown()["keys"]
    assert key == {"id": SIGNER.key_id, "algorithm": "Ed25519", "public": SIGNER.public.hex()} | {
        "since": None,
        "until": None,
    }
    assert key["id"] == table.last["receipt"]["key"]


def test_a_key_that_was_replaced_stays_published_with_its_dates(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    note(path, FIRST, 1_000)
    note(path, FIRST, 2_000)
    noted = note(path, SECOND, 3_000)
    one, two = public_key(FIRST), public_key(SECOND)
    assert noted == (PublicKey(one.id, one.public, 1_000, 3_000), PublicKey(two.id, two.public, 3_000, None))
    assert read_history(path) == noted
    assert [file.name for file in tmp_path.iterdir()] == ["keys.json"]


def test_a_key_that_comes_back_is_listed_with_both_of_its_times() -> None:
    history = with_current(with_current(with_current((), FIRST, 1), SECOND, 2), FIRST, 3)
    assert [(key.public[:2], key.since, key.until) for key in history] == [("01", 1, 2), ("02", 2, 3), ("01", 3, None)]


def test_keys_are_answered_newest_first_with_dates(small: House) -> None:
    key = read_key("23" * 32)
    history = with_current(with_current((), FIRST, 0), public_bytes(key), 86_400_000)
    app = create_app(replace(small.parts, signer=Signer(key, history)))
    shown = Web(app).get("/keys").shown()["keys"]
    assert [(row["since"], row["until"]) for row in shown] == [
        ("1970-01-02T00:00:00.000Z", None),
        ("1970-01-01T00:00:00.000Z", "1970-01-02T00:00:00.000Z"),
    ]


def test_a_history_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps([{"name": "x"}]))
    with pytest.raises(ValueError, match="not a list of keys"):
        read_history(path)


def test_a_new_key_takes_the_place_of_the_old_one_at_the_next_start_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "signing.key"
    ensure_key(path)
    before = path.read_text()
    assert prepare_key(path) != prepare_key(path)
    made = prepare_key(path)
    assert path.read_text() == before
    take_next_key(path)
    assert Signer(read_key(path.read_text())).key_id == made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    take_next_key(path)
    assert Signer(read_key(path.read_text())).key_id == made
    assert [file.name for file in tmp_path.iterdir()] == ["signing.key"]


def test_a_signature_counts_only_for_its_key_and_its_message() -> None:
    signature = SIGNER.sign(b"message")
    assert SIGNER.published[-1].signed(b"message", signature)
    assert not SIGNER.published[-1].signed(b"another", signature)
    assert not public_key(FIRST).signed(b"message", signature)
    assert not PublicKey("x", "zz").signed(b"message", signature)
