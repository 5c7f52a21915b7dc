"""Accounts of earlier versions: their names get keys and their token records a MAC, once.

A file in the data folder notes that this is done. From then on a record without a MAC is a fault. The note is not in the
database, because whoever changes records there could remove it, too. Everything here may run twice, and at the same time as
another process; nothing here refuses an account, whatever its name is.
"""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path

from domain.errors import FoldtableError
from service.integrity.receipts import ensure_key
from service.players import naming
from service.players.credentials import Seal
from service.ports.players import Account, OldPlayers

KEY = "players.key"
"""The name of the key's file in the data folder."""
NOTE = "players.json"
KEY_BYTES = 32

_log = logging.getLogger(__name__)


class OtherKeyError(FoldtableError):
    """The records in the database are sealed by another key; the message tells the operator what to do."""


def take_up(folder: Path, players: OldPlayers, *, is_final: bool) -> Seal:
    """Returns the seal with the folder's key, which is created if there is none, and adopts accounts of earlier versions.

    ``is_final``: every process has this version, so that nobody makes such accounts any more. Raises ``OtherKeyError``,
    ``OSError``, ``ValueError`` and ``UnavailableError``.
    """
    seal = _read(folder)
    if players.agree_on_key(seal.fingerprint) != seal.fingerprint:
        raise OtherKeyError(
            f"{folder / KEY} is not the key that seals the accounts of this database. Put the right one in its place; "
            "if it is lost and you trust the database, run foldtable seal-accounts"
        )
    done = _done(folder / NOTE)
    sealed = bool(done.get("sealed"))
    if done != {"names": naming.scheme(), "sealed": True}:
        count = sum(_adopt(players, seal, account, sealing=not sealed) for account in players.accounts())
        if count:
            _log.warning("adopted %d accounts of an earlier version", count)
        _note(folder / NOTE, sealed=sealed or is_final)
    return seal


def seal_again(folder: Path, players: OldPlayers) -> int:
    """Seals every record in the database by the folder's key, whoever made it. Returns the number of accounts."""
    seal = _read(folder)
    players.agree_on_key(seal.fingerprint, replacing=True)
    count = sum(_adopt(players, seal, account, sealing=True, replacing=True) for account in players.accounts())
    _note(folder / NOTE, sealed=True)
    return count


def _read(folder: Path) -> Seal:
    ensure_key(folder / KEY)
    key = bytes.fromhex((folder / KEY).read_text(encoding="utf-8").strip())
    if len(key) != KEY_BYTES:
        raise ValueError("a key is 64 hexadecimal digits")
    return Seal(key, lambda: not _done(folder / NOTE).get("sealed"))


def _adopt(players: OldPlayers, seal: Seal, account: Account, *, sealing: bool, replacing: bool = False) -> bool:
    """Adopts one account: claims the keys of its name and seals its records, those with a MAC only if ``replacing``.

    Returns whether there was anything to do.
    """
    keys = naming.keys(account.player.name)
    records = account.tokens if account.recovery is None else (*account.tokens, account.recovery)
    chosen = [record for record in records if replacing or (sealing and not record.mac)]
    if keys == account.keys and not chosen:
        return False
    players.adopt(account, keys, [seal.sealed(account.player.id, record) for record in chosen])
    return True


def _done(note: Path) -> dict[str, object]:
    try:
        found = json.loads(note.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return dict(found)


def _note(path: Path, *, sealed: bool) -> None:
    # Synced before the rename, so that a crash leaves the old note or the new one.
    new = path.with_name(f"{path.name}.{os.getpid()}")
    with new.open("w", encoding="utf-8") as file:
        json.dump({"names": naming.scheme(), "sealed": sealed}, file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
