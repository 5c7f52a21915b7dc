"""Whole matches at random: the cards are all there after every event, and everybody's knowledge folds to the same."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from domain.games.block_happy import GAME
from domain.games.block_happy.check import unsettled
from domain.games.block_happy.components import NAMES, SIMPLE, WITHOUT_HAPPY
from domain.games.block_happy.examples import composed
from domain.games.block_happy.state import Options, State
from domain.hidden import redact
from domain.wire import face_down
from tests.support.block_happy.bots import Chooser, at_random, choose, dawdle, goad
from tests.support.block_happy.matches import finished, folded, played
from tests.support.block_happy.tables import OTHER, PLAIN
from tests.support.dice import RandomDice

MATCHES_PER_SEATS = 75


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
        for state, *_ in played(seats, seed):
            for seat in range(seats):
                seen = redact(state, frozenset({seat}))
                imagined = GAME.imagine(seen, seat, dice)
                assert redact(imagined, frozenset({seat})) == seen
                assert not list(GAME.check(imagined))
                assert GAME.legal(seen, seat) == GAME.legal(redact(imagined, frozenset({seat})), seat)


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


def test_every_way_to_end_is_reached() -> None:
    players: list[Chooser] = [at_random, choose, goad]
    ends: Counter[tuple[str, bool]] = Counter()
    for seats in GAME.seats:
        for seed in range(45):
            state = _last_state(seats, seed, players[seed % len(players)])
            outcome = GAME.outcome(state)
            assert outcome is not None
            ends[outcome.reason, outcome.winners == (state.turn,)] += 1
    assert ends.keys() == {
        (reason, in_turn)
        for reason in ("seven happiness", "six happiness and Tickled Pink")
        for in_turn in (True, False)
    }


def _last_state(seats: int, seed: int, chooser: Chooser) -> State:
    *_, (state, _, _, events) = played(seats, seed, chooser)
    return folded(state, events)


def test_players_in_no_hurry_are_stopped_by_the_last_turn() -> None:
    start = composed([f"smug {PLAIN}", f"smug {OTHER}"], [3, 2], turns=1990)
    reasons = Counter(GAME.outcome(finished(start, seed, dawdle)) for seed in range(5))
    assert "most happiness after 2,000 turns" in {outcome.reason for outcome in reasons if outcome}


def test_whatever_lies_where_the_match_can_be_played_to_its_end() -> None:
    """Any split of the deck: hands of one card or of forty, no piles, all of the happiness hidden."""
    dice = RandomDice(11)
    played_on = 0
    for seed in range(150):
        start = _any_table(dice)
        if not list(GAME.check(start)) and not list(unsettled(start)):
            assert GAME.outcome(finished(start, seed)) is not None
            played_on += 1
    assert played_on > 100


def _any_table(dice: RandomDice) -> State:
    seats = 2 + dice.below(4)
    cards = dice.sample(WITHOUT_HAPPY, len(WITHOUT_HAPPY))
    cuts = sorted(dice.below(len(cards) + 1) for _ in range(seats + 1))
    if dice.below(3) == 0:
        cuts[-1] = len(cards)
    hands = [" ".join(cards[start:end]) for start, end in pairwise(cuts)]
    show = " ".join(cards[cuts[-1] :][::2])
    happiness = [dice.below(2 if seats > 2 else 4) for _ in range(seats)]
    return composed(hands, happiness, turn=dice.below(seats), turns=1900, show=show, top=" ".join(cards[: cuts[0]][:4]))


def test_the_widest_choice_is_below_a_thousand_moves() -> None:
    everything = " ".join(name for name in NAMES if name != "happy")
    hands = [f"{everything} {' '.join(SIMPLE)}", *["smug"] * 4]
    start = composed(hands, [1] * 5, hidden="happy happy")
    assert not list(GAME.check(start))
    assert 300 < len(list(GAME.legal(start, 0))) < 1000
