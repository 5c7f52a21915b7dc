"""Any value of a type, generated from its annotations: what a stranger could write that still has the right shape."""

from __future__ import annotations

import dataclasses
import itertools
import types
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from domain.game import AnyGame, Dice
from domain.validation import Between, Length, OneOf

NUMBERS = (-(2**53) + 1, -1, 0, 1, 2, 3, 4, 5, 9, 100, 2**53 - 1)
STRINGS = ("", "0", "A1", "happy", "ö\x00", "x" * 300)
MOST_ITEMS = 6
"""Items of a list without a limit of its own."""


def some(hint: Any, dice: Dice, marks: Sequence[Any] = ()) -> Any:
    """Some value of this type, all kinds of values with a fair chance."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return some(args[0], dice, args[1:])
    if origin is Literal:
        return dice.choice(args)
    if origin is Union or origin is types.UnionType:
        return some(dice.choice(args), dice, marks)
    if origin is tuple:
        return _some_items(args, dice, marks)
    if origin is dict:
        return {dice.choice(STRINGS): some(args[1], dice) for _ in range(dice.below(3))}
    if dataclasses.is_dataclass(hint):
        return some_record(hint, dice)
    return _some_scalar(hint, dice, marks)


def some_record(cls: Any, dice: Dice) -> Any:
    hints = get_type_hints(cls, include_extras=True)
    return cls(**{field.name: some(hints[field.name], dice) for field in dataclasses.fields(cls)})


def _some_items(args: Sequence[Any], dice: Dice, marks: Sequence[Any]) -> tuple[Any, ...]:
    if len(args) != 2 or args[1] is not Ellipsis:
        return tuple(some(arg, dice) for arg in args)
    least, most = next(((mark.least, mark.most) for mark in marks if isinstance(mark, Length)), (0, MOST_ITEMS))
    items = [some(args[0], dice) for _ in range(least + dice.below(most - least + 1))]
    if len(items) > 1 and dice.below(3) == 0:
        items[-1] = items[0]
    return tuple(items)


def _some_scalar(hint: Any, dice: Dice, marks: Sequence[Any]) -> Any:
    for mark in marks:
        if isinstance(mark, Between):
            return mark.least + dice.below(mark.most - mark.least + 1)
        if isinstance(mark, OneOf):
            return dice.choice(mark.values)
    if hint is str:
        lengths = [mark for mark in marks if isinstance(mark, Length)]
        return dice.choice([text for text in STRINGS if all(m.least <= len(text) <= m.most for m in lengths)] or [""])
    return dice.choice({bool: (False, True), int: NUMBERS, type(None): (None,)}[hint])


def some_move(game: AnyGame, dice: Dice) -> Any:
    """Some move of the game, each kind as likely."""
    return some_record(game.moves[dice.choice(sorted(game.moves))], dice)


def near(move: Any, others: Sequence[Any], dice: Dice) -> Any:
    """A move that differs from this one in one field: some value of its type, or that of another move of its kind."""
    fields = dataclasses.fields(move)
    if not fields:
        return move
    name = dice.choice(fields).name
    alike = [other for other in others if type(other) is type(move)]
    if alike and dice.below(2):
        return dataclasses.replace(move, **{name: getattr(dice.choice(alike), name)})
    hint = get_type_hints(type(move), include_extras=True)[name]
    return dataclasses.replace(move, **{name: some(hint, dice)})


def canonical(move: Any) -> Any:
    """The same for two postings that mean the same: the order of a ``cards`` list means nothing."""
    cards = getattr(move, "cards", None)
    return dataclasses.replace(move, cards=tuple(sorted(cards))) if isinstance(cards, tuple) else move


def reordered(move: Any) -> Iterator[Any]:
    """The move with its ``cards`` in other orders, a few of them; none if it has no such list."""
    cards = getattr(move, "cards", None)
    if isinstance(cards, tuple):
        for order in itertools.islice(itertools.permutations(cards), 1, 7):
            yield dataclasses.replace(move, cards=order)
