"""Reading server-sent events, from any iterable of bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Event:
    name: str
    id: int
    """The position, without the tag that the id of a commit carries."""
    data: Any
    raw: str
    full_id: str = ""
    """The id as it was sent."""


def events(parts: Iterable[bytes]) -> Iterator[Event]:
    """The events of a stream as they come. Comments and ``retry`` are left out."""
    rest = b""
    for part in parts:
        rest += part
        *blocks, rest = rest.split(b"\n\n")
        for block in blocks:
            fields = dict(line.split(": ", 1) for line in block.decode().splitlines() if ": " in line)
            if "data" in fields:
                position, data = int(fields["id"].partition("-")[0]), json.loads(fields["data"])
                yield Event(fields["event"], position, data, block.decode(), fields["id"])
