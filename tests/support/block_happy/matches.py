"""Whole matches, move by move, with every invariant held on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from domain.games.block_happy import GAME
from domain.games.block_happy.check import unsettled
from domain.games.block_happy.state import Options, State
from domain.hidden import redact
from tests.support.block_happy.bots import Chooser, at_random
from tests.support.dice import RandomDice

Step = tuple[State, int, Any, list[Any]]
"""A state, the seat that moves, its move, and the events that follow."""


def played(seats: int, seed: int, choose: Chooser = at_random) -> Iterator[Step]:
    """A match from the deal on."""
    dice = RandomDice(seed)
    yield from continued(GAME.deal(seats, Options(), dice), dice, choose)


def finished(state: State, seed: int, choose: Chooser = at_random) -> State:
    """The end of a match that goes on from this state."""
    for before, _, _, events in continued(state, RandomDice(seed), choose):
        state = folded(before, events)
    return state


def continued(state: State, dice: RandomDice, choose: Chooser = at_random) -> Iterator[Step]:
    """The rest of a match. Every state between two moves has to be whole, and the last one an end that reads back."""
    while (outcome := GAME.outcome(state)) is None:
        (seat,) = GAME.to_move(state)
        seen = redact(state, frozenset({seat}))
        move = choose(seen, seat, list(GAME.legal(seen, seat)), dice)
        assert GAME.refuse(seen, seat, move) is None
        events = list(GAME.decide(state, seat, move, dice))
        yield state, seat, move, events
        state = folded(state, events)
        assert not list(unsettled(state))
    assert outcome.winners
    assert not GAME.to_move(state)
    assert GAME.parse(GAME.view(state), len(state.hands), Options()) == state


def folded(state: State, events: list[Any]) -> State:
    """The state after these events, each of which leaves seventy cards, seven happiness, and all else that always holds."""
    for event in events:
        state = GAME.evolve(state, event)
        assert not list(GAME.check(state)), f"after {event}"
    return state
