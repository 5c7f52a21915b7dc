"""The games, one folder each, discovered by folder.

Law: a game imports ``domain.game``, ``domain.hidden`` and ``domain.validation`` and nothing else of the kernel, and nothing
of another game. It contains no undo, no clock, no storage and no network. Its folder's ``__init__`` gives one ``GAME``. Adding
a game means adding a folder here and its tests.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from domain.game import AnyGame


@cache
def all_games() -> dict[str, AnyGame]:
    """Every game by its id, in alphabetical order."""
    found = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(__path__) if info.ispkg):
        game: AnyGame = importlib.import_module(f"{__name__}.{module}").GAME
        if game.id != module:
            raise ValueError(f"the folder {module} holds the game {game.id}")
        found[game.id] = game
    return found
