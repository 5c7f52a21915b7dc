"""The version of a game's rules by which a match was decided, and whether its commands can be decided again here."""

from __future__ import annotations

from typing import Any, Literal

from domain.game import AnyGame

Rules = Literal["known", "unknown", "impossible"]


def rules_known(game: AnyGame, version: Any) -> Rules:
    """Returns whether the game by this version of its rules is installed.

    ``unknown``: this release has it no longer, or not yet. ``impossible``: no release ever had it.
    """
    if type(version) is not int or version < 1:
        return "impossible"
    return "known" if version == game.version else "unknown"
