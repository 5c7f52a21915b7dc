"""The seals of the test services, and of forgers who have the key, or another one."""

from __future__ import annotations

from domain.store import Store
from service.integrity.heads import Sealer
from service.integrity.receipts import Signer, read_key

SIGNING_KEY = "17" * 32
SIGNER = Signer(read_key(SIGNING_KEY))
SEALS = Sealer(SIGNER, lambda: False)
"""As long as logs of older releases may have no seal."""
STRICT_SEALS = Sealer(SIGNER, lambda: True)
"""Once every log must have one."""
FOREIGN_SEALS = Sealer(Signer(read_key("18" * 32)), lambda: True)


def seal(store: Store, match_id: str, seals: Sealer = SEALS) -> None:
    """Seals a log as it is now, as whoever has the key can."""
    last = store.read(match_id)[-1]
    assert store.seal(match_id, last.hash, seals.seal(match_id, last.version, last.hash))
