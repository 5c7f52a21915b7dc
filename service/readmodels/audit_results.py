"""The results of the worker's audit: when each match was verified last, and which did not hold."""

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
    """Matches of the last day."""
    failed: Mapping[str, Any]
    """Match → version, kind and message of the first fault."""


def figures(views: ReadModels, now: int) -> Figures:
    """The results as they stand now (ms). Two round trips."""
    faults = views.audit_faults()
    return Figures(views.count_audited(now - DAY_MS), {match_id: _finding(fault) for match_id, fault in faults.items()})


def _finding(data: bytes) -> Any:
    try:
        version, kind, message = msgpack.unpackb(data)
    except (ValueError, TypeError, msgpack.UnpackException):
        return [1, "unreadable", "What the audit found cannot be read."]
    return [version, kind, message]
