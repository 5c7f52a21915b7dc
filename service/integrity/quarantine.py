"""Quarantine: a match that was found damaged takes no more actions, in any process, until it is found good again.

Whoever finds the damage sets it: an audit, the worker, a load of the match. The append script refuses every further entry,
so that no process goes on from its memory over a log that does not hold.
"""

from __future__ import annotations

import logging

import msgpack

from domain.store import Store
from replay.audit import Fault

_log = logging.getLogger(__name__)


def quarantine(store: Store, match_id: str, fault: Fault) -> None:
    """Puts a match into quarantine and logs it, once. Raises ``UnavailableError``."""
    if store.quarantine(match_id, packed_fault(fault)):
        _log.error("match %s is in quarantine: version %s: %s: %s", match_id, fault.version, fault.kind, fault.message)


def release(store: Store, match_id: str) -> bool:
    """Releases a match that was found good again. Returns whether it was in quarantine."""
    released = store.release(match_id)
    if released:
        _log.warning("match %s was found good again and is released from quarantine", match_id)
    return released


def fault_of(reason: bytes) -> Fault:
    """Returns the fault that a stored reason names."""
    try:
        version, kind, message = msgpack.unpackb(reason)
    except (ValueError, TypeError, msgpack.UnpackException):
        return Fault(1, "unreadable", "The stored reason for the quarantine cannot be read.")
    return Fault(version, kind, message)


def packed_fault(fault: Fault) -> bytes:
    """Returns the bytes under which a fault is stored."""
    made: bytes = msgpack.packb([fault.version, fault.kind, fault.message])
    return made
