"""``random``: any legal move, all equally likely."""

from __future__ import annotations

from typing import Any

from bots.budget import Budget
from bots.seen import Seen
from domain.game import Dice


def at_random(seen: Seen, dice: Dice, budget: Budget) -> Any:
    return dice.choice(seen.legal())
