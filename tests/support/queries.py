"""What the tests of lists ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.http import Player, Web

Follow = Callable[[], None]
"""Brings the lists up to date."""


def listed(who: Player | Web, query: str = "") -> list[str]:
    return [row["match_id"] for row in who.get(f"/matches{query}").shown()["matches"]]


def open_one(host: Player, **more: Any) -> str:
    made = host.post("/matches", {"game": "blockers", "seats": 2, **more}).done()
    return str(made["match_id"])
