"""Each secret belongs to the seats that the game's table allows; what is not marked secret is declared public.

The tables are written from the rules, see ``tests/support/exposure.py``. They cover every field of every event and move, and
of the state.
"""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType
from typing import Any, get_args, get_type_hints

from domain.game import AnyGame
from domain.hidden import ALL, redact
from domain.wire import face_down
from tests.support.exposure import exposure, fields, in_the_open, may_hold_secrets, secrets_in
from tests.support.played_games import each_game, each_table, matches


def holders(game: AnyGame) -> dict[str, Any]:
    """The classes that make up a state, by the names that the tables use."""
    return {"state": game.state, **game.parts}


@each_game
def test_the_table_has_every_field_and_nothing_else(game: AnyGame) -> None:
    kinds = {**game.moves, **game.events}
    expected = {(name, key) for name, cls in kinds.items() for _field, key in fields(cls)}
    assert exposure(game).fields.keys() == expected
    assert exposure(game).state.keys() == {(name, key) for name, cls in holders(game).items() for _, key in fields(cls)}


@each_game
def test_what_reveals_is_an_event_or_a_public_field_of_one(game: AnyGame) -> None:
    for name, field in exposure(game).reveals:
        assert name in game.events, f"{name} is no event"
        if field is not None:
            assert exposure(game).fields.get((name, field)) == "public", f"{name}.{field} is no public field"


@each_game
def test_what_the_table_calls_public_cannot_hold_a_secret_and_the_rest_must(game: AnyGame) -> None:
    for name, event in game.events.items():
        hints = get_type_hints(event, include_extras=True)
        for field, key in fields(event):
            public = exposure(game).fields[name, key] == "public"
            assert public != may_hold_secrets(hints[field]), f"{name}.{field}"
    moves: dict[str, Any] = dict(game.moves)
    for name, move in moves.items():
        for field, key in fields(move):
            expected = "face_down" if field in face_down(move) else "public"
            assert exposure(game).fields[name, key] == expected, f"{name}.{field}"


@each_game
def test_the_same_of_the_state(game: AnyGame) -> None:
    for name, cls in holders(game).items():
        hints = get_type_hints(cls, include_extras=True)
        for field, key in fields(cls):
            allowed = exposure(game).state[name, key]
            if allowed == "parts":
                assert name == "state", f"{name}.{field} is not of the state"
                assert set(get_args(hints[field])) <= {NoneType, *game.parts.values()}, f"{name}.{field}"
            else:
                assert (allowed == "public") != may_hold_secrets(hints[field]), f"{name}.{field} is declared {allowed}"


@each_table
def test_every_recorded_secret_belongs_to_whom_the_table_says(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for commit in playing.commits:
            with playing.telling(commit.version):
                for event in commit.events:
                    if type(event) in game.names:
                        exposed_as_declared(game, event)


@each_table
def test_every_secret_of_a_state_belongs_to_whom_the_table_says(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for match in playing.matches:
            if match.node is not None:
                with playing.telling(match.version):
                    state_exposed_as_declared(game, match.state)


def exposed_as_declared(game: AnyGame, event: Any) -> None:
    cls: Any = type(event)
    name = game.names[cls]
    for field, key in fields(cls):
        field_exposed_as_declared(f"{name}.{field}", getattr(event, field), exposure(game).fields[name, key], (event,))


def state_exposed_as_declared(game: AnyGame, state: Any) -> None:
    table = exposure(game).state
    for field, key in fields(type(state)):
        allowed, value = table["state", key], getattr(state, field)
        if allowed != "parts":
            field_exposed_as_declared(f"state.{field}", value, allowed, (state, state))
        elif value is not None:
            name = game.names[type(value)]
            for inner, inner_key in fields(type(value)):
                inner_allowed = table[name, inner_key]
                field_exposed_as_declared(f"{name}.{inner}", getattr(value, inner), inner_allowed, (value, state))


def field_exposed_as_declared(
    what: str, value: Any, allowed: str | Callable[..., Any], holders: tuple[Any, ...]
) -> None:
    found = tuple(seats for seats, _held in secrets_in(value))
    if isinstance(allowed, str):
        assert not found, f"{what} is declared {allowed} and holds a secret"
        return
    seats = allowed(*holders)
    expected = (seats,) * len(found) if isinstance(seats, frozenset) else tuple(seats)
    assert found == expected, f"{what} is shown to {found}, not to {expected}"
    assert not in_the_open(value), f"{what} shows {value} to everybody"


@each_table
def test_a_spectator_sees_no_value_of_any_secret(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for match in playing.matches:
            if match.node is not None:
                with playing.telling(match.version):
                    assert "Secret(" not in repr(redact(match.state, frozenset()))
                    assert "Hidden(" not in repr(redact(match.state, ALL))
