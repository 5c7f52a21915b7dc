"""What commands say in a terminal."""

from __future__ import annotations


def counted(count: int, one: str, more: str) -> str:
    """As in ``1 match``, ``2 matches``."""
    return f"{count} {one if count == 1 else more}"
