"""The versions of a match of Blockers!."""

from __future__ import annotations

from collections.abc import Iterator

from domain.games.blockers import GAME, Options, State
from domain.games.blockers.events import Event
from domain.hidden import redact
from tests.support.dice import RandomDice


def versions(seats: int, options: Options, seed: int) -> Iterator[tuple[State, Event | None]]:
    """Each state of a random match with the event that led there; every move must be accepted."""
    dice = RandomDice(seed)
    state = GAME.deal(seats, options, dice)
    yield state, None
    while GAME.outcome(state) is None:
        (seat,) = GAME.to_move(state)
        seen = redact(state, frozenset({seat}))
        move = dice.choice(list(GAME.legal(seen, seat)))
        assert GAME.refuse(seen, seat, move) is None
        (event,) = GAME.decide(state, seat, move, dice)
        state = GAME.evolve(state, event)
        yield state, event
