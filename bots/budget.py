"""The budget of a decision: how many positions a bot may look at, and how long it may take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


def never() -> bool:
    """The time is never over: a decision then follows from what is seen, the seed and the number of nodes alone."""
    return False


@dataclass(frozen=True, slots=True)
class Budget:
    """The work that one decision may cost."""

    nodes: int = 20_000
    """The most moves that a search may play in its imagined worlds."""
    over: Callable[[], bool] = never
    """Returns true once the time for the decision is over. Asked every few nodes; whoever decides owns the clock."""
