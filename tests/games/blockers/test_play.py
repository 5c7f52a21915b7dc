"""Many random matches: the invariants at every version, what each seat can and cannot tell, and the flow."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from domain.games.blockers import GAME, Options, State, TilePlaced
from domain.games.blockers.components import TILES
from domain.games.blockers.events import Event
from domain.games.blockers.secrecy import seen_on_the_table
from domain.games.blockers.state import Scoring
from domain.hidden import Hidden, Secret, Sees, redact
from tests.support.blockers.positions import end
from tests.support.blockers.versions import versions
from tests.support.dice import RandomDice

SCORINGS: tuple[Scoring, ...] = ("blockers", "uptown")
TABLES = list(product((2, 3, 4, 5), SCORINGS))


@pytest.mark.parametrize(("seats", "scoring"), TABLES)
def test_random_matches_keep_every_invariant_to_the_end(seats: int, scoring: Scoring) -> None:
    for seed in range(25):
        options = Options(scoring=scoring, first_seat=None if seed % 2 else seed % seats)
        state = None
        for state, _event in versions(seats, options, seed):
            assert not list(GAME.check(state))
        assert state is not None
        assert state.turns == end(seats)
        assert {len(rack) for rack in state.racks} == {4}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_bl_2_each_colour_has_its_28_tiles_at_every_version(seats: int) -> None:
    for state, _event in versions(seats, Options(), seats):
        for colour, (rack, pile) in enumerate(zip(state.racks, state.piles, strict=True)):
            hidden = [*(rack.cards or ()), *(pile.cards or ())]
            assert sorted([*seen_on_the_table(state, colour), *hidden]) == sorted(TILES)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_folding_what_a_viewer_sees_gives_what_the_viewer_sees(seats: int) -> None:
    viewers = [frozenset(seen) for size in (0, 1, 2) for seen in combinations(range(seats), size)]
    known: dict[Sees, State] = {}
    for state, event in versions(seats, Options(), seats):
        for viewer in viewers:
            if event is None:
                known[viewer] = redact(state, viewer)
            else:
                known[viewer] = redact(GAME.evolve(known[viewer], _veiled(event, viewer)), viewer)
            assert known[viewer] == redact(state, viewer)
            assert GAME.to_move(known[viewer]) == GAME.to_move(state)
            assert GAME.outcome(known[viewer]) == GAME.outcome(state)


def _veiled(event: Event, viewer: frozenset[int]) -> Event:
    if isinstance(event, TilePlaced) and isinstance(event.drawn, Secret) and event.drawn.seats.isdisjoint(viewer):
        return TilePlaced(event.seat, event.colour, event.tile, event.at, event.captured, Hidden(event.drawn.seats))
    return event


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_an_imagined_world_looks_the_same_from_its_seat(seats: int) -> None:
    dice = RandomDice(7)
    for state, _event in versions(seats, Options(), seats):
        for seat in range(seats):
            seen = redact(state, frozenset({seat}))
            imagined = GAME.imagine(seen, seat, dice)
            assert redact(imagined, frozenset({seat})) == seen
            assert not list(GAME.check(imagined))
            assert GAME.view(redact(imagined, frozenset({seat}))) == GAME.view(seen)
            assert list(GAME.legal(redact(imagined, frozenset({seat})), seat)) == list(GAME.legal(seen, seat))


@pytest.mark.parametrize(("seats", "scoring"), TABLES)
def test_a_position_reads_back_at_every_version(seats: int, scoring: Scoring) -> None:
    options = Options(scoring=scoring)
    for state, _event in versions(seats, options, seats):
        assert GAME.parse(GAME.view(state), seats, options) == state
