"""What each seat may know, and that nothing else changes what it sees."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from typing import Any

import pytest

from domain import validation, wire
from domain.games.cock_block import GAME
from domain.games.cock_block.state import Options, State
from domain.hidden import ALL, NOBODY, Bag, Hidden, Seats, Secret, redact
from tests.games.exposure_cock_block import EVENTS, EXPOSURE, MOVES
from tests.support.cock_block.bots import choose
from tests.support.cock_block.table import GEEKS, at, block, commit, counter, move, table
from tests.support.dice import RandomDice
from tests.support.scenario import dealt

OPTIONS = [Options(), GEEKS, Options(fights="geeks", barn_rows=3, free_combinations=True)]


def history(seed: int, seats: int, options: Options) -> Iterator[tuple[State, int, Any, tuple[Any, ...], State]]:
    """(state, seat, move, events, state after) of a match; half of its moves are random, so that all kinds occur."""
    dice, mixed = RandomDice(seed), random.Random(seed)
    state = GAME.deal(seats, options, dice)
    while to_move := GAME.to_move(state):
        seat = mixed.choice(sorted(to_move))
        seen = redact(state, frozenset({seat}))
        moves = list(GAME.legal(seen, seat))
        move = mixed.choice(moves) if mixed.random() < 0.3 else choose(seen, seat, moves, dice)
        events = tuple(GAME.decide(state, seat, move, dice))
        after = state
        for event in events:
            after = GAME.evolve(after, event)
        yield state, seat, move, events, after
        state = after


def test_cb_38_hands_are_hidden_and_their_counts_are_not() -> None:
    view = dealt(GAME, 3).view(1)
    assert [seat["hand"]["count"] for seat in view["seats"]] == [7, 7, 7]
    assert [seat["hand"]["cards"] == validation.HIDDEN for seat in view["seats"]] == [True, False, True]
    assert view["deck"] == {"count": 89, "cards": validation.HIDDEN}


def test_cb_38_the_discard_pile_and_what_lies_on_heroes_are_open_to_everybody() -> None:
    start = table(at("a0", "wild", slowed=True), at("d3", all_access=True), discard=["flex_gunz"])
    view = start.view()
    assert view["discard"] == ["flex_gunz"]
    assert [(seat["slowed"], seat["all_access"]) for seat in view["seats"]] == [(True, False), (False, True)]


@pytest.mark.parametrize("options", OPTIONS)
def test_a_seat_knows_exactly_what_its_own_redacted_events_tell(options: Options) -> None:
    for seats in (2, 3, 4):
        viewers: list[Seats] = [NOBODY, *(frozenset({seat}) for seat in range(seats)), frozenset({0, 1})]
        known: dict[Seats, State] = {}
        for state, _seat, _move, events, after in history(seats, seats, options):
            for sees in viewers:
                folded = known.get(sees, redact(state, sees))
                for event in events:
                    folded = redact(GAME.evolve(folded, redact(event, sees)), sees)
                known[sees] = folded
                assert folded == redact(after, sees)


@pytest.mark.parametrize("options", OPTIONS)
def test_to_move_and_outcome_are_the_same_for_everybody(options: Options) -> None:
    for state, seat, _move, _events, after in history(7, 3, options):
        for sees in (NOBODY, frozenset({seat})):
            assert GAME.to_move(redact(state, sees)) == GAME.to_move(state)
            assert GAME.outcome(redact(after, sees)) == GAME.outcome(after)


@pytest.mark.parametrize("options", OPTIONS)
def test_a_seat_cannot_tell_an_imagined_world_from_the_real_one(options: Options) -> None:
    dice = RandomDice(3)
    for state, seat, *_rest in history(11, 4, options):
        own = frozenset({seat})
        seen = redact(state, own)
        imagined = GAME.imagine(seen, seat, dice)
        assert redact(imagined, own) == seen
        assert list(GAME.check(imagined)) == []
        assert GAME.view(redact(imagined, own)) == GAME.view(seen)


def test_cb_34_a_hidden_commitment_is_imagined_out_of_the_imagined_hand() -> None:
    start = table(at("b2", "flex_gunz", "got_bread", "wild"), at("b3", "the_rumor"), options=GEEKS)
    state = start.when(move("flex_gunz")).when(commit("got_bread wild"), seat=0).state
    seen = redact(state, frozenset({1}))
    worlds = [GAME.imagine(seen, 1, RandomDice(seed)) for seed in range(40)]
    assert all(list(GAME.check(world)) == [] for world in worlds)
    counts = {len(world.pending.commitments[0].value) for world in worlds}  # type: ignore[union-attr]
    assert counts == {0, 1, 2}


def test_cb_25_a_window_and_its_answers_tell_nothing_about_the_hand() -> None:
    holding = table(at("a0", "jealous_bff"), at("b3", "wingman"), at("b1", "flex_gunz"))
    lacking = table(at("a0", "jealous_bff"), at("b3", "wild"), at("b1", "flex_gunz"))
    for sees in ((0,), (2,), ()):
        asked = [start.when(block("jealous_bff", "b4")) for start in (holding, lacking)]
        assert asked[0].happened == asked[1].happened
        assert asked[0].view(*sees) == asked[1].view(*sees)
        assert asked[0].to_move == asked[1].to_move
    refused = lacking.when(block("jealous_bff", "b4")).when(counter("wingman", "b4", "b5"))
    refused.refused("CB-25")


@pytest.mark.parametrize("options", OPTIONS)
def test_every_secret_and_every_open_field_is_as_the_exposure_table_says(options: Options) -> None:
    for seed in range(4):
        for _state, _seat, _move, events, _after in history(seed, 2 + seed % 3, options):
            for event in events:
                for field in dataclasses.fields(event):
                    who = EVENTS[GAME.names[type(event)], field.name]
                    expected = {ALL} if isinstance(who, str) else {who(event)}
                    assert _known_to(getattr(event, field.name)) == expected


def _known_to(value: Any) -> set[Any]:
    if isinstance(value, (Secret, Hidden)):
        return {value.seats}
    if isinstance(value, tuple) and any(isinstance(item, (Secret, Hidden)) for item in value):
        return set.union(*map(_known_to, value))
    return {ALL}


def test_the_exposure_table_has_every_field_and_no_other() -> None:
    fields = {
        (name, validation.key(field.name))
        for table_of in (GAME.events, GAME.moves)
        for name, cls in table_of.items()
        for field in dataclasses.fields(cls)
    }
    assert fields == EXPOSURE.keys()
    face_down = {(name, field) for name, cls in GAME.moves.items() for field in wire.face_down(cls)}
    assert face_down == {key for key, who in MOVES.items() if who == "face_down"}


def test_an_unseen_hand_shows_the_same_whatever_it_holds() -> None:
    state = dealt(GAME, 2).state
    other = dataclasses.replace(state, hands=(state.hands[0], Bag.of(state.deck.cards[:7], frozenset({1}))))
    assert GAME.view(redact(state, frozenset({0}))) == GAME.view(redact(other, frozenset({0})))
