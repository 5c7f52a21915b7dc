"""Bots: strategies that choose a move for a seat, for every game.

Here live pure functions over the record ``Game``: a choice follows from what the seat may see, a seed and a budget. A bot
never gets the state of a match, only the state redacted for its seat; everything hidden it has to imagine. No clock, no
network and no game by name: the time comes with the budget, chance with the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bots.budget import Budget
from bots.greedy import best_at_once
from bots.planner import best_ahead
from bots.random import at_random
from bots.seen import Seen
from domain.game import Dice

Bot = Callable[[Seen, Dice, Budget], Any]
"""(what the seat sees, dice of its own, budget) → one of its legal moves."""

LEVELS: Mapping[str, Bot] = {"random": at_random, "greedy": best_at_once, "planner": best_ahead}
"""Name of a level → the bot."""

__all__ = ["LEVELS", "Bot", "Budget", "Seen"]
