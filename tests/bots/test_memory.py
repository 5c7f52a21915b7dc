"""What seats remember is true, and worlds that agree with it look as the real one does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bots.dice import QuickDice
from bots.seen import Seen, remembered, seen
from domain.game import AnyGame, remembers_nothing
from domain.games import all_games
from domain.games.block_happy import events as e
from domain.hidden import redact
from tests.support.dice import RandomDice
from tests.support.played_games import matches
from tests.support.playing import Playing

REMEMBERING = {name: game for name, game in all_games().items() if game.remember is not remembers_nothing}
each_remembering = pytest.mark.parametrize("game", REMEMBERING.values(), ids=REMEMBERING.keys())
EVERY = 5
"""One in so many versions is looked at."""


def followed(playing: Playing, seat: int) -> Iterator[tuple[Any, Seen]]:
    """The full state at each version without a return, and what the seat has seen and remembers by then."""
    game, memory = playing.game, None
    for before, commit, match in zip(playing.matches, playing.commits[1:], playing.matches[1:], strict=False):
        if before.state is not None and match.branches == 0 and match.status == "live":
            memory = remembered(game, seat, before.state, commit.events, memory)
            yield match.state, seen(game, match.state, seat, memory)


def moments(game: AnyGame) -> Iterator[tuple[Any, Seen]]:
    for seats in (2, 3):
        for playing in matches(game, seats)[:4]:
            for seat in range(seats):
                with playing.telling():
                    yield from list(followed(playing, seat))[::EVERY]


@each_remembering
def test_the_real_state_agrees_with_what_each_seat_remembers(game: AnyGame) -> None:
    """Nothing has to change its place, so nothing that a seat remembers is wrong."""
    remembering = 0
    for number, (state, view) in enumerate(moments(game)):
        if view.memory is not None:
            remembering += 1
            assert game.agree(state, view.seat, view.memory, RandomDice(number)) == state
    assert remembering or game.id == "blockers"  # Passes are rare there; see below.


@each_remembering
def test_a_world_that_agrees_looks_like_the_real_one(game: AnyGame) -> None:
    for number, (state, view) in enumerate(moments(game)):
        world = view.imagine(QuickDice(number))
        assert redact(world, frozenset({view.seat})) == redact(state, frozenset({view.seat}))
        assert list(game.check(world)) == []
        if view.memory is not None:
            assert game.agree(world, view.seat, view.memory, QuickDice(number)) == world


def test_a_hand_that_was_shown_is_in_every_world() -> None:
    """Until a card comes that the seat has not seen, the hand is known to the last card."""
    game, found = REMEMBERING["block_happy"], 0
    for seats in (2, 3):
        for playing in matches(game, seats):
            for index, commit in enumerate(playing.commits[1:]):
                shown = [event for event in commit.events if isinstance(event, e.HandShown)]
                if shown and playing.matches[index + 1].status == "live":
                    event = shown[0]
                    memory = remembered(game, event.seat, playing.matches[index].state, commit.events)
                    # Without the waiting choice, the state itself does not show the hand any more.
                    state = replace(playing.matches[index + 1].state, pending=None)
                    for number in range(3):
                        world = seen(game, state, event.seat, memory).imagine(QuickDice(number))
                        assert world.hands[event.target] == state.hands[event.target]
                    found += 1
    assert found


def test_what_lies_on_top_is_remembered_by_who_put_it_back() -> None:
    game, known = REMEMBERING["block_happy"], 0
    for seats in (2, 3):
        for playing in matches(game, seats):
            for seat in range(seats):
                for state, view in followed(playing, seat):
                    if view.memory is None or not state.hidden_pile.top:
                        continue
                    real = [card.value for card in state.hidden_pile.top]
                    for card, remembers in zip(real, view.memory.top, strict=False):
                        known += remembers is not None
                        assert remembers in (None, card)
    assert known


def test_after_a_pass_no_world_has_a_tile_that_could_have_been_placed() -> None:
    game = REMEMBERING["blockers"]
    state = game.parse(game.examples["nothing_to_place"], 4, game.options())
    passing = next(iter(game.to_move(state)))
    assert [type(move).__name__ for move in game.legal(state, passing)] == ["Pass"]
    events = game.decide(state, passing, next(iter(game.legal(state, passing))), RandomDice(0))
    after = state
    for event in events:
        after = game.evolve(after, event)
    watching = (passing + 1) % 4
    memory = remembered(game, watching, state, events)
    without, agreeing = 0, 0
    for number in range(20):
        plain = game.imagine(redact(after, frozenset({watching})), watching, RandomDice(number))
        world = seen(game, after, watching, memory).imagine(RandomDice(number))
        without += could_place(game, plain, passing)
        agreeing += could_place(game, world, passing)
    assert without > 0
    assert agreeing == 0


def could_place(game: AnyGame, state: Any, seat: int) -> bool:
    """True if the seat could have placed a tile instead of the pass that was its last turn."""
    turned_back = type(state)(
        state.scoring,
        state.first_seat,
        state.turns - 1,
        state.colours,
        state.tiles,
        state.racks,
        state.piles,
        state.captured,
    )
    return type(next(iter(game.legal(turned_back, seat)))).__name__ != "Pass"
