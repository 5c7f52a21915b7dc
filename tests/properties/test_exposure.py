"""Each recorded secret belongs to the seats that the game's table allows; what is not marked secret is declared public.

A game's table stands in ``tests/games/exposure_<id>.py``, written from its rules: (wire name, field) → ``"public"``,
``"face_down"`` (a move's field that the acting seat alone knows), or a function from the whole event to the seats that
may know the field; where the field is a list of secrets for different seats, to a tuple of such sets.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

from domain import validation
from domain.game import AnyGame
from domain.hidden import ALL, Bag, Hidden, Secret, redact
from domain.wire import face_down
from tests.support.played_games import each_game, each_table, matches, name_of

Table = Mapping[tuple[str, str], str | Callable[[Any], Any]]


@cache
def exposure(game: AnyGame) -> Table:
    table: Table = importlib.import_module(f"tests.games.exposure_{name_of(game)}").EXPOSURE
    return {(name, validation.key(field)): allowed for (name, field), allowed in table.items()}


def fields(cls: Any) -> list[tuple[str, str]]:
    """The fields of a class: their names, and what they are called on the wire and in the table."""
    return [(field, validation.key(field)) for field in validation.names(cls)]


def may_hold_secrets(hint: Any) -> bool:
    """Whether a secret can stand in a value of this type, by its annotations."""
    if hint in (Secret, Hidden, Bag):
        return True
    if dataclasses.is_dataclass(hint):
        return any(may_hold_secrets(inner) for inner in get_type_hints(hint, include_extras=True).values())
    return any(may_hold_secrets(arg) for arg in get_args(hint))


def secrets_in(value: Any) -> Iterator[frozenset[int]]:
    """The seats of every secret inside a value."""
    if isinstance(value, (Secret, Bag)):
        yield value.seats
    if isinstance(value, Bag):
        yield from secrets_in(value.top)
    elif isinstance(value, (tuple, frozenset)):
        for item in value:
            yield from secrets_in(item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, (Secret, type)):
        for name in validation.names(type(value)):
            yield from secrets_in(getattr(value, name))


def in_the_open(value: Any) -> bool:
    """Whether something stands outside of all secrets: what a field declared secret may not have, but for nothing."""
    if value is None or isinstance(value, (Secret, Hidden, Bag)):
        return False
    return any(map(in_the_open, value)) if isinstance(value, tuple) else True


@each_game
def test_the_table_has_every_field_and_nothing_else(game: AnyGame) -> None:
    kinds = {**game.moves, **game.events}
    assert exposure(game).keys() == {(name, key) for name, cls in kinds.items() for _field, key in fields(cls)}


@each_game
def test_what_the_table_calls_public_cannot_hold_a_secret_and_the_rest_must(game: AnyGame) -> None:
    for name, event in game.events.items():
        hints = get_type_hints(event, include_extras=True)
        for field, key in fields(event):
            public = exposure(game)[name, key] == "public"
            assert public != may_hold_secrets(hints[field]), f"{name}.{field}"
    moves: dict[str, Any] = dict(game.moves)
    for name, move in moves.items():
        for field, key in fields(move):
            expected = "face_down" if field in face_down(move) else "public"
            assert exposure(game)[name, key] == expected, f"{name}.{field}"


@each_table
def test_every_recorded_secret_belongs_to_whom_the_table_says(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for commit in playing.commits:
            with playing.telling(commit.version):
                for event in commit.events:
                    if type(event) in game.names:
                        exposed_as_declared(game, event)


def exposed_as_declared(game: AnyGame, event: Any) -> None:
    cls: Any = type(event)
    name = game.names[cls]
    for field, key in fields(cls):
        allowed, value = exposure(game)[name, key], getattr(event, field)
        found = tuple(secrets_in(value))
        if isinstance(allowed, str):
            assert not found, f"{name}.{field} is declared {allowed} and holds a secret"
            continue
        seats = allowed(event)
        expected = (seats,) * len(found) if isinstance(seats, frozenset) else tuple(seats)
        assert found == expected, f"{name}.{field} is shown to {found}, not to {expected}"
        assert not in_the_open(value), f"{name}.{field} shows {value} to everybody"


@each_table
def test_a_spectator_sees_no_value_of_any_secret(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for match in playing.matches:
            if match.node is not None:
                with playing.telling(match.version):
                    assert "Secret(" not in repr(redact(match.state, frozenset()))
                    assert "Hidden(" not in repr(redact(match.state, ALL))
