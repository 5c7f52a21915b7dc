"""The signer that the settings name, for what puts a process together. Apart from ``receipts`` and ``heads``, which the
command handler loads and which know no settings.
"""

from __future__ import annotations

import time

from domain.store import Store, UnavailableError
from service.config import SettingError, Settings
from service.integrity.keys import HISTORY, read_history
from service.integrity.receipts import Signer, read_key

RETRY_SECONDS = 1.0


def signer_of(settings: Settings) -> Signer:
    """Returns the signer with the key and the history that the settings name. Raises ``SettingError``."""
    try:
        return Signer(read_key(settings.signing_key.read_text()), read_history(settings.data / HISTORY))
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else str(fault)
        raise SettingError(f"FOLDTABLE_SIGNING_KEY: cannot use {settings.signing_key}: {reason}") from fault


def check_sealers(store: Store, signer: Signer) -> None:
    """Notes that this key makes seals from now on. Raises ``SettingError`` if logs were sealed by a key unknown here.

    Otherwise a process that lacks the key, or its history, would take every match for damaged and stop it.
    """
    sealers = store.sealers()
    if unknown := sealers - {key.id for key in signer.published}:
        raise SettingError(
            f"FOLDTABLE_SIGNING_KEY: the logs of this database are signed with {min(unknown)}, which is not in {HISTORY}:"
            ' copy signing.key and keys.json here, or see "The signing key is lost" in docs/operations.md'
        )
    if signer.key_id not in sealers:
        store.set_sealers(sealers | {signer.key_id})


def await_sealers(store: Store, signer: Signer) -> None:
    """Does the same, and waits for the database if it does not answer yet. Raises ``SettingError``."""
    while True:
        try:
            check_sealers(store, signer)
        except UnavailableError:
            time.sleep(RETRY_SECONDS)
        else:
            return
