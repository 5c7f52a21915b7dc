"""Output and exit codes shared by the commands."""

from __future__ import annotations

import sys

GOOD, VIOLATED, USAGE, UNREADABLE = 0, 1, 2, 3
"""Exit codes of the commands that verify something."""


def say(code: int, text: str) -> int:
    """Prints a line and returns the exit code."""
    sys.stdout.write(text + "\n")
    return code


def counted(count: int, one: str, more: str) -> str:
    """Formats a count with its noun: ``1 match``, ``2 matches``."""
    return f"{count} {one if count == 1 else more}"
