"""Positions that strangers write: refused with the field named, or playable to the end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from domain import validation
from domain.game import AnyGame
from domain.hidden import ALL, redact
from domain.match import Match
from domain.validation import MalformedError
from tests.support.dice import RandomDice
from tests.support.mutating import STRANGE, mutated
from tests.support.options import option_sets
from tests.support.played_games import SOAK, each_game, each_table, matches
from tests.support.playing import Playing, Setup, any_kind, play_on

MUTANTS = 500 * SOAK
"""Mutated positions of a table that are read."""
MOVES_ON = 30
"""Moves that are played from a mutated position that reads and breaks no invariant."""
PLAYED_ON = 12 * SOAK
"""Such positions of a table that are played on from."""


def accepted(game: AnyGame, plain: Any, seats: int, options: Any) -> Any:
    """The state that a position stands for, ``None`` if it is refused. Refusing names a field and says why."""
    try:
        state = game.parse(plain, seats, options)
        faults = list(game.check(state))
    except MalformedError as fault:
        faults = [fault]
    for found in faults:
        assert isinstance(found, MalformedError)
        assert isinstance(found.field, str)
        assert found.message, found.field
    return None if faults else state


def mutants(game: AnyGame, seats: int) -> Iterator[tuple[Playing, Match, Any, RandomDice]]:
    started = [(p, match) for p in matches(game, seats) for match in p.matches if match.node is not None]
    for number in range(MUTANTS):
        playing, match = started[number * 7919 % len(started)]
        with playing.telling(match.version):
            dice = RandomDice(number)
            yield playing, match, mutated(position(match), dice, 1 + dice.below(3)), dice


def position(match: Match) -> Any:
    return json.loads(json.dumps(match.game.view(redact(match.state, ALL))))


@each_table
def test_a_mutated_position_is_refused_with_its_field_or_can_be_played(game: AnyGame, seats: int) -> None:
    played_on = 0
    for playing, match, plain, dice in mutants(game, seats):
        options = playing.setup.options
        state = accepted(game, plain, seats, options)
        if state is None or state == match.state:
            continue
        assert game.parse(json.loads(json.dumps(game.view(state))), seats, options) == state
        ended = game.outcome(state) is not None
        assert bool(game.to_move(state)) != ended, f"nobody can move in {plain}"
        if played_on < PLAYED_ON:
            played_on += 1
            play_from(Setup(game, seats, options, playing.setup.seed, state), dice, plain)


def play_from(setup: Setup, dice: RandomDice, plain: Any) -> None:
    try:
        playing = Playing(setup)
        play_on(playing, any_kind, dice, setup.seats + MOVES_ON)
        assert list(setup.game.check(playing.match.state)) == []
        setup.game.imagine(redact(playing.match.state, frozenset({0})), 0, dice)
    except Exception as fault:
        fault.add_note(f"from the position {json.dumps(plain)}")
        raise


@each_table
def test_a_position_of_another_number_of_seats_or_of_no_game_is_refused(game: AnyGame, seats: int) -> None:
    options = option_sets(game, seats)[0]
    for strange in STRANGE:
        assert accepted(game, strange, seats, options) is None, strange
    for playing in matches(game, seats):
        for other in game.seats:
            if other != seats:
                with playing.telling(seats):
                    assert accepted(game, position(playing.matches[-1]), other, options) is None, f"as {other} seats"


@each_table
def test_a_redacted_view_is_no_position(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for match in playing.matches[seats - 1 :: 5]:
            with playing.telling(match.version):
                seen = game.view(redact(match.state, frozenset()))
                if seen != position(match):
                    assert accepted(game, seen, seats, playing.setup.options) is None


@each_game
def test_examples_read_and_can_be_played(game: AnyGame) -> None:
    for name, plain in game.examples.items():
        states = [accepted(game, plain, seats, game.options()) for seats in game.seats]
        assert any(state is not None for state in states), f"{name} reads for no number of seats"
        for seats, state in zip(game.seats, states, strict=True):
            if state is not None:
                play_from(Setup(game, seats, game.options(), position=state), RandomDice(seats), plain)


@each_game
def test_a_view_and_options_are_json(game: AnyGame) -> None:
    for seats in game.seats:
        for options in option_sets(game, seats):
            plain = json.loads(json.dumps(validation.plain(options)))
            assert validation.read(game.options, plain) == options
            assert game.options_fault(options, seats) is None
    json.dumps(validation.schema(game.options))
    for move in game.moves.values():
        json.dumps(validation.schema(move))
