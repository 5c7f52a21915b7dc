"""Receipts: what somebody who kept them can prove."""

from __future__ import annotations

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from service.integrity.receipts import Signer, read_key, signed_bytes
from tests.support.house import SIGNER, House
from tests.support.http import Body
from tests.support.records import plain_receipt
from tests.support.scene import Scene

PUBLIC = Ed25519PublicKey.from_public_bytes(SIGNER.public)


def verify(receipt: Body, **changed: object) -> None:
    """Raises ``InvalidSignature``."""
    told = receipt | changed
    signed = signed_bytes(str(told["match"]), int(told["version"]), bytes.fromhex(str(told["head"])))
    PUBLIC.verify(bytes.fromhex(str(told["signature"])), signed)


def test_every_accepted_action_has_a_receipt_that_the_public_key_verifies(house: House) -> None:
    table = house.table("highest_card")
    table.play_on(1)
    table.undo(3)
    table.redo(4)
    table.give_up(2)
    heads = {entry.version: entry.hash.hex() for entry in house.backend.store.read(table.match_id)}
    assert set(table.answers) == set(heads)
    for version, answer in table.answers.items():
        receipt = answer["receipt"]
        verify(receipt)
        assert receipt.keys() == {"match", "version", "head", "key", "signature"}
        assert (receipt["match"], receipt["version"]) == (table.match_id, version)
        assert (receipt["head"], receipt["key"]) == (heads[version], SIGNER.key_id)


def test_a_changed_receipt_does_not_verify(small: House) -> None:
    scene = Scene.of(small)
    receipt, other = scene.running.last["receipt"], scene.running.answers[3]["receipt"]
    wrong = [
        {"match": scene.waiting},
        {"version": receipt["version"] + 1},
        {"head": other["head"]},
        {"signature": other["signature"]},
        {"match": receipt["match"] + "0", "version": receipt["version"]},
    ]
    verify(receipt)
    for changed in wrong:
        with pytest.raises(InvalidSignature):
            verify(receipt, **changed)


def test_another_houses_key_verifies_nothing(small: House) -> None:
    receipt = small.table("highest_card").last["receipt"]
    forger = Signer(read_key("18" * 32))
    forged = plain_receipt(forger, receipt["match"], receipt["version"], bytes.fromhex(receipt["head"]))
    assert forged["key"] != receipt["key"]
    with pytest.raises(InvalidSignature):
        verify(forged)


def test_what_is_signed_cannot_be_read_in_two_ways() -> None:
    assert signed_bytes("a", 1, b"bc") != signed_bytes("ab", 1, b"c")
    assert signed_bytes("a", 1, bytes(32)) != signed_bytes("a", 256, bytes(32))


def test_a_refusal_has_no_receipt(small: House) -> None:
    table = small.table("highest_card")
    answer = table.host.post(f"{table.path}/moves", {"move": {"type": "castle"}})
    assert b"receipt" not in answer.data
