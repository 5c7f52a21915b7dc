"""Whole matches among bots, played on states alone: for simulations, measurements and tests.

Nothing is stored. A match follows from game, options, bots and seed; with a clock, the time of each decision is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bots.budget import Budget
from bots.dice import QuickDice
from bots.random import at_random
from bots.seen import Seen
from domain.game import AnyGame, Dice, Outcome, remembers_nothing
from domain.hidden import redact

Bot = Callable[[Seen, Dice, Budget], Any]


def stopped() -> int:
    """A clock that stands still: for matches whose decisions nobody measures."""
    return 0


@dataclass(slots=True)
class Played:
    """A match that was played to its end, or to the last move that was allowed."""

    outcome: Outcome | None = None
    moves: int = 0
    slowest: list[int] = field(default_factory=list)
    """The longest decision of each seat, by the clock."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A match to be played."""

    game: AnyGame
    options: Any
    bots: Sequence[Bot]
    """One a seat."""
    budget: Callable[[], Budget] = Budget
    """Gives the budget of a decision when it begins."""
    clock: Callable[[], int] = stopped
    most: int = 1_000_000
    """The most moves."""


def play(seating: Seating, seed: int) -> Played:
    """Plays a match. Raises ``ValueError`` if a bot chooses a move that is refused."""
    game, bots, clock = seating.game, seating.bots, seating.clock
    seats, chance = len(bots), QuickDice(seed)
    thoughts = tuple(QuickDice.of(b"bot", seed.to_bytes(8, "big"), bytes([seat])) for seat in range(seats))
    state = game.deal(seats, seating.options, chance)
    memories: list[Any] = [None] * seats
    sees = tuple(frozenset({seat}) for seat in range(seats))
    # Memory costs more than a random move, which needs none.
    remembers = [] if game.remember is remembers_nothing else [s for s in range(seats) if bots[s] is not at_random]
    played = Played(slowest=[0] * seats)
    while (outcome := game.outcome(state)) is None and played.moves < seating.most:
        waiting = game.to_move(state)
        seat = next(iter(waiting)) if len(waiting) == 1 else chance.choice(sorted(waiting))
        seen = Seen(game, seat, redact(state, sees[seat]), memories[seat])
        start = clock()
        move = bots[seat](seen, thoughts[seat], seating.budget())
        played.slowest[seat] = max(played.slowest[seat], clock() - start)
        if (refused := game.refuse(seen.state, seat, move)) is not None:
            raise ValueError(f"{game.id}: seat {seat} chose {move}, which is refused by {refused.rule}")
        for event in game.decide(state, seat, move, chance):
            for each in remembers:
                seen_event = redact(event, sees[each])
                memories[each] = game.remember(memories[each], redact(state, sees[each]), seen_event, each)
            state = game.evolve(state, event)
        played.moves += 1
    played.outcome = outcome
    return played
