"""Results of the worker's audits: when each match was last verified, and which audits failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgpack

from service.ports.readmodels import ReadModels

DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Figures:
    verified: int
    """The number of matches verified in the last 24 hours."""
    failed: Mapping[str, Any]
    """Match → version, kind and message of its first fault."""


def figures(views: ReadModels, now: int) -> Figures:
    """Returns the results as of ``now`` (ms). Two round trips."""
    faults = views.audit_faults()
    return Figures(views.count_audited(now - DAY_MS), {match_id: _finding(fault) for match_id, fault in faults.items()})


def _finding(data: bytes) -> Any:
    try:
        version, kind, message = msgpack.unpackb(data)
    except (ValueError, TypeError, msgpack.UnpackException):
        return [1, "unreadable", "The stored result of the audit cannot be read."]
    return [version, kind, message]
