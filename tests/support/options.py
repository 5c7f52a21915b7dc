"""Options to try a game with, read off the annotations of its options class."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from domain.game import AnyGame
from domain.validation import Between, OneOf


@cache
def option_sets(game: AnyGame, seats: int) -> tuple[Any, ...]:
    """The defaults, then each option at each of its telling values, the others at their defaults; only what is allowed.

    The first other value of each option comes first, then the second of each, and so on, so that the few matches of a table meet
    every option.
    """
    default = game.options()
    hints = get_type_hints(game.options, include_extras=True)
    by_field = [_allowed(game, seats, field.name, hints[field.name]) for field in dataclasses.fields(game.options)]
    in_turn = [options for same in zip_longest(*by_field) for options in same if options is not None]
    return (default, *in_turn)


def _allowed(game: AnyGame, seats: int, field: str, hint: Any) -> list[Any]:
    """The defaults with each other telling value of one option."""
    default = game.options()
    values = dict.fromkeys(telling(hint, seats))
    changed = [dataclasses.replace(default, **{field: value}) for value in values]
    return [options for options in changed if options != default and game.options_fault(options, seats) is None]


def telling(hint: Any, seats: int, marks: tuple[Any, ...] = ()) -> Iterator[Any]:
    """Values of a type that are worth a try: all of a few, the ends and a middle of a range."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        yield from telling(args[0], seats, args[1:])
    elif origin is Literal:
        yield from args
    elif origin is Union or origin is types.UnionType:
        for arg in args:
            yield from telling(arg, seats)
    elif origin is tuple:
        yield from _lists(list(dict.fromkeys(telling(args[0], seats))), seats)
    elif hint is bool:
        yield from (False, True)
    elif hint is type(None):
        yield None
    for mark in marks:
        if isinstance(mark, Between):
            yield from (mark.least, (mark.least + min(mark.most, mark.least + 20)) // 2, mark.most)
        elif isinstance(mark, OneOf):
            yield from mark.values


def _lists(items: list[Any], seats: int) -> Iterator[tuple[Any, ...]]:
    """Lists of different items, one a seat: each window of the table, forwards and backwards."""
    for first in range(0, len(items) - seats + 1, max(1, seats)):
        yield tuple(items[first : first + seats])
    yield tuple(reversed(items[-seats:]))
