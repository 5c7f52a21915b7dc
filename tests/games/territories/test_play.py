"""Whole matches: at random, and by players who seek the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product

import pytest

from domain.game import Dice, Outcome
from domain.games.territories import GAME
from domain.games.territories.components import BLOCKERS, FREE, MARKS, SPACES
from domain.games.territories.control import all_controlled
from domain.games.territories.events import Event, Passed
from domain.games.territories.examples import BLOCKED_IN, THE_NINTH_TERRITORY, THE_THIRD_BLOCKER
from domain.games.territories.moves import PASS, PLACES, STEPS, AnyMove, Move, Pass
from domain.games.territories.state import Options, State
from domain.hidden import redact
from tests.support.dice import RandomDice
from tests.support.territories import bots
from tests.support.territories.pictures import START_OF_MOVEMENT

Chooser = Callable[[State, int, Sequence[AnyMove], Dice], AnyMove]
Watcher = Callable[[State, Event, State], None]

LIKELY: list[AnyMove] = [*PLACES, *(move for steps in STEPS for _, move in steps), PASS]
"""Every move that is possible on some board; all others are refused on every board."""


def at_random(state: State, seat: int, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
    return dice.choice(moves)


def unwatched(before: State, event: Event, after: State) -> None:
    """Looks away."""


def played(state: State, choose: Chooser, dice: Dice, watch: Watcher = unwatched) -> tuple[State, Outcome]:
    """The last state of a match from here on, and its outcome."""
    while (outcome := GAME.outcome(state)) is None:
        (seat,) = GAME.to_move(state)
        seen = redact(state, frozenset({seat}))
        move = choose(state, seat, list(GAME.legal(seen, seat)), dice)
        assert GAME.refuse(seen, seat, move) is None
        for event in GAME.decide(state, seat, move, dice):
            before, state = state, GAME.evolve(state, event)
            watch(before, event, state)
    return state, outcome


def watch(before: State, event: Event, after: State) -> None:
    """Every invariant after every event."""
    assert list(GAME.check(after)) == []
    assert after.turns == before.turns + 1
    changed = sum(old != new for old, new in zip(before.board, after.board, strict=True))
    assert changed == {"placed": 1, "moved": 2, "passed": 0}[GAME.names[type(event)]]
    assert GAME.to_move(after) == (frozenset() if GAME.outcome(after) else {(event.seat + 1) % after.seats})
    if after.turns % 10 == 0:
        assert GAME.parse(GAME.view(after), after.seats, Options(max_rounds=after.max_rounds)) == after
        legal_is_what_is_not_refused(after, LIKELY)


def legal_is_what_is_not_refused(state: State, moves: Sequence[AnyMove]) -> None:
    for seat in range(state.seats):
        legal = list(GAME.legal(state, seat))
        if seat in GAME.to_move(state):
            assert legal
            assert Counter(legal) == Counter(move for move in moves if GAME.refuse(state, seat, move) is None)
        else:
            assert legal == []


def test_three_hundred_matches_at_random_keep_every_invariant() -> None:
    endings: Counter[str | None] = Counter()
    for seed in range(300):
        dice = RandomDice(seed)
        seats = 2 + seed % 3
        options = Options(dice.choice([None, *range(seats)]), dice.choice((1, 2, 5, 10, 60)))
        last, outcome = played(GAME.deal(seats, options, dice), at_random, dice, watch)
        endings[outcome.rule] += 1
        assert outcome.reason.startswith("all territories are controlled") == all_controlled(last)
        leaders = outcome.scores.count(max(outcome.scores))
        assert (outcome.rule == "TR-8") == (len(outcome.winners) < leaders)
        assert list(GAME.check(last)) == []
        assert GAME.parse(GAME.view(last), seats, options) == last
    assert endings["TR-9"] > 100
    assert endings["TR-7"] > 10
    assert endings["TR-8"] > 10


@pytest.mark.parametrize("seats", GAME.seats)
def test_tr_7_players_who_seek_the_end_control_all_territories(seats: int) -> None:
    ends: Counter[str | None] = Counter()
    for seed in range(20):
        dice = RandomDice(seed)
        _last, outcome = played(GAME.deal(seats, Options(), dice), bots.choose, dice)
        by_control = outcome.reason.startswith("all territories are controlled")
        ends["TR-7" if by_control else outcome.rule] += 1
        assert by_control == (sum(outcome.scores) == 9)
    assert ends["TR-7"] >= 15


def test_tr_5_random_play_from_a_blocked_in_seat_passes_until_there_is_room() -> None:
    passes: list[Event] = []

    def remember(before: State, event: Event, after: State) -> None:
        watch(before, event, after)
        if isinstance(event, Passed):
            passes.append(event)

    for seed in range(20):
        played(BLOCKED_IN, at_random, RandomDice(seed), remember)
    assert len(passes) >= 20


def test_tr_9_that_nobody_can_move_cannot_happen() -> None:
    # Four seats leave nine spaces free: the fewest. A free space always has a blocker beside it.
    for seed in range(20):
        dice = RandomDice(seed)

        def somebody_can_move(before: State, event: Event, after: State) -> None:
            if not after.placing:
                assert after.board.count(FREE) == len(SPACES) - 4 * BLOCKERS
                assert any(_can_move(after, mark) for mark in MARKS)

        played(GAME.deal(4, Options(max_rounds=20), dice), at_random, dice, somebody_can_move)


def _can_move(state: State, mark: str) -> bool:
    own = [i for i, found in enumerate(state.board) if found == mark]
    return any(state.board[to] == FREE for i in own for to, _ in STEPS[i])


@pytest.mark.parametrize("state", [THE_THIRD_BLOCKER, THE_NINTH_TERRITORY, BLOCKED_IN, START_OF_MOVEMENT])
def test_legal_is_exactly_what_is_not_refused_among_all_moves_that_can_be_written(state: State) -> None:
    everything: list[AnyMove] = [*PLACES, Pass(), *(Move(start, to) for start, to in product(SPACES, SPACES))]
    legal_is_what_is_not_refused(state, everything)


@pytest.mark.parametrize("seats", GAME.seats)
def test_any_sound_position_can_be_played_to_the_end(seats: int) -> None:
    spaces = "".join(mark * BLOCKERS for mark in MARKS[:seats]).ljust(len(SPACES), FREE)
    for seed in range(20):
        dice = RandomDice(seed)
        board = "".join(dice.sample(spaces, len(spaces)))
        state = State(board, seats, dice.below(seats), BLOCKERS * seats + 1 + dice.below(20), 20)
        assert list(GAME.check(state)) == []
        played(state, at_random, dice, watch)


def test_the_same_dice_give_the_same_match() -> None:
    ends = [played(GAME.deal(3, Options(), dice), at_random, dice) for dice in (RandomDice(7), RandomDice(7))]
    assert ends[0] == ends[1]
