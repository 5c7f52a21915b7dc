"""The hash chain and commitments: fixed vectors, and that everything is bound."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from domain import hashchain

SEED = bytes(range(32))
FIRST = "215787aa2d009659ed402ffbd756ae6fa5be5e815e233e12bfdfb48859f30204"
SECOND = "157b6826c3983d7269d00439770290c104e0485365fea971019a42996b72af78"
SALT = "d6daa934ee809f89d0ac5d5e140e9383"
COMMITMENT = "19fe6be94ba02b9ab8b51deddccabc5c0c9b8c27fba56f80b8e2d5430a25ec73"


def test_the_chain_is_what_it_has_always_been() -> None:
    """Written down once: a change here would break every stored match and every receipt."""
    first = hashchain.link("00abc", 1, hashchain.GENESIS, b"first")
    second = hashchain.link("00abc", 2, first, b"second")
    assert first.hex() == FIRST
    assert second.hex() == SECOND


def test_salts_and_commitments_are_what_they_have_always_been() -> None:
    salt = hashchain.salt(SEED, 7, 2)
    assert salt.hex() == SALT
    assert hashchain.commitment(salt, "00abc", 7, 2, b"value").hex() == COMMITMENT


def test_a_stranger_can_recompute_them_from_the_description_alone() -> None:
    version, index = (7).to_bytes(8, "big"), (2).to_bytes(4, "big")
    salt = hmac.new(SEED, b"salt" + version + index, hashlib.sha256).digest()[:16]
    assert salt.hex() == SALT
    place = b"\0\0\0\x0500abc" + b"\0\0\0\x08" + version + b"\0\0\0\x04" + index + b"\0\0\0\x05value"
    assert hashlib.sha256(b"\x01" + salt + place).hexdigest() == COMMITMENT
    linked = (
        b"\0\0\0\x0500abc" + b"\0\0\0\x08" + (1).to_bytes(8, "big") + b"\0\0\0\x20" + bytes(32) + b"\0\0\0\x05first"
    )
    assert hashlib.sha256(b"\0" + linked).hexdigest() == FIRST


@pytest.mark.parametrize(
    "other",
    [
        ("00abd", 1, hashchain.GENESIS, b"first"),
        ("00abc", 2, hashchain.GENESIS, b"first"),
        ("00abc", 1, b"\x01" + bytes(31), b"first"),
        ("00abc", 1, hashchain.GENESIS, b"firsu"),
        ("00abc", 1, hashchain.GENESIS + b"f", b"irst"),
    ],
)
def test_a_link_binds_match_version_history_and_bytes(other: tuple[str, int, bytes, bytes]) -> None:
    assert hashchain.link(*other).hex() != FIRST


def test_a_commitment_binds_salt_match_place_and_value() -> None:
    salt = hashchain.salt(SEED, 7, 2)
    made = {
        hashchain.commitment(salt, "00abc", 7, 2, b"value"),
        hashchain.commitment(bytes(16), "00abc", 7, 2, b"value"),
        hashchain.commitment(salt, "00abd", 7, 2, b"value"),
        hashchain.commitment(salt, "00abc", 8, 2, b"value"),
        hashchain.commitment(salt, "00abc", 7, 3, b"value"),
        hashchain.commitment(salt, "00abc", 7, 2, b"valuf"),
    }
    assert len(made) == 6
    assert {len(one) for one in made} == {hashchain.HASH_BYTES}


def test_every_secret_of_a_match_has_a_salt_of_its_own() -> None:
    salts = {hashchain.salt(SEED, version, index) for version in range(40) for index in range(40)}
    assert len(salts) == 1_600
    assert {len(salt) for salt in salts} == {hashchain.SALT_BYTES}
