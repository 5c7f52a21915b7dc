"""Whole matches at random: the cards are all there after every event, and everybody's knowledge folds to the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from domain.games.block_happy import GAME, Options
from domain.games.block_happy.position import missing
from domain.games.block_happy.state import State
from domain.hidden import ALL, redact
from domain.wire import face_down
from tests.support.dice import RandomDice

MATCHES_PER_SEATS = 75


def folded(state: State, events: list[Any], *, checked: bool = True) -> State:
    for event in events:
        state = GAME.evolve(state, event)
        if checked:
            assert not any(missing(state).values()), f"cards are lost or found by {event}"
    return state


def played(seats: int, seed: int) -> Iterator[tuple[State, int, Any, list[Any]]]:
    """The states of a random match, each with the seat that moves, its move and what follows."""
    dice = RandomDice(seed)
    state = GAME.deal(seats, Options(), dice)
    while (outcome := GAME.outcome(state)) is None:
        (seat,) = GAME.to_move(state)
        seen = redact(state, frozenset({seat}))
        move = dice.choice(list(GAME.legal(seen, seat)))
        assert GAME.refuse(seen, seat, move) is None
        events = list(GAME.decide(state, seat, move, dice))
        yield state, seat, move, events
        state = folded(state, events)
        assert not list(GAME.check(state))
    assert outcome.winners
    assert not GAME.to_move(state)
    assert GAME.parse(GAME.view(state), seats, Options()) == state


@pytest.mark.parametrize("seats", GAME.seats)
def test_random_matches_end_and_never_lose_a_card(seats: int) -> None:
    for seed in range(MATCHES_PER_SEATS):
        for _ in played(seats, seed):
            pass


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_seat_folds_what_it_may_see_to_what_it_may_see(seats: int) -> None:
    viewers = [frozenset({seat}) for seat in range(seats)] + [frozenset(), frozenset({0, 1})]
    for seed in range(4):
        seen = None
        for state, _, _, events in played(seats, seed):
            seen = seen or [redact(state, viewer) for viewer in viewers]
            assert seen == [redact(state, viewer) for viewer in viewers]
            for event in events:
                seen = [
                    redact(GAME.evolve(own, redact(event, viewer)), viewer)
                    for own, viewer in zip(seen, viewers, strict=True)
                ]


@pytest.mark.parametrize("seats", GAME.seats)
def test_an_imagined_world_looks_like_the_real_one_and_can_be_played(seats: int) -> None:
    dice = RandomDice(7)
    for seed in range(4):
        for state, mover, move, _ in played(seats, seed):
            for seat in range(seats):
                seen = redact(state, frozenset({seat}))
                imagined = GAME.imagine(seen, seat, dice)
                assert redact(imagined, frozenset({seat})) == seen
                assert not list(GAME.check(imagined))
                assert GAME.legal(seen, seat) == GAME.legal(redact(imagined, frozenset({seat})), seat)
            assert GAME.refuse(redact(imagined, ALL), mover, move) is None or mover != seat


@pytest.mark.parametrize("seats", GAME.seats)
def test_legal_moves_are_the_moves_not_refused_each_once(seats: int) -> None:
    for seed in range(6):
        for state, seat, _, _ in played(seats, seed):
            seen = redact(state, frozenset({seat}))
            moves = list(GAME.legal(seen, seat))
            assert len(moves) == len(set(moves)) <= 1000
            assert [move for move in moves if GAME.refuse(seen, seat, move)] == []
            assert all(GAME.read_move(GAME.plain_move(move)) == move for move in moves[:20])
            assert not any(GAME.legal(state, other) for other in range(seats) if other != seat)


def test_a_position_reads_back_to_the_state_that_it_shows() -> None:
    for seats in GAME.seats:
        for state, *_ in played(seats, seed=99):
            assert GAME.parse(GAME.view(state), seats, Options()) == state


def test_only_the_choices_among_cards_shown_to_one_seat_are_face_down() -> None:
    hidden = {name: face_down(move) for name, move in GAME.moves.items() if face_down(move)}
    assert hidden == {"take": {"card"}, "keep": {"card"}}
