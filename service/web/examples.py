"""The examples of the API's description. ``docs/generate.py`` writes them; see ``docs/examples.py`` for how."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Plain = dict[str, Any]
Operation = str
"""Method in lower case and path with its variables in braces: ``get /api/v1/games/{game_id}``."""

FILE = Path(__file__).with_name("examples.json")


@dataclass(frozen=True, slots=True)
class Examples:
    """Request bodies and, by status, response bodies of each operation, by name."""

    sent: Mapping[Operation, Mapping[str, Plain]]
    answered: Mapping[Operation, Mapping[str, Mapping[str, Plain]]]
    problems: Mapping[str, Plain]
    """By code."""
    places: Mapping[str, str]
    """By path variable."""


def read_examples() -> Examples:
    """Reads the committed examples."""
    return Examples(**json.loads(FILE.read_text(encoding="utf-8")))
