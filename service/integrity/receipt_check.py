"""Checks receipts that players hold against the log: the server's own signature that its log does not bear out is an alarm.

A receipt proves by its signature that this server gave it to somebody. Only then is the log asked, so that nobody can use
the check to find out whether a match exists.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from domain.store import DamagedError, Store, is_sharded
from service import telemetry
from service.integrity.keys import PublicKey
from service.integrity.receipts import signed_bytes
from service.integrity.records import Receipt
from service.ports.readmodels import ReadModels

Result = Literal["confirmed", "contradicted", "version_lost", "match_lost", "not_signed"]

_MESSAGES: dict[Result, str] = {
    "confirmed": "This server signed it, and the log has this head at this version.",
    "contradicted": "This server signed it, but the log has another head at this version.",
    "version_lost": "This server signed it, but the log ends before this version.",
    "match_lost": "This server signed it, but there is no log of this match that can be read.",
    "not_signed": "This server did not sign it.",
}

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CheckedReceipt:
    """A receipt and what the log says of it."""

    receipt: Receipt
    result: Result

    @property
    def message(self) -> str:
        return _MESSAGES[self.result]

    @property
    def is_alarm(self) -> bool:
        """True if the log does not bear out what this server signed."""
        return self.result not in ("confirmed", "not_signed")


def check_receipt(receipt: Receipt, keys: Sequence[PublicKey], store: Store) -> CheckedReceipt:
    """Checks one receipt: about 100 µs, and up to two round trips. Raises ``UnavailableError``."""
    message = signed_bytes(receipt.match_id, receipt.version, receipt.head)
    if not any(key.id == receipt.key and key.signed(message, receipt.signature) for key in keys):
        return CheckedReceipt(receipt, "not_signed")
    return CheckedReceipt(receipt, _on_log(receipt, store))


def _on_log(receipt: Receipt, store: Store) -> Result:
    if not is_sharded(receipt.match_id):
        return "match_lost"
    try:
        entry = next(iter(store.read(receipt.match_id, receipt.version - 1, 1)), None)
        if entry is None or entry.version != receipt.version:
            return "version_lost" if store.read(receipt.match_id, 0, 1) else "match_lost"
    except DamagedError:
        return "match_lost"
    return "confirmed" if entry.hash == receipt.head else "contradicted"


def report(checked: CheckedReceipt, views: ReadModels | None) -> None:
    """Counts the result, and raises an alarm for a receipt that the log does not bear out: logged once for each match."""
    telemetry.RECEIPTS.add(checked.result)
    if not checked.is_alarm:
        return
    match_id, version = checked.receipt.match_id, checked.receipt.version
    text = f"receipt of version {version}: {checked.result}. {checked.message}"
    # Once, because whoever holds such a receipt may show it as often as they like.
    if views is None or views.raise_alarm(match_id, text):
        _log.error("alarm: match %s, %s", match_id, text)
