"""Seals: whose signature is good, of which version, and since when every log must have one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from domain.store import Seal
from service.adapters.memory.store import MemoryStore
from service.config import SettingError
from service.integrity.heads import Sealer, SealsRequired, SealVerifier, signature_of
from service.integrity.keys import with_current
from service.integrity.receipts import Signer, read_key, signed_bytes
from service.integrity.signers import check_sealers
from tests.support.entries import MATCH, chain
from tests.support.seals import FOREIGN_SEALS, SEALS, SIGNER, STRICT_SEALS

LOG = chain(MATCH, 4)
HEAD = LOG[-1].hash


def made(version: int = 4, sealer: Sealer = SEALS) -> Seal:
    return sealer.seal(MATCH, version, LOG[version - 1].hash)


def test_the_seal_of_the_newest_head_is_good_by_signature_and_by_mac() -> None:
    assert STRICT_SEALS.fault(MATCH, LOG, made()) is None
    assert STRICT_SEALS.is_sealed(MATCH, 4, HEAD, replace(made(), mac=b""))
    assert STRICT_SEALS.is_sealed(MATCH, 4, HEAD, replace(made(), signed=b""))
    assert signature_of(made()) == SIGNER.sign(signed_bytes(MATCH, 4, HEAD))


@pytest.mark.parametrize(
    ("seal", "kind", "version"),
    [
        (Seal(), "wrong_signature", 4),
        (Seal(b"short", b"short"), "wrong_signature", 4),
        (made(3), "wrong_signature", 4),
        (Seal(made().signed[:-1] + b"\0", b""), "wrong_signature", 4),
        (FOREIGN_SEALS.seal(MATCH, 4, HEAD), "wrong_signature", 4),
        (SEALS.seal("0a-two", 4, HEAD), "wrong_signature", 4),
        (SEALS.seal(MATCH, 6, HEAD), "truncated", 5),
    ],
)
def test_any_other_seal_is_a_fault(seal: Seal, kind: str, version: int) -> None:
    fault = STRICT_SEALS.fault(MATCH, LOG, seal)
    assert fault is not None
    assert (fault.kind, fault.version) == (kind, version)
    assert not STRICT_SEALS.is_sealed(MATCH, 4, HEAD, seal)


def test_a_mac_alone_does_not_satisfy_whoever_has_no_key() -> None:
    assert SealVerifier(SIGNER.published, lambda: True).fault(MATCH, LOG, replace(made(), signed=b"")) is not None


def test_a_log_that_an_older_release_wrote_on_is_good_until_every_log_must_have_a_seal() -> None:
    for seal in (Seal(), made(2)):
        assert SEALS.fault(MATCH, LOG, seal) is None
        assert STRICT_SEALS.fault(MATCH, LOG, seal) is not None
    assert SEALS.fault(MATCH, LOG, FOREIGN_SEALS.seal(MATCH, 4, HEAD)) is not None, "no older release makes one"


def test_a_seal_by_a_replaced_key_that_is_still_published_is_good() -> None:
    newer = read_key("19" * 32)
    history = with_current(SIGNER.published, Signer(newer).public, 5)
    rotated = Sealer(Signer(newer, history), lambda: True)
    assert rotated.is_sealed(MATCH, 4, HEAD, made())
    assert rotated.fault(MATCH, LOG, made()) is None
    withdrawn = Sealer(Signer(newer), lambda: True)
    assert withdrawn.fault(MATCH, LOG, made()) is not None


def test_that_every_log_must_have_a_seal_is_noted_where_the_store_cannot_take_it_back(tmp_path: Path) -> None:
    store = MemoryStore()
    required = SealsRequired(store, tmp_path / "sealed.json")
    assert not required()
    required.set(7)
    assert required()
    assert store.sealed_since() == 7
    assert SealsRequired(store, None)(), "another machine asks the store"
    assert SealsRequired(MemoryStore(), tmp_path / "sealed.json")(), "the note in the store is gone"


def test_a_process_that_lacks_a_key_by_which_logs_are_sealed_refuses_to_start() -> None:
    store = MemoryStore()
    check_sealers(store, SIGNER)
    check_sealers(store, SIGNER)
    assert store.sealers() == {SIGNER.key_id}
    newer = read_key("19" * 32)
    with pytest.raises(SettingError, match=f"signed with {SIGNER.key_id}, which is not in keys.json"):
        check_sealers(store, Signer(newer))
    check_sealers(store, Signer(newer, with_current(SIGNER.published, Signer(newer).public, 5)))
    with pytest.raises(SettingError):
        check_sealers(store, SIGNER)
